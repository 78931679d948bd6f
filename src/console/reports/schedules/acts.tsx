import { ActionIcon, Button, Switch, Tooltip } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../parts/form/dialog.tsx';
import { done, failed } from '../../parts/form/done.ts';
import { CreateSchedule, DeleteSchedule, type Schedule, UpdateSchedule } from '../queries.ts';
import classes from '../reports.module.css';
import { ScheduleDialog } from './dialog.tsx';
import { blankSchedule, changesOf, formOf, type ScheduleForm, valuesOf } from './form.ts';

/** A button that opens the form of a new schedule. */
export function NewScheduleButton() {
  const [isOpen, setOpen] = useState(false);
  const { act, isBusy, refusal, clear } = useAct(CreateSchedule);
  const close = () => {
    clear();
    setOpen(false);
  };
  const save = async (form: ScheduleForm) => {
    const made = (await act({ input: valuesOf(form) }))?.createReportSchedule;
    if (!made) return;
    done(`Schedule ${made.name} was made`);
    close();
  };
  return (
    <>
      <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setOpen(true)}>
        New schedule
      </Button>
      {isOpen && (
        <ScheduleDialog
          title="New schedule"
          verb="Create schedule"
          initial={blankSchedule()}
          isMine
          isBusy={isBusy}
          refusal={refusal}
          onSave={(form) => void save(form)}
          onClose={close}
        />
      )}
    </>
  );
}

/** Turns a schedule on or off at once. */
export function ScheduleSwitch({ schedule: { id, name, enabled } }: { readonly schedule: Schedule }) {
  const { act, refusal } = useAct(UpdateSchedule);
  useEffect(() => {
    if (refusal) failed(`${name} was not changed: ${refusal.message}`);
  }, [refusal, name]);
  return (
    <Switch
      aria-label={`${name} is on`}
      checked={enabled}
      onChange={(event) => void act({ id, input: { enabled: event.currentTarget.checked } })}
    />
  );
}

/** What can be done with a schedule of the list. */
export function ScheduleActs({ schedule }: { readonly schedule: Schedule }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <span className={classes.acts}>
      <Act label={`Edit ${schedule.name}`} Icon={IconPencil} onClick={() => setOpen('edit')} />
      <Act label={`Delete ${schedule.name}`} Icon={IconTrash} onClick={() => setOpen('delete')} />
      {open === 'edit' && <EditDialog schedule={schedule} onClose={close} />}
      <DeleteDialog schedule={schedule} isOpen={open === 'delete'} onClose={close} />
    </span>
  );
}

interface ActProps {
  readonly label: string;
  readonly Icon: typeof IconPencil;
  onClick(): void;
}

function Act({ label, Icon, onClick }: ActProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

interface DialogProps {
  readonly schedule: Schedule;
  onClose(): void;
}

function EditDialog({ schedule, onClose }: DialogProps) {
  const { user } = useMe();
  const { act, isBusy, refusal } = useAct(UpdateSchedule);
  const initial = formOf(schedule);
  const save = async (form: ScheduleForm) => {
    const changes = changesOf(initial, form);
    if (Object.keys(changes).length > 0) {
      const changed = (await act({ id: schedule.id, input: changes }))?.updateReportSchedule;
      if (!changed) return;
      done(`Schedule ${changed.name} was changed`);
    }
    onClose();
  };
  return (
    <ScheduleDialog
      title="Edit schedule"
      verb="Save changes"
      initial={initial}
      isMine={schedule.createdById === user.id}
      isBusy={isBusy}
      refusal={refusal}
      onSave={(form) => void save(form)}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ schedule: { id, name }, isOpen, onClose }: DialogProps & { readonly isOpen: boolean }) {
  const { act, isBusy, refusal, clear } = useAct(DeleteSchedule);
  const close = () => {
    clear();
    onClose();
  };
  const remove = async () => {
    if (!(await act({ id }))) return;
    done(`Schedule ${name} was deleted`);
    close();
  };
  return (
    <ConfirmDialog
      title="Delete this schedule?"
      verb="Delete schedule"
      isOpen={isOpen}
      isBusy={isBusy}
      refusal={refusal}
      text={`“${name}” makes no more reports. Those that it made stay until they expire. This cannot be undone.`}
      onSubmit={() => void remove()}
      onClose={close}
    />
  );
}
