import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { AuthRefusal } from '../sign-in/auth-refusal.tsx';
import { faultsOf, nameFault } from '../sign-in/faults.ts';
import { agentName } from '../words/agents.ts';
import { useAddPasskey } from './use-add-passkey.ts';

interface Props {
  onDone(): void;
  onCancel(): void;
}

/** Names a new passkey and has the browser make it. */
export function PasskeyForm({ onDone, onCancel }: Props) {
  const { add, isBusy, refusal, clear } = useAddPasskey();
  const [name, setName] = useState(() => agentName(navigator.userAgent));
  const [fault, setFault] = useState<string | null>(null);
  const faults = faultsOf(refusal, { name: ['name', 'The name'] });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const found = nameFault(name, 'a name');
    setFault(found);
    if (!found && (await add(name.trim()))) onDone();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">
          A passkey logs you in with your fingerprint, your face, your device’s PIN, or a security key. It cannot be
          guessed or phished.
        </Text>
        <TextInput
          label="Name"
          description="So that you know it again in the list."
          data-autofocus
          maxLength={100}
          value={name}
          error={fault ?? faults.name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            clear();
          }}
        />
        {!faults.name && <AuthRefusal refusal={refusal} onOver={clear} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Add passkey
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
