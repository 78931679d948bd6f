import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ResultOf } from '../api/graphql.ts';
import { useAnswer, type Answer } from '../api/use-api.ts';
import type { DayRange } from '../parts/list/day-range.tsx';
import { Costs, seriesVariables, tableVariables, totalsVariables, type CostsAnswer } from './queries.ts';
import type { Question } from './question.ts';
import { groupRows, sorted, sumOf, withoutChange, type Row } from './table/rows.ts';
import { unknownChange } from './unknown-change.ts';
import { ghostOf, type Ghost, type SeriesChart, pointsOf, seriesChart, barRows } from './stacks.ts';

/** Query with everything that the page shows of its answer. */
export interface CostsView {
  readonly question: Question;
  readonly currency: string;
  /** The API's total for the range. */
  readonly total: number;
  readonly completeThrough: string | null;
  readonly lastCompleteDay: string | null;
  readonly unconverted: readonly { readonly currency: string; readonly cost: number }[];
  readonly provisionalRates: readonly { readonly currency: string; readonly month: string }[];
  readonly missingBills: CostsAnswer['missingBills'];
  /** First day with costs in the bills of the accounts. */
  readonly dataFrom: string | null;
  /** Comparison period, if any. */
  readonly before: {
    readonly range: DayRange;
    readonly total: number;
    readonly bars: Ghost;
  } | null;
  /** Why there are no percentages; null if there are, and without a comparison. */
  readonly unknownChange: string | null;
  readonly rows: readonly Row[];
  /** Whether the rows include all groups. */
  readonly isWhole: boolean;
  /** Groups beyond the rows. */
  readonly other: (Shares & { readonly count: number; readonly cost: number; readonly before: number }) | null;
  /** Direct and shared parts of the total; null unless shared costs are included. */
  readonly shares: Shares | null;
  /** Splits without targets in a month, whose costs stay where they are. */
  readonly skippedSplits: CostsAnswer['skippedSplits'];
  readonly chart: SeriesChart;
}

/** Parts of a cost. */
export interface Shares {
  readonly direct: number;
  readonly shared: number;
}

/** Fetches the table rows, chart series and comparison bars of a query. The previous view stays complete until all answers
 *  have arrived, so that chart and table never show different queries.
 *  @param isPaused suspends the queries while true */
export function useCosts(question: Question, isPaused = false): Answer<CostsView> {
  const isByDay = question.groups[0] === 'day';
  const isCompared = question.compare !== 'none';
  const series = useAnswer(Costs, seriesVariables(question), { pause: isPaused, isLasting: true });
  const table = useAnswer(Costs, tableVariables(question), { pause: isByDay || isPaused, isLasting: true });
  const main = isByDay ? series : table;
  const previous = main.isStale ? null : (main.data?.costs?.previous ?? null);
  const range = previous ? { from: previous.startDate, to: previous.endDate } : question.range;
  const before = useAnswer(Costs, totalsVariables(question, range), {
    pause: previous === null || isPaused,
    isLasting: true,
  });
  const answers = [series, ...(isByDay ? [] : [table]), ...(previous ? [before] : [])];
  const [seriesNow, mainNow, beforeNow] = [series, main, before].map(currentOf);
  const view = useMemo(() => {
    if (isPaused || !seriesNow || !mainNow || (isCompared && !beforeNow)) return null;
    const compared = isCompared ? (beforeNow ?? null) : null;
    return withoutUnknown(viewOf(question, { series: seriesNow, main: mainNow, before: compared }));
  }, [question, seriesNow, mainNow, beforeNow, isCompared, isPaused]);
  const shown = useLast(view);
  const refusal = answers.find((one) => one.refusal)?.refusal ?? null;
  const again = useAskAll(answers);
  const isLost = refusal !== null && answers.some(({ data }) => data === null);
  return { data: isLost ? null : shown, refusal, isLoading: !refusal && !shown, isStale: view === null, again };
}

function currentOf({ data, isStale }: Answer<ResultOf<typeof Costs>>): CostsAnswer | null {
  return isStale ? null : (data?.costs ?? null);
}

interface Answers {
  readonly series: CostsAnswer;
  /** Answer of the table, or of the series if the rows are days. */
  readonly main: CostsAnswer;
  readonly before: CostsAnswer | null;
}

function viewOf(question: Question, { series, main, before }: Answers): CostsView {
  const { granularity, groups, sort } = question;
  const { currency, totalCost: total, unconverted, provisionalRates, missingBills, other, previous } = main;
  const [first] = groups;
  const chart = seriesChart(question, series);
  const bars =
    before && previous ? ghostOf(pointsOf(before), question.range, rangeOfPrevious(previous), granularity) : null;
  const colours = new Map(chart.series.map(({ key, colour }) => [key, colour]));
  const dimensions = groups.filter((one) => one !== undefined && one !== 'day');
  const isWhole = first === 'day' || other.count === 0;
  const rows = first === 'day' ? barRows(chart, total, bars?.values ?? null) : groupRows(main, dimensions, colours);
  return {
    question,
    currency,
    total,
    completeThrough: main.completeThrough,
    lastCompleteDay: main.lastCompleteDay,
    dataFrom: main.dataFrom,
    unconverted,
    provisionalRates,
    missingBills,
    before: previous && bars && { range: rangeOfPrevious(previous), total: previous.totalCost, bars },
    unknownChange: unknownChange(main),
    rows: isWhole ? sorted(rows, sort) : rows,
    isWhole,
    other: isWhole
      ? null
      : { count: other.count, cost: other.cost, before: other.previousCost ?? 0, ...sharesOf([other]) },
    shares: question.includesShared ? sharesOf([...main.rows, other]) : null,
    skippedSplits: main.skippedSplits,
    chart,
  };
}

function sharesOf(parts: readonly Pick<CostsAnswer['other'], 'directCost' | 'sharedCost'>[]): Shares {
  return {
    direct: sumOf(parts.map(({ directCost }) => directCost ?? 0)),
    shared: sumOf(parts.map(({ sharedCost }) => sharedCost ?? 0)),
  };
}

function rangeOfPrevious({ startDate, endDate }: NonNullable<CostsAnswer['previous']>): DayRange {
  return { from: startDate, to: endDate };
}

/** Returns the last non-null value. */
function useLast<Value>(value: Value | null): Value | null {
  const [last, keep] = useState(value);
  if (value !== null && value !== last) keep(value);
  return value ?? last;
}

/** Returns a stable function that refetches all answers. */
function useAskAll(answers: readonly Answer<unknown>[]): () => void {
  const latest = useRef(answers);
  useEffect(() => {
    latest.current = answers;
  });
  return useCallback(() => {
    for (const { again } of latest.current) again();
  }, []);
}

/** Removes the changes if the costs of the comparison period or of the range are incomplete, and the comparison if that period has
 *  no known costs. */
export function withoutUnknown(view: CostsView): CostsView {
  const { before } = view;
  if (before === null || view.unknownChange === null) return view;
  if (before.total !== 0) return { ...view, rows: view.rows.map(withoutChange) };
  const unknown = { before: null, change: null, changePercent: null };
  return { ...view, rows: view.rows.map((row) => ({ ...row, ...unknown })), before: null };
}
