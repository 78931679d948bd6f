import { Menu, Text } from '@mantine/core';
import { IconAlarm, IconChevronDown, IconSun } from '@tabler/icons-react';
import { useState } from 'react';
import { Act } from '../parts/form/menu.tsx';
import { useAct } from '../api/use-api.ts';
import { done, failed, FormDialog, ReasonDialog } from '../parts/form/dialog.tsx';
import { TextField } from '../parts/form/fields.tsx';
import { addDays, isDay } from '../words/days.ts';
import { counted, day, words } from '../words/format.ts';
import { isSnoozed } from './page.tsx';
import { UpdateRecommendation, type RecommendationDetails } from './queries.ts';

interface Props {
  readonly recommendation: RecommendationDetails;
}

/** Menu to snooze a recommendation, which hides it from lists for a while, or to wake it. */
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
  return <Act label="Wake" Icon={IconSun} loading={isBusy} onClick={() => void wake()} />;
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
      <Menu position="bottom-end">
        <Menu.Target>
          <Act
            label="Snooze"
            Icon={IconAlarm}
            loading={isBusy}
            rightSection={<IconChevronDown size={15} aria-hidden />}
          />
        </Menu.Target>
        <Menu.Dropdown>
          {[7, 30, 90].map((days) => (
            <Menu.Item key={days} onClick={() => void snooze(days)}>
              For {days} days
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setAsking(true)}>Until a date…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsking && <UntilDay id={id} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Today in the user's time zone, not UTC, since they pick from their own calendar. */
function localToday(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

function UntilDay({ id, onClose }: { readonly id: string; onClose(): void }) {
  const [first, last] = [addDays(localToday(), 1), addDays(localToday(), 365)];
  const [until, setUntil] = useState(addDays(localToday(), 14));
  const [fault, setFault] = useState<string | null>(null);
  const { act, isBusy, refusal } = useAct(UpdateRecommendation);
  const submit = async () => {
    const isGood = isDay(until) && until >= first && until <= last;
    setFault(isGood ? null : `Choose a day from ${day(first)} to ${day(last)}`);
    if (!isGood || !(await act({ id, input: { snoozedUntil: new Date(`${until}T00:00`).toISOString() } }))) return;
    onClose();
    done(`Snoozed until ${day(until)}.`);
  };
  return (
    <FormDialog title="Snooze until a date" verb="Snooze" of={{ isBusy, refusal }} onSubmit={submit} onClose={onClose}>
      <Text size="sm">It is hidden from lists and excluded from totals until that day.</Text>
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
    </FormDialog>
  );
}

type Status = RecommendationDetails['status'];

const statuses = ['OPEN', 'IN_PROGRESS', 'APPLIED', 'ARCHIVED'] as const satisfies readonly Status[];

const meanings: Readonly<Record<Status, string>> = {
  OPEN: 'Not started yet.',
  IN_PROGRESS: 'Someone is working on this.',
  APPLIED: 'Applied. Costkeep measures the realized savings from now on.',
  ARCHIVED: 'Dismissed. Syncs do not reopen it.',
};

/** Menu to change the status of a recommendation. */
export function StatusMenu({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const [asked, setAsked] = useState<Status | null>(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Act label="Change status" primary rightSection={<IconChevronDown size={15} aria-hidden />} />
        </Menu.Target>
        <Menu.Dropdown>
          {/* The current status is omitted: a disabled first item would keep focus out of the menu. */}
          {statuses
            .filter((status) => status !== recommendation.status)
            .map((status) => (
              <Menu.Item key={status} onClick={() => setAsked(status)}>
                {words(status)}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <ReasonDialog
          title={`Mark as ${words(asked).toLowerCase()}`}
          verb={`Mark as ${words(asked).toLowerCase()}`}
          text={meanings[asked]}
          mutation={UpdateRecommendation}
          variablesOf={(reason) => ({ id: recommendation.id, input: { status: asked, statusReason: reason } })}
          said={`The recommendation is ${words(asked).toLowerCase()}.`}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
