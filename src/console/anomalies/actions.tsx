import { useState } from 'react';
import { useMay } from '../api/me.tsx';
import { ReasonDialog } from '../parts/form/dialog.tsx';
import { Act } from '../parts/form/menu.tsx';
import { AssignDialog } from '../parts/form/triage.tsx';
import type { BulkActionsProps } from '../parts/list/list.tsx';
import { counted } from '../words/format.ts';
import { UpdateAnomalies, UpdateAnomaly, type AnomalyDetails, type AnomalyRow } from './queries.ts';

type AnomalyStatus = AnomalyDetails['status'];

interface Step {
  readonly verb: string;
  readonly text: string;
  readonly result: string;
}

const steps: Readonly<Record<AnomalyStatus, Step>> = {
  ACKNOWLEDGED: {
    verb: 'Acknowledge',
    text: 'Marks the anomaly as known and removes it from Open.',
    result: 'Acknowledged',
  },
  RESOLVED: {
    verb: 'Resolve',
    text: 'Marks the anomaly as resolved. Syncs do not reopen it.',
    result: 'Resolved',
  },
  OPEN: { verb: 'Reopen', text: 'Moves the anomaly back to Open.', result: 'Reopened' },
};

/** Allowed status transitions, most likely first. */
const next: Readonly<Record<AnomalyStatus, readonly AnomalyStatus[]>> = {
  OPEN: ['ACKNOWLEDGED', 'RESOLVED'],
  ACKNOWLEDGED: ['RESOLVED', 'OPEN'],
  RESOLVED: ['OPEN'],
};

/** Buttons that change an anomaly's status, for roles with permission. */
export function StandingButtons({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const [asked, setAsked] = useState<{ readonly from: AnomalyStatus; readonly to: AnomalyStatus } | null>(null);
  if (!useMay('anomalies.write')) return null;
  return (
    <>
      {next[anomaly.status].map((status, index) => (
        <Act
          label={steps[status].verb}
          key={status}
          variant={index === 0 ? 'filled' : 'default'}
          onClick={() => setAsked({ from: anomaly.status, to: status })}
        />
      ))}
      {asked && (
        <ReasonDialog
          title={`${steps[asked.to].verb} this anomaly`}
          verb={steps[asked.to].verb}
          text={steps[asked.to].text}
          mutation={UpdateAnomaly}
          variablesOf={(reason) => ({
            id: anomaly.id,
            input: { status: asked.to, statusReason: reason, ifStatus: asked.from },
          })}
          confirmation={`${steps[asked.to].result}.`}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

const noun = ['anomaly', 'anomalies'] as const;

/** Buttons that change the status or the assignee of several anomalies. */
export function AnomalyBulk({ rows, onDone, onReload }: BulkActionsProps<AnomalyRow>) {
  const [asked, setAsked] = useState<{ readonly to: AnomalyStatus; readonly rows: typeof rows } | 'assign' | null>(
    null,
  );
  const close = () => setAsked(null);
  return (
    <>
      {(['ACKNOWLEDGED', 'RESOLVED', 'OPEN'] as const).map((status) => (
        <Act key={status} label={steps[status].verb} size="compact-sm" onClick={() => setAsked({ to: status, rows })} />
      ))}
      <Act label="Assign" size="compact-sm" onClick={() => setAsked('assign')} />
      {asked === 'assign' && (
        <AssignDialog rows={rows} noun={noun} mutation={UpdateAnomalies} onDone={onDone} onClose={close} />
      )}
      {asked !== null && asked !== 'assign' && (
        <BulkStatusDialog {...asked} onDone={onDone} onReload={onReload} onClose={close} />
      )}
    </>
  );
}

interface BulkStatusProps extends BulkActionsProps<AnomalyRow> {
  readonly to: AnomalyStatus;
  onClose(): void;
}

function BulkStatusDialog({ rows, to, ...dialog }: BulkStatusProps) {
  const count = counted(rows.length, ...noun);
  const ids = rows.map(({ id }) => id);
  const ifStatus = rows.map(({ status }) => status);
  return (
    <ReasonDialog
      title={`${steps[to].verb} ${count}`}
      verb={steps[to].verb}
      text="Anomalies that already have this status keep their reason if you enter none."
      mutation={UpdateAnomalies}
      variablesOf={(reason) => ({ input: { ids, ifStatus, status: to, statusReason: reason } })}
      confirmation={`${steps[to].result}: ${count}.`}
      {...dialog}
    />
  );
}
