import { Alert, Group } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Act } from '../parts/form/menu.tsx';
import { useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { BadAddress, chosenDays } from '../parts/list/day-range.tsx';
import { NoData } from '../parts/page/no-data.tsx';
import { Page, Shown } from '../parts/page/page.tsx';
import { Views } from '../parts/views/menu.tsx';
import { Card, Unconverted } from '../parts/page/card.tsx';
import { useUrlState, type UrlState } from '../parts/list/url-state.ts';
import { LoadingNote } from '../accounts/loading-note.tsx';
import { SampleNote } from '../accounts/sample/sample.tsx';
import { addDays, today } from '../words/days.ts';
import { day, days } from '../words/format.ts';
import { ChartCard } from './chart-card.tsx';
import { Crumbs } from './filters/filter-bar.tsx';
import { lastDayOf } from './last-day.ts';
import { LastCompleteDay } from './queries.ts';
import { faultsOf, modernized, needsLastDay, questionOf, rangeOf, withoutFilters, type Question } from './question.ts';
import { SharedCard, SkippedSplits } from './shared-card.tsx';
import { TableCard } from './table/card.tsx';
import { Toolbar } from './filters/toolbar.tsx';
import { faultOfRefusal } from './refused.ts';
import { useCosts, type CostsView } from './use-costs.ts';
import { useDrill } from './drill.ts';
import { CreateFromView } from './from-view/menu.tsx';

/** Cost explorer: any date range, grouped by up to two dimensions, filtered, and compared with another period. */
export function CostsPage() {
  const state = useUrlState();
  const old = modernized(state);
  const isPast = !needsLastDay(state);
  const known = useAnswer(LastCompleteDay, {}, { pause: isPast, isLasting: true });
  const lastDay = lastDayOf(known.data);
  const fiscalStart = useMe().organization.fiscalYearStartMonth;
  const faults = faultsOf(state, rangeOf(state, lastDay, fiscalStart), fiscalStart);
  const isReady = isPast || known.data !== null;
  useEffect(() => {
    if (old) state.set(old, { replace: true });
  });
  if (old) return <div aria-busy />;
  return (
    <Page
      title="Costs"
      lead="Explore cost by any two dimensions, from service to resource and day."
      actions={
        <>
          <CreateFromView state={state} />
          <Views page="COSTS" />
        </>
      }
    >
      <SampleNote />
      <LoadingNote />
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

interface Props {
  readonly state: UrlState;
  readonly lastDay: string;
}

function Explorer({ state, lastDay }: Props) {
  const asked = useSame(questionOf(state, lastDay, useMe().organization.fiscalYearStartMonth));
  const isDrilling = useDrill(state, asked);
  return (
    <>
      <Toolbar state={state} question={asked} />
      <Crumbs state={state} question={asked} />
      <Answered state={state} question={asked} isDrilling={isDrilling} />
    </>
  );
}

/** Returns the same object while the API query is unchanged; searching the table does not change it. */
function useSame(question: Question): Question {
  const [kept, keep] = useState(question);
  const isSame = JSON.stringify(kept) === JSON.stringify(question);
  if (!isSame) keep(question);
  return isSame ? kept : question;
}

interface AnsweredProps {
  readonly state: UrlState;
  readonly question: Question;
  /** The next dimension is still being determined; the previous view stays. */
  readonly isDrilling: boolean;
}

function Answered({ state, question, isDrilling }: AnsweredProps) {
  const answer = useCosts(question, isDrilling);
  const fault = answer.refusal && faultOfRefusal(answer.refusal, state, question);
  if (fault) return <BadAddress state={state} faults={[fault]} what="costs" />;
  return (
    <Shown of={answer} height={620}>
      {(view) => <View state={state} view={view} />}
    </Shown>
  );
}

function View({ state, view }: { readonly state: UrlState; readonly view: CostsView }) {
  const isEmpty =
    view.question.groups[0] === 'day' ? view.rows.every(({ cost }) => cost === 0) : view.rows.length === 0;
  if (isEmpty) return <Nothing state={state} view={view} />;
  return (
    <div style={{ display: 'grid', gap: 'var(--mantine-spacing-md)' }}>
      <Incomplete state={state} view={view} />
      <Behind view={view} />
      <Unconverted costs={view.unconverted} currency={view.currency} provisional={view.provisionalRates} />
      <SkippedSplits splits={view.skippedSplits} />
      <SharedCard state={state} question={view.question} />
      <ChartCard state={state} view={view} />
      <TableCard state={state} view={view} />
    </div>
  );
}

interface IncompleteProps {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** Says which of the requested days are left out, or that the bills of the shown days are incomplete, so that costs and comparisons
 *  are too low. */
function Incomplete({ state, view }: IncompleteProps) {
  const { asked, range } = view.question;
  const isWhole = range.to === asked.to || range.to === today();
  if (isWhole) return <StillGrowing state={state} view={view} />;
  return (
    <Alert color="gray" icon={<IconClock size={18} aria-hidden />} p="xs">
      <Group gap="sm">
        {`Figures, averages and changes cover the complete days ${days(range.from, range.to)}.`}
        <Act label="Include incomplete days" size="compact-sm" onClick={() => state.set({ incomplete: 'true' })} />
      </Group>
    </Alert>
  );
}

function StillGrowing({ state, view }: IncompleteProps) {
  const { from, to } = view.question.range;
  const completeThrough = view.lastCompleteDay ?? view.completeThrough;
  if (completeThrough !== null && completeThrough >= to) return null;
  const first = completeThrough !== null && completeThrough >= from ? addDays(completeThrough, 1) : null;
  const text =
    completeThrough === null
      ? 'No day has complete bills yet, so these costs will still grow.'
      : `Bills are complete through ${day(completeThrough)}. ${first ? `Costs for ${days(first, to)}` : 'These costs'} will still grow, so compare with care.`;
  return (
    <Alert color="gray" icon={<IconClock size={18} aria-hidden />} p="xs">
      <Group gap="sm">
        {text}
        {first && completeThrough !== null && (
          <Act
            label="Complete days only"
            size="compact-sm"
            onClick={() => state.set({ ...chosenDays({ from, to: completeThrough }), incomplete: null })}
          />
        )}
      </Group>
    </Alert>
  );
}

/** Names the last complete day of accounts that are too far behind to count. */
function Behind({ view: { completeThrough, lastCompleteDay } }: Pick<IncompleteProps, 'view'>) {
  if (completeThrough === null || lastCompleteDay === null || completeThrough >= lastCompleteDay) return null;
  return (
    <Alert color="gray" icon={<IconClock size={18} aria-hidden />} p="xs">
      <Group gap="sm">
        {`At least one account has complete bills only through ${day(completeThrough)}, so its later costs may be missing.`}
        <Act label="Accounts" size="compact-sm" href="/accounts?sort=complete_through" />
      </Group>
    </Alert>
  );
}

function Nothing({ state, view }: { readonly state: UrlState; readonly view: CostsView }) {
  const { unconverted, question, currency } = view;
  const { from, to } = question.range;
  const isFiltered = question.filters.length > 0;
  return (
    <>
      <Unconverted costs={unconverted} currency={currency} provisional={view.provisionalRates} />
      <Card>
        <NoData
          title="No data"
          text={
            isFiltered
              ? `No costs match the filters for ${days(from, to)}.`
              : `There are no ${unconverted.length > 0 ? 'other ' : ''}costs for ${days(from, to)}. Choose other days, or see Accounts for the data loaded so far.`
          }
          action={isFiltered && <Act label="Clear filters" onClick={() => state.set(withoutFilters(question))} />}
        />
      </Card>
    </>
  );
}
