import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { ConfirmDialog, done, IconAct } from '../../parts/form/dialog.tsx';
import { changedFields } from '../../parts/form/form.tsx';
import { NewButton } from '../../parts/list/list.tsx';
import { CreateSchedule, DeleteSchedule, UpdateSchedule, type Schedule } from '../queries.ts';
import classes from '../reports.module.css';
import { ScheduleDialog } from './dialog.tsx';
import { blankSchedule, formOf, valuesOf, type ScheduleForm } from './form.ts';

/** Button that opens the form for a new schedule. */
export function NewScheduleButton() {
  const [isOpen, setOpen] = useState(false);
  const create = useAct(CreateSchedule);
  const close = () => {
    create.clear();
    setOpen(false);
  };
  const save = async (form: ScheduleForm) => {
    const made = (await create.act({ input: valuesOf(form) }))?.createReportSchedule;
    if (!made) return;
    done(`Schedule ${made.name} created`);
    close();
  };
  return (
    <>
      <NewButton onClick={() => setOpen(true)}>New schedule</NewButton>
      {isOpen && (
        <ScheduleDialog
          title="New schedule"
          verb="Create schedule"
          initial={blankSchedule()}
          isMine
          of={create}
          onSave={save}
          onClose={close}
        />
      )}
    </>
  );
}

/** Action menu of a schedule in the list. */
export function ScheduleActs({ schedule }: { readonly schedule: Schedule }) {
  const { id, name } = schedule;
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <span className={classes.acts}>
      <IconAct label={`Edit ${name}`} Icon={IconPencil} onClick={() => setOpen('edit')} />
      <IconAct label={`Delete ${name}`} Icon={IconTrash} onClick={() => setOpen('delete')} />
      {open === 'edit' && <EditDialog schedule={schedule} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete this schedule?"
          verb="Delete schedule"
          text={`“${name}” creates no more reports. Existing reports stay until they expire. This cannot be undone.`}
          mutation={DeleteSchedule}
          variables={{ id }}
          said={`Schedule ${name} deleted`}
          onClose={close}
        />
      )}
    </span>
  );
}

interface DialogProps {
  readonly schedule: Schedule;
  onClose(): void;
}

function EditDialog({ schedule, onClose }: DialogProps) {
  const { user } = useMe();
  const update = useAct(UpdateSchedule);
  const initial = formOf(schedule);
  const save = async (form: ScheduleForm) => {
    const changes = changedFields(valuesOf(initial), valuesOf(form));
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
