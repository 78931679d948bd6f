import { useState } from 'react';
import { ActDialog, ReasonDialog } from '../parts/form/dialog.tsx';
import { OneField } from '../parts/form/fields.tsx';
import { Act } from '../parts/form/menu.tsx';
import { AssignDialog } from '../parts/form/triage.tsx';
import type { BulkActionsProps } from '../parts/list/list.tsx';
import { counted, words } from '../words/format.ts';
import { UpdateRecommendations, type RecommendationRow } from './queries.ts';

const noun = ['recommendation'] as const;

type Props = BulkActionsProps<RecommendationRow>;

const labels = {
  IN_PROGRESS: 'Mark in progress',
  APPLIED: 'Mark applied',
  ARCHIVED: 'Archive',
  OPEN: 'Reopen',
} as const;

type Status = keyof typeof labels;
/** A new status has the entries as they were shown when it was chosen. */
type Asked = { readonly status: Status; readonly rows: Props['rows'] } | 'snooze' | 'assign';

/** Buttons that change the status or the assignee of several recommendations, or snooze them. */
export function RecommendationBulk({ rows, onDone, onReload }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      {(['IN_PROGRESS', 'APPLIED', 'ARCHIVED', 'OPEN'] as const).map((status) => (
        <Act key={status} label={labels[status]} size="compact-sm" onClick={() => setAsked({ status, rows })} />
      ))}
      <Act label="Snooze" size="compact-sm" onClick={() => setAsked('snooze')} />
      <Act label="Assign" size="compact-sm" onClick={() => setAsked('assign')} />
      {asked === 'assign' && (
        <AssignDialog rows={rows} noun={noun} mutation={UpdateRecommendations} onDone={onDone} onClose={close} />
      )}
      {asked === 'snooze' && <SnoozeDialog rows={rows} onDone={onDone} onReload={onReload} onClose={close} />}
      {asked !== null && asked !== 'assign' && asked !== 'snooze' && (
        <StatusDialog {...asked} onDone={onDone} onReload={onReload} onClose={close} />
      )}
    </>
  );
}

interface DialogProps extends Props {
  onClose(): void;
}

function StatusDialog({ rows, status, ...dialog }: DialogProps & { readonly status: Status }) {
  const count = counted(rows.length, ...noun);
  const verb = `Mark as ${words(status).toLowerCase()}`;
  const ids = rows.map(({ id }) => id);
  const ifStatus = rows.map((row) => row.status);
  return (
    <ReasonDialog
      title={`${verb}: ${count}`}
      verb={verb}
      text="Recommendations that already have this status keep their reason if you enter none."
      mutation={UpdateRecommendations}
      variablesOf={(reason) => ({ input: { ids, ifStatus, status, statusReason: reason } })}
      confirmation={`${words(status)}: ${count}.`}
      {...dialog}
    />
  );
}

const snoozes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];

function SnoozeDialog({ rows, ...dialog }: DialogProps) {
  const [days, setDays] = useState('30');
  const count = counted(rows.length, ...noun);
  return (
    <ActDialog
      title={`Snooze ${count}`}
      verb="Snooze"
      text="Snoozed recommendations are hidden from lists and excluded from totals."
      mutation={UpdateRecommendations}
      variables={{ input: { ids: rows.map(({ id }) => id), snoozeDays: Number(days) } }}
      confirmation={`Snoozed for ${days} days: ${count}.`}
      {...dialog}
    >
      <OneField label="For" choices={snoozes} value={days} onChange={setDays} data-autofocus />
    </ActDialog>
  );
}
