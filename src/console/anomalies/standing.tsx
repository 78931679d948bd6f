import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../api/me.tsx';
import { useAct } from '../api/use-act.ts';
import { ReasonDialog } from '../parts/dialog.tsx';
import { done } from '../parts/done.ts';
import { byPerson, usePeople } from '../parts/people.ts';
import { ago, moment } from '../words/format.ts';
import { words } from '../words/names.ts';
import { ChangeAnomaly, type AnomalyDetails } from './queries.ts';

type AnomalyStatus = AnomalyDetails['status'];

interface Step {
  readonly verb: string;
  readonly text: string;
  readonly result: string;
}

const steps: Readonly<Record<AnomalyStatus, Step>> = {
  ACKNOWLEDGED: {
    verb: 'Acknowledge',
    text: 'Says that somebody knows of it. It leaves the list of open anomalies.',
    result: 'Acknowledged',
  },
  RESOLVED: {
    verb: 'Resolve',
    text: 'Says that it is dealt with. Syncs keep it resolved.',
    result: 'Resolved',
  },
  OPEN: { verb: 'Reopen', text: 'Puts it back into the list of open anomalies.', result: 'Open again' },
};

/** What may follow each status, the likeliest first. */
const next: Readonly<Record<AnomalyStatus, readonly AnomalyStatus[]>> = {
  OPEN: ['ACKNOWLEDGED', 'RESOLVED'],
  ACKNOWLEDGED: ['RESOLVED', 'OPEN'],
  RESOLVED: ['OPEN'],
};

/** Buttons that change how an anomaly stands, for roles that may. */
export function StandingButtons({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const [asked, setAsked] = useState<AnomalyStatus | null>(null);
  if (!useMay('anomalies.write')) return null;
  return (
    <>
      {next[anomaly.status].map((status, index) => (
        <Button key={status} variant={index === 0 ? 'filled' : 'default'} onClick={() => setAsked(status)}>
          {steps[status].verb}
        </Button>
      ))}
      {asked && <Change id={anomaly.id} status={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface ChangeProps {
  readonly id: string;
  readonly status: AnomalyStatus;
  onClose(): void;
}

function Change({ id, status, onClose }: ChangeProps) {
  const { act, isBusy, refusal } = useAct(ChangeAnomaly);
  const { verb, text, result } = steps[status];
  const submit = async (reason: string | null) => {
    if (!(await act({ id, status, reason }))) return;
    onClose();
    done(`${result}.`);
  };
  return (
    <ReasonDialog
      isOpen
      title={`${verb} this anomaly`}
      verb={verb}
      text={text}
      isBusy={isBusy}
      refusal={refusal}
      onSubmit={(reason) => void submit(reason)}
      onClose={onClose}
    />
  );
}

/** The last change of the status: by whom, when and why. Nothing before the first. */
export function StandingNote({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const { status, statusChangedAt, statusChangedById, statusReason } = anomaly;
  const personName = usePeople();
  if (!statusChangedAt) return null;
  const who = statusChangedById === null ? 'automatically' : byPerson(personName(statusChangedById));
  return (
    <span>
      {status === 'OPEN' ? 'Reopened' : words(status)} {who}{' '}
      <time dateTime={statusChangedAt} title={moment(statusChangedAt)}>
        {ago(statusChangedAt)}
      </time>
      {statusReason ? `: ${statusReason}` : ''}
    </span>
  );
}
