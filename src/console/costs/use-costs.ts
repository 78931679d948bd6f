import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useAnswer, type Answer } from '../api/use-answer.ts';
import type { DayRange } from '../parts/day-range.tsx';
import { providerName } from '../words/names.ts';
import { groupsOf, type CostsAnswer, type Group } from './groups.ts';
import { previousOf } from './period.ts';
import { Costs, variablesOf } from './queries.ts';
import type { Question } from './question.ts';
import { rowsOf, type Row } from './rows.ts';
import { chartOf, ghostOf, type Chart, type Part } from './stacks.ts';
import { partsOf, useSplit } from './use-split.ts';

/** A question with everything that the page shows of its answer. */
export interface CostsView {
  readonly question: Question;
  readonly currency: string;
  /** The API's total of the range. */
  readonly total: number;
  readonly completeThrough: string | null;
  readonly unconverted: readonly { readonly currency: string; readonly cost: number }[];
  /** What it is compared with, if it is. */
  readonly before: {
    readonly range: DayRange;
    readonly total: number;
    readonly bars: readonly (number | null)[];
  } | null;
  readonly rows: readonly Row[];
  readonly chart: Chart;
}

/** Asks a question about costs. While a newer one is on its way the last view stays whole: never a chart of one question
 *  above the table of another. */
export function useCosts(question: Question): Answer<CostsView> {
  const earlier = useMemo(() => previousOf(question.range), [question]);
  const now = useAnswer(Costs, variablesOf(question, question.range));
  const before = useAnswer(Costs, variablesOf(question, earlier), { pause: !question.compare });
  const answer = now.isStale ? null : now.data;
  const beforeAnswer = question.compare && !before.isStale ? before.data : null;
  const groups = useMemo(() => (answer ? groupsOf(answer, question.group) : []), [answer, question.group]);
  const split = useSplit(question, answer, groups);
  const answers = [now, ...(question.compare ? [before] : []), ...split.answers];
  const parts = answers.some((one) => one.isStale) ? null : split.parts;
  const view = useMemo(() => {
    if (!answer || !parts || (question.compare && !beforeAnswer)) return null;
    return viewOf(question, { answer, groups, before: beforeAnswer, parts });
  }, [question, answer, groups, beforeAnswer, parts]);
  const shown = useLast(view);
  const refusal = answers.find((one) => one.refusal)?.refusal ?? null;
  const again = useAskAll(answers);
  return { data: refusal ? null : shown, refusal, isLoading: !refusal && !shown, isStale: view === null, again };
}

interface Answers {
  readonly answer: CostsAnswer;
  readonly groups: readonly Group[];
  readonly before: CostsAnswer | null;
  readonly parts: readonly Part[];
}

function viewOf(question: Question, { answer, groups, before, parts }: Answers): CostsView | null {
  const { daily } = answer;
  if (!daily) return null;
  const { range, granularity, group } = question;
  const rows = rowsOf(groups, before && groupsOf(before, group));
  const { completeThrough } = daily;
  const hasOthers = rows.filter(({ cost }) => cost !== 0).length > partsOf(question);
  const told = parts.map((part, index) => ({ ...part, name: rows[index] ? labelOf(rows[index]) : part.name }));
  const chart = chartOf({ range, granularity, total: daily.days, parts: told, hasOthers, completeThrough });
  const earlier = previousOf(range);
  return {
    question,
    currency: daily.currency,
    total: daily.totalCost,
    completeThrough,
    unconverted: daily.unconverted,
    before: before?.daily
      ? {
          range: earlier,
          total: before.daily.totalCost,
          bars: ghostOf(before.daily.days, earlier, granularity, chart.stacks.length),
        }
      : null,
    rows,
    chart,
  };
}

/** A name that no other group of the chart has. */
function labelOf({ name, provider, isShared }: Row): string {
  return isShared && provider !== null ? `${name} (${providerName(provider)})` : name;
}

/** The last value that was there. */
function useLast<Value>(value: Value | null): Value | null {
  const [last, keep] = useState(value);
  if (value !== null && value !== last) keep(value);
  return value ?? last;
}

/** Asks all of them again; the same function at each render. */
function useAskAll(answers: readonly Answer<unknown>[]): () => void {
  const latest = useRef(answers);
  useEffect(() => {
    latest.current = answers;
  });
  return useCallback(() => {
    for (const { again } of latest.current) again();
  }, []);
}
