import * as operations from '../../../schema/operations.ts';
import { Group, Text } from '@mantine/core';
import { useCallback } from 'react';
import { Act } from '../parts/form/menu.tsx';
import { graphql } from '../api/graphql.ts';
import type { Refusal } from '../api/refusal.ts';
import { useAct, useCall } from '../api/use-api.ts';
import { nameFault } from '../sign-in/faults.ts';
import { makePasskey } from '../sign-in/passkey.ts';
import { agentName } from '../words/format.ts';
import { Form, useFields } from '../parts/form/form.tsx';
import { TextField } from '../parts/form/fields.tsx';
import { RefusalAlert } from '../parts/page/page.tsx';

/** Both steps of registering a passkey; without `response` it returns the WebAuthn options. */
const RegisterPasskey = graphql(operations.registerPasskey);

interface Props {
  onDone(): void;
  onCancel(): void;
}

/** Names and creates a passkey. */
export function PasskeyForm({ onDone, onCancel }: Props) {
  const { add, isBusy, refusal, clear } = useAddPasskey();
  const { form, field, check, rest } = useFields(
    () => ({ name: agentName(navigator.userAgent) }),
    ({ name }) => ({ name: nameFault(name, 'a name') }),
    { of: { refusal, clear }, names: { name: ['name', 'The name'] } },
  );
  const submit = async () => {
    if (check() && (await add(form.name.trim()))) onDone();
  };
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <Text size="sm">
        Sign in with your fingerprint, face, device PIN or a security key. Passkeys cannot be guessed or phished.
      </Text>
      <TextField
        label="Name"
        description="Helps you recognize it in the list."
        data-autofocus
        maxLength={100}
        {...field('name')}
      />
      <RefusalAlert refusal={rest} onOver={clear} />
      <Group justify="flex-end" gap="xs">
        <Act label="Cancel" onClick={onCancel} />
        <Act label="Add passkey" primary type="submit" loading={isBusy} />
      </Group>
    </Form>
  );
}

interface AddPasskey {
  /** Creates a passkey and registers it with the server. @returns whether it succeeded */
  add(name: string): Promise<boolean>;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  clear(): void;
}

/** Adds a passkey for the signed-in user. */
function useAddPasskey(): AddPasskey {
  const asking = useAct(RegisterPasskey);
  const making = useCall();
  const { act } = asking;
  const { run } = making;
  const add = useCallback(
    async (name: string) => {
      const result = await run(async () => {
        const options = (await act({}))?.registerPasskey?.options;
        if (!options) return false;
        const response = await makePasskey(options);
        return (await act({ name, response: { ...response } }))?.registerPasskey?.id != null;
      });
      return result !== null && 'value' in result && result.value;
    },
    [act, run],
  );
  const clear = () => {
    asking.clear();
    making.clear();
  };
  return { add, isBusy: making.isBusy, refusal: asking.refusal ?? making.refusal, clear };
}
