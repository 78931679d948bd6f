import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAct } from '../../api/use-act.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { faultsOf, nameFault } from '../../sign-in/faults.ts';
import { expiresAt, expiryChoices, expiryFault, type Expiry } from './expiry.ts';
import { CreateApiToken, type NewToken } from './queries.ts';

interface Props {
  onMade(token: NewToken): void;
  onClose(): void;
}

interface Values {
  name: string;
  access: string;
  expiry: Expiry;
  ownDay: string;
}

const initialValues: Values = { name: '', access: 'read', expiry: '90', ownDay: '' };

/** Makes a token. Reading alone is proposed: most programs need no more. */
export function CreateDialog({ onMade, onClose }: Props) {
  const { act, isBusy, refusal, clear } = useAct(CreateApiToken);
  const form = useForm({
    initialValues,
    validate: {
      name: (text) => nameFault(text, 'what the token is for'),
      ownDay: (text, { expiry }) => expiryFault(expiry, text),
    },
    onValuesChange: clear,
  });
  const faults = faultsOf(refusal, { name: ['name', 'The name'], ownDay: ['expires_at', 'The day'] });
  const submit = form.onSubmit(async ({ name, access, expiry, ownDay }) => {
    const until = expiresAt(expiry, ownDay);
    const data = await act({ input: { name: name.trim(), readOnly: access === 'read', expiresAt: until } });
    if (data?.createApiToken) onMade(data.createApiToken);
  });
  return (
    <FormDialog
      title="New API token"
      verb="Create token"
      isOpen
      isBusy={isBusy}
      refusal={Object.keys(faults).length === 0 ? refusal : null}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <TextInput
        label="What it is for"
        placeholder="Grafana"
        data-autofocus
        maxLength={100}
        {...form.getInputProps('name')}
        error={form.errors['name'] ?? faults.name}
      />
      <Radio.Group label="What it may do" {...form.getInputProps('access')}>
        <Stack gap="xs" mt={6}>
          <Radio value="read" label="Read only" />
          <Radio value="all" label="All that your role may do" />
        </Stack>
      </Radio.Group>
      <Select label="Ends" data={expiryChoices()} allowDeselect={false} {...form.getInputProps('expiry')} />
      {form.values.expiry === 'day' && (
        <TextInput
          type="date"
          label="Last day"
          {...form.getInputProps('ownDay')}
          error={form.errors['ownDay'] ?? faults.ownDay}
        />
      )}
    </FormDialog>
  );
}
