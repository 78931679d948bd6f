import { Alert, Button, Group } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../api/use-answer.ts';
import { BadAddress } from '../parts/bad-address.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/shown.tsx';
import { Unconverted } from '../parts/unconverted.tsx';
import { useUrlState, type UrlState } from '../parts/url-state.ts';
import { addDays, today } from '../words/days.ts';
import { day, days } from '../words/format.ts';
import { ChartCard } from './chart-card.tsx';
import { Chips } from './chips.tsx';
import { CompleteThrough } from './queries.ts';
import { faultsOf, filterKeys, questionOf, rangeOf, type Question } from './question.ts';
import { TableCard } from './table-card.tsx';
import { ChooseTagKey } from './tag-key.tsx';
import { Toolbar } from './toolbar.tsx';
import { useCosts, type CostsView } from './use-costs.ts';

/** The explorer of costs: any days, split by anything, narrowed to anything, beside the period before. */
export function CostsPage() {
  const state = useUrlState();
  const hasDays = state.has('to');
  const known = useAnswer(CompleteThrough, {}, { pause: hasDays });
  const lastDay = lastDayOf(known.data?.costsDaily?.completeThrough ?? null);
  const faults = faultsOf(state, rangeOf(state, lastDay));
  const isReady = hasDays || known.data !== null;
  return (
    <Page title="Costs" lead="What the clouds cost, by day and by whatever you split it by.">
      {faults.length > 0 ? (
        <BadAddress state={state} faults={faults} what="costs" />
      ) : isReady ? (
        <Explorer state={state} lastDay={lastDay} />
      ) : (
        <Shown of={known} height={480}>
          {() => null}
        </Shown>
      )}
    </Page>
  );
}

/** Without days in the address the range ends with the last complete day; where bills are long overdue, today. */
function lastDayOf(completeThrough: string | null): string {
  const now = today();
  return completeThrough !== null && completeThrough >= addDays(now, -6) && completeThrough < now
    ? completeThrough
    : now;
}

interface Props {
  readonly state: UrlState;
  readonly lastDay: string;
}

function Explorer({ state, lastDay }: Props) {
  const question = useSame(questionOf(state, lastDay));
  const needsKey = question.group === 'tag' && question.filters.tagKey === null;
  return (
    <>
      <Toolbar state={state} question={question} />
      <Chips state={state} question={question} />
      {needsKey ? <ChooseTagKey state={state} /> : <Answered state={state} question={question} />}
    </>
  );
}

/** The same question as long as it asks the same: sorting and searching the table ask nothing. */
function useSame(question: Question): Question {
  const [kept, keep] = useState(question);
  const isSame = JSON.stringify(kept) === JSON.stringify(question);
  if (!isSame) keep(question);
  return isSame ? kept : question;
}

function Answered({ state, question }: { readonly state: UrlState; readonly question: Question }) {
  const answer = useCosts(question);
  return (
    <Shown of={answer} height={620}>
      {(view) => <View state={state} view={view} />}
    </Shown>
  );
}

function View({ state, view }: { readonly state: UrlState; readonly view: CostsView }) {
  if (view.rows.length === 0) return <Nothing state={state} view={view} />;
  return (
    <div style={{ display: 'grid', gap: 'var(--mantine-spacing-md)' }}>
      <Incomplete state={state} view={view} />
      <Unconverted costs={view.unconverted} currency={view.currency} />
      <ChartCard state={state} view={view} />
      <TableCard state={state} view={view} />
    </div>
  );
}

/** Bills of the last days are not complete: their costs, and any comparison with them, are too low. */
function Incomplete({ state, view }: { readonly state: UrlState; readonly view: CostsView }) {
  const { completeThrough, question } = view;
  const { from, to } = question.range;
  if (completeThrough !== null && completeThrough >= to) return null;
  const first = completeThrough !== null && completeThrough >= from ? addDays(completeThrough, 1) : null;
  const text =
    completeThrough === null
      ? 'No bill is complete for any day yet: what is shown still grows.'
      : `Bills are complete through ${day(completeThrough)}. ${first ? days(first, to) : 'All of these days'} will still grow, so compare with care.`;
  return (
    <Alert color="gray" variant="light" icon={<IconClock size={18} aria-hidden />} p="xs">
      <Group gap="sm">
        {text}
        {first && completeThrough !== null && (
          <Button size="compact-sm" variant="default" onClick={() => state.set({ from, to: completeThrough })}>
            Complete days only
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function Nothing({ state, view }: { readonly state: UrlState; readonly view: CostsView }) {
  const { unconverted, question, currency } = view;
  const { from, to } = question.range;
  const { tagKey } = question.filters;
  const isFiltered = state.has(...filterKeys.filter((key) => question.group !== 'tag' || key !== 'tagKey'));
  const clear = () =>
    state.set({
      ...Object.fromEntries(filterKeys.map((key) => [key, null])),
      ...(question.group === 'tag' && { tagKey }),
    });
  return (
    <>
      <Unconverted costs={unconverted} currency={currency} />
      <Empty
        title={`No ${unconverted.length > 0 ? 'other costs' : 'costs'} ${isFiltered ? 'match the filters' : 'are known'} in ${days(from, to)}`}
        text={isFiltered ? undefined : 'Choose other days, or look at Accounts for what has been read so far.'}
        action={
          isFiltered && (
            <Button variant="default" onClick={clear}>
              Clear filters
            </Button>
          )
        }
      />
    </>
  );
}
