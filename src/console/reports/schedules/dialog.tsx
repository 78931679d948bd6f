import { Divider, Group, Select, SimpleGrid } from '@mantine/core';
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { LeftOut } from '../../costs/from-view/left-out.tsx';
import { originOf } from '../../costs/from-view/prefill.ts';
import { reportOfView } from '../../costs/from-view/report.ts';
import { FormDialog, ConfirmDialog, done, IconAct } from '../../parts/form/dialog.tsx';
import { OneField, TermField, TextField, Toggle } from '../../parts/form/fields.tsx';
import { changesSince } from '../../parts/form/changed-fields.ts';
import { useFields, type Sending } from '../../parts/form/form.tsx';
import { RecipientFields } from '../../parts/form/recipients.tsx';
import { useUrlState } from '../../parts/list/url-state.ts';
import { FilterFields } from '../filters/fields.tsx';
import { keptFor } from '../filters/filters.ts';
import { AboutFields } from '../kinds.tsx';
import { CreateSchedule, DeleteSchedule, UpdateSchedule, type Schedule } from '../queries.ts';
import {
  faultsOf,
  frequencies,
  hourText,
  mostRecipients,
  timeZones,
  weekdays,
  type ScheduleForm,
  blankSchedule,
  formOf,
  valuesOf,
} from './form.ts';
import { SendDialog } from './send-dialog.tsx';
import { ValueRecipientFields } from './value-recipients.tsx';

interface Props {
  readonly title: string;
  readonly verb: string;
  readonly initial: ScheduleForm;
  /** Filters of the cost view that the report cannot have. */
  readonly left?: readonly string[];
  readonly isMine: boolean;
  readonly of: Sending;
  onSave(form: ScheduleForm): unknown;
  onClose(): void;
}

/** Form dialog for a schedule. */
function ScheduleDialog({ title, verb, initial, left = [], isMine, of, onSave, onClose }: Props) {
  const { form, set, field, faults, check } = useFields(initial, faultsOf);
  const submit = () => check() && onSave(form);
  return (
    <FormDialog title={title} verb={verb} size="lg" of={of} fields={{ form, set }} onSubmit={submit} onClose={onClose}>
      <LeftOut noun="report" left={left} />
      <TextField label="Name" withAsterisk maxLength={100} data-autofocus {...field('name')} />
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
      <Divider label="Recipients" labelPosition="left" />
      <RecipientFields
        label="Recipients"
        description="Defaults to the owner. Press Enter after each address."
        most={mostRecipients}
        isMine={isMine}
        value={{ emails: form.recipients, slack: form.slack, channelIds: form.channelIds }}
        error={faults.recipients ?? null}
        onChange={({ emails, slack, channelIds }) => set({ recipients: emails, slack, channelIds })}
      />
      {form.type === 'SHOWBACK' && (
        <>
          <Divider label="Files by value" labelPosition="left" />
          <ValueRecipientFields
            value={form.valueRecipients}
            filters={form.filters}
            error={faults.valueRecipients ?? null}
            onChange={(valueRecipients) => set({ valueRecipients })}
          />
        </>
      )}
      <Toggle label="Enabled" checked={form.enabled} onChange={(enabled) => set({ enabled })} />
    </FormDialog>
  );
}

interface TimingFieldsProps {
  readonly form: ScheduleForm;
  set(changes: Partial<ScheduleForm>): void;
}

/** Fields for frequency, day, time and time zone. */
function TimingFields({ form, set }: TimingFieldsProps) {
  const zones = useMemo(() => [...new Set([...timeZones(), form.timeZone])], [form.timeZone]);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TermField
        label="Frequency"
        terms={frequencies}
        value={form.frequency}
        onChange={(frequency) => set({ frequency, day: 1 })}
      />
      <DayField form={form} set={set} />
      <OneField
        label="Hour"
        choices={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }))}
        value={String(form.hour)}
        searchable
        onChange={(hour) => set({ hour: Number(hour) })}
      />
      <Select
        label="Time zone"
        data={zones}
        value={form.timeZone}
        allowDeselect={false}
        searchable
        limit={100}
        nothingFoundMessage="Unknown time zone"
        onChange={(value) => set({ timeZone: value ?? form.timeZone })}
      />
    </SimpleGrid>
  );
}

