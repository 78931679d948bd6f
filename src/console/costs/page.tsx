import { useEffect, useState } from 'react';
import { Act } from '../parts/form/menu.tsx';
import { useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { BadAddress } from '../parts/list/day-range.tsx';
import { NoData } from '../parts/page/no-data.tsx';
import { Page, Shown } from '../parts/page/page.tsx';
import { Views } from '../parts/views/menu.tsx';
import { Card } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { useUrlState, type UrlState } from '../parts/list/url-state.ts';
import { LoadingNote } from '../accounts/loading-note.tsx';
import { SampleNote } from '../accounts/sample/sample.tsx';
import { days } from '../words/format.ts';
import { ChartCard } from './chart-card.tsx';
import { Crumbs } from './filters/filter-bar.tsx';
import { Incomplete, UnusedTagKeys } from './incomplete.tsx';
import { lastDayOf } from './last-day.ts';
import { LastCompleteDay } from './queries.ts';
import { faultsOf, modernized, questionOf, rangeOf, readKeys, withoutFilters, type Question } from './question.ts';
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
  const known = useAnswer(LastCompleteDay, {}, { isLasting: true });
  const lastDay = lastDayOf(known.data);
  const fiscalStart = useMe().organization.fiscalYearStartMonth;
  const faults = faultsOf(state, rangeOf(state, lastDay, fiscalStart));
  useEffect(() => {
    if (old) state.set(old, { replace: true });
  });
  if (old) return <div aria-busy />;
  return (
    <Page
      title="Costs"
      reads={readKeys}
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
      ) : known.data ? (
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
      <UnusedTagKeys view={view} />
      <Caveats of={view} />
      <SkippedSplits splits={view.skippedSplits} />
      <SharedCard state={state} question={view.question} />
      <ChartCard state={state} view={view} />
      <TableCard state={state} view={view} />
    </div>
  );
}

function Nothing({ state, view }: { readonly state: UrlState; readonly view: CostsView }) {
  const { unconverted, question } = view;
  const { from, to } = question.range;
  const isFiltered = question.filters.length > 0;
  return (
    <>
      <Caveats of={view} />
      <Card>
        <NoData
          title="No data"
          text={
            isFiltered
              ? `No costs match the filters for ${days(from, to)}.`
              : `There are no ${unconverted.length > 0 ? 'other ' : ''}costs for ${days(from, to)}. Choose other days, or see Accounts for the data loaded so far.`
          }
          action={
            isFiltered ? (
              <Act label="Clear filters" onClick={() => state.set(withoutFilters(question))} />
            ) : (
              <Act label="Last 30 days" onClick={() => state.set({ days: null, from: null, to: null })} />
            )
          }
        />
      </Card>
    </>
  );
}
