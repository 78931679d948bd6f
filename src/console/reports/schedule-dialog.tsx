import { Divider, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Refusal } from '../api/refusal.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { RecipientFields } from '../parts/recipient-fields.tsx';
import { AboutFields } from './about-fields.tsx';
import { FilterFields } from './filter-fields.tsx';
import { keptFor } from './filters.ts';
import { faultsOf, mostRecipients, type Faults, type ScheduleForm } from './schedule-form.ts';
import { TimingFields } from './timing-fields.tsx';

interface Props {
  readonly title: string;
  readonly verb: string;
  readonly initial: ScheduleForm;
  readonly isMine: boolean;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  onSave(form: ScheduleForm): void;
  onClose(): void;
}

/** Everything that a schedule is made of. It is open as long as it is there. */
export function ScheduleDialog({ title, verb, initial, isMine, isBusy, refusal, onSave, onClose }: Props) {
  const [form, setForm] = useState(initial);
  const [faults, setFaults] = useState<Faults>({});
  const set = (changes: Partial<ScheduleForm>) => setForm((before) => ({ ...before, ...changes }));
  const submit = () => {
    const found = faultsOf(form);
    setFaults(found);
    if (Object.keys(found).length === 0) onSave(form);
  };
  return (
    <FormDialog
      title={title}
      verb={verb}
      size="lg"
      isOpen
      isBusy={isBusy}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        withAsterisk
        maxLength={100}
        data-autofocus
        value={form.name}
        error={faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <AboutFields
        type={form.type}
        format={form.format}
        onType={(type) => set({ type, filters: keptFor(type, form.type, form.filters) })}
        onFormat={(format) => set({ format })}
      />
      <Divider label="When" labelPosition="left" />
      <TimingFields form={form} set={set} />
      <Divider label="Filters" labelPosition="left" />
      <FilterFields type={form.type} value={form.filters} faults={faults} onChange={(filters) => set({ filters })} />
      <Divider label="Who is told" labelPosition="left" />
      <RecipientFields
        label="Recipients"
        description="Without any, its owner. Press Enter after each."
        most={mostRecipients}
        isMine={isMine}
        value={{ emails: form.recipients, slack: form.slack }}
        error={faults.recipients ?? null}
        onChange={({ emails, slack }) => set({ recipients: emails, slack })}
      />
      <Switch
        label="The schedule is on"
        checked={form.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