function DayField({ form, set }: TimingFieldsProps) {
  if (form.frequency === 'DAILY') return <div />;
  const isWeekly = form.frequency === 'WEEKLY';
  const choices = isWeekly
    ? weekdays.map((label, index) => ({ value: String(index + 1), label }))
    : Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));
  return (
    <OneField
      label={isWeekly ? 'Weekday' : 'Day of the month'}
      choices={choices}
      value={String(form.day)}
      searchable
      {...(!isWeekly &&
        form.day > 28 && {
          description: 'In shorter months, their last day',
          inputWrapperOrder: ['label', 'input', 'description', 'error'],
        })}
      onChange={(day) => set({ day: Number(day) })}
    />
  );
}

interface NewSchedule {
  /** Null while it is closed. */
  readonly dialog: ReactNode;
  open(): void;
}

/** Form for a new schedule, which is open if the address has a cost view to schedule. */
export function useNewSchedule(): NewSchedule {
  const state = useUrlState();
  const view = originOf(state);
  const report = view && reportOfView(view);
  const [isOpen, setOpen] = useState(report !== null);
  const create = useAct(CreateSchedule);
  const close = () => {
    create.clear();
    setOpen(false);
    if (view) state.set({ costs: null }, { replace: true });
  };
  const save = async (form: ScheduleForm) => {
    const made = (await create.act({ input: valuesOf(form) }))?.createReportSchedule;
    if (!made) return;
    done(`Schedule ${made.name} created`);
    close();
  };
  const dialog = isOpen && (
    <ScheduleDialog
      title="New schedule"
      verb="Create schedule"
      initial={{ ...blankSchedule(), ...report?.values }}
      left={report?.left ?? []}
      isMine
      of={create}
      onSave={save}
      onClose={close}
    />
  );
  return { dialog, open: () => setOpen(true) };
}

/** Action menu of a schedule in the list. */
export function ScheduleActs({ schedule }: { readonly schedule: Schedule }) {
  const { id, name } = schedule;
  const [open, setOpen] = useState<'send' | 'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <IconAct label={`Send ${name} now`} Icon={IconSend} onClick={() => setOpen('send')} />
      <IconAct label={`Edit ${name}`} Icon={IconPencil} onClick={() => setOpen('edit')} />
      <IconAct label={`Delete ${name}`} Icon={IconTrash} onClick={() => setOpen('delete')} />
      {open === 'send' && <SendDialog schedule={schedule} onClose={close} />}
      {open === 'edit' && <EditDialog schedule={schedule} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete this schedule?"
          verb="Delete schedule"
          text={`“${name}” creates no more reports. Existing reports stay until they expire. This cannot be undone.`}
          mutation={DeleteSchedule}
          variables={{ id }}
          confirmation={`Schedule ${name} deleted`}
          onClose={close}
        />
      )}
    </Group>
  );
}

interface DialogProps {
  readonly schedule: Schedule;
  onClose(): void;
}

function EditDialog({ schedule: read, onClose }: DialogProps) {
  // Keeps the first version, on which the edits are based: the schedule is refetched during editing.
  const [schedule] = useState(read);
  const { user } = useMe();
  const update = useAct(UpdateSchedule);
  const initial = formOf(schedule);
  const save = async (form: ScheduleForm) => {
    const changes = changesSince(schedule.updatedAt, valuesOf(initial), valuesOf(form));
    if (Object.keys(changes).length > 0) {
      const changed = (await update.act({ id: schedule.id, input: changes }))?.updateReportSchedule;
      if (!changed) return;
      done(`Schedule ${changed.name} saved`);
    }
    onClose();
  };
  return (
    <ScheduleDialog
      title="Edit schedule"
      verb="Save changes"
      initial={initial}
      isMine={schedule.createdById === user.id}
      of={update}
      onSave={save}
      onClose={onClose}
    />
  );
}
