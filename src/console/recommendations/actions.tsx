import { IconAlarm, IconSun } from '@tabler/icons-react';
import { useState } from 'react';
import { Act, ActMenu } from '../parts/form/menu.tsx';
import { useAct } from '../api/use-api.ts';
import { ActDialog, done, failed, ReasonDialog } from '../parts/form/dialog.tsx';
import { TextField } from '../parts/form/fields.tsx';
import { addDays, isDay, localDay } from '../words/days.ts';
import { counted, day, words } from '../words/format.ts';
import { isSnoozed } from './page.tsx';
import { UpdateRecommendation, type RecommendationDetails } from './queries.ts';

interface Props {
  readonly recommendation: RecommendationDetails;
}

/** Menu to snooze a recommendation, which hides it from lists for a while, or to end the snooze. */
export function SnoozeMenu({ recommendation }: Props) {
  return isSnoozed(recommendation) ? <Wake id={recommendation.id} /> : <Snooze id={recommendation.id} />;
}

function Wake({ id }: { readonly id: string }) {
  const { act, isBusy } = useAct(UpdateRecommendation);
  const wake = async () => {
    const data = await act({ id, input: { snoozedUntil: null } });
    if (data) done('Snooze ended.');
    else failed('The snooze could not be ended. Try again.');
  };
  return <Act label="End snooze" Icon={IconSun} loading={isBusy} onClick={() => void wake()} />;
}

function Snooze({ id }: { readonly id: string }) {
  const [isAsking, setAsking] = useState(false);
  const { act, isBusy } = useAct(UpdateRecommendation);
  const snooze = async (days: number) => {
    const data = await act({ id, input: { snoozeDays: days } });
    if (data) done(`Snoozed for ${counted(days, 'day')}.`);
    else failed('The recommendation could not be snoozed. Try again.');
  };
  return (
    <>
      <ActMenu
        label="Snooze"
        button={{ Icon: IconAlarm, loading: isBusy }}
        items={[
          ...[7, 30, 90].map((days) => ({ label: `For ${days} days`, onClick: () => void snooze(days) })),
          { label: 'Until a date…', onClick: () => setAsking(true) },
        ]}
      />
      {isAsking && <UntilDay id={id} onClose={() => setAsking(false)} />}
    </>
  );
}

function UntilDay({ id, onClose }: { readonly id: string; onClose(): void }) {
  const [first, last] = [addDays(localDay(), 1), addDays(localDay(), 365)];
  const [until, setUntil] = useState(addDays(localDay(), 14));
  const [fault, setFault] = useState<string | null>(null);
  const variables = () => {
    const isGood = isDay(until) && until >= first && until <= last;
    setFault(isGood ? null : `Choose a day from ${day(first)} to ${day(last)}`);
    return isGood ? { id, input: { snoozedUntil: new Date(`${until}T00:00`).toISOString() } } : null;
  };
  return (
    <ActDialog
      title="Snooze until a date"
      verb="Snooze"
      text="The recommendation is hidden from lists and excluded from totals until that day."
      mutation={UpdateRecommendation}
      variables={variables}
      confirmation={`Snoozed until ${day(until)}.`}
      onClose={onClose}
    >
      <TextField
        type="date"
        label="Day"
        min={first}
        max={last}
        value={until}
        error={fault}
        data-autofocus
        onChange={setUntil}
      />
    </ActDialog>
  );
}

type Status = RecommendationDetails['status'];

const statuses = ['OPEN', 'IN_PROGRESS', 'APPLIED', 'ARCHIVED'] as const satisfies readonly Status[];

const meanings: Readonly<Record<Status, string>> = {
  OPEN: 'Not started yet.',
  IN_PROGRESS: 'Work has started.',
  APPLIED: 'Applied. Costkeep measures the realized savings from now on.',
  ARCHIVED: 'Dismissed. Syncs do not reopen it.',
};

/** Menu to change the status of a recommendation. */
export function StatusMenu({ recommendation: { id, status } }: Props) {
  const [asked, setAsked] = useState<{ readonly from: Status; readonly to: Status } | null>(null);
  const name = words(asked?.to ?? '').toLowerCase();
  return (
    <>
      <ActMenu
        label="Change status"
        button={{ primary: true }}
        // The current status is omitted: a disabled first item would keep focus out of the menu.
        items={statuses
          .filter((one) => one !== status)
          .map((one) => ({ label: words(one), onClick: () => setAsked({ from: status, to: one }) }))}
      />
      {asked && (
        <ReasonDialog
          title={`Mark as ${name}`}
          verb={`Mark as ${name}`}
          text={meanings[asked.to]}
          mutation={UpdateRecommendation}
          variablesOf={(reason) => ({ id, input: { status: asked.to, statusReason: reason, ifStatus: asked.from } })}
          confirmation={`The recommendation is ${name}.`}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
