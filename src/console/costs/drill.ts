import { useEffect } from 'react';
import { useAnswer } from '../api/use-api.ts';
import type { Changes, UrlState } from '../parts/list/url-state.ts';
import { type Dimension, type Grouping, isDimension, isPrefix } from './dimensions.ts';
import { Costs, countVariables } from './queries.ts';
import { type Filter, filterKey, type Question } from './question.ts';

/** Order in which row clicks drill down; `day` comes last. */
const chain = ['service', 'meter', 'resource'] as const satisfies readonly Dimension[];

/** Dimension that a drill-down can lead to. */
type Step = (typeof chain)[number];

/** Remaining steps: dimensions that no filter narrows to a single value. */
function openSteps(filters: readonly Filter[]): Step[] {
  return chain.filter((step) => !filters.some((filter) => filter.dimension === step && isNarrow(filter)));
}

function isNarrow({ isExcluded, values }: Filter): boolean {
  return !isExcluded && values.length === 1 && !isPrefix(values[0] ?? '');
}

/** Dimension value to filter by. */
export interface Narrowing {
  readonly dimension: Dimension;
  readonly value: string;
}

/** URL changes that filter by values and group by the next step. `drill` in the URL makes the page skip steps with a
 *  single value. */
export function drilled(state: UrlState, values: readonly Narrowing[], more: Changes = {}): Changes {
  const path = state.all('path').filter((one) => values.every(({ dimension }) => dimension !== one));
  return {
    ...Object.fromEntries(values.map(({ dimension, value }) => [dimension, value])),
    path: [...path, ...values.map(({ dimension }) => dimension)],
    ...grouped('service'),
    ...more,
    drill: 'true',
  };
}

/** URL changes that set a new grouping and reset sorting and search. */
export function grouped(first: Grouping, then: Dimension | null = null): Changes {
  const groups = then === null || then === first ? [first] : [first, then];
  return { group: groups.length === 1 && first === 'service' ? null : groups, sort: null, find: null, drill: null };
}

/** Drill-down level: its filter, and the query that leads back to it. */
export interface Crumb {
  readonly dimension: Dimension | null;
  readonly value: string | null;
  readonly search: string;
}

/** Breadcrumbs from all costs to the current level; empty without a drill-down. */
export function crumbsOf(state: UrlState, { filters }: Question): Crumb[] {
  const steps = state.all('path').flatMap((dimension) => {
    const filter = filters.find((one) => one.dimension === dimension && isNarrow(one));
    return isDimension(dimension) && filter ? [{ dimension, value: filter.values[0] ?? '' }] : [];
  });
  if (steps.length === 0) return [];
  const searchAt = (depth: number): string => {
    const left = steps.slice(depth);
    const off = left.map(({ dimension }) => [filterKey({ dimension, isExcluded: false }), null] as const);
    const [next] = left;
    const path = steps.slice(0, depth).map(({ dimension }) => dimension);
    return state.with({ ...Object.fromEntries(off), path, ...(next && grouped(next.dimension)) });
  };
  return [
    { dimension: null, value: null, search: searchAt(0) },
    ...steps.map((step, index) => ({ ...step, search: searchAt(index + 1) })),
  ];
}

/** Completes a drill-down: groups by the first remaining step with more than one value, else by day.
 *  @returns whether the step is still being determined */
export function useDrill(state: UrlState, question: Question): boolean {
  const isAsked = state.one('drill') === 'true';
  const steps = openSteps(question.filters);
  const answers = chain.map((step) =>
    useAnswer(Costs, countVariables(question, step), { pause: !isAsked || !steps.includes(step) }),
  );
  const target = targetOf();

  function targetOf(): Grouping | null {
    const [first = 'day'] = steps;
    // If the counts cannot be loaded, go to the first step, which shows the error itself.
    if (first === 'day' || answers.some(({ refusal }) => refusal)) return first;
    const open = steps.map((step) => ({ step, ...answers[chain.indexOf(step)] }));
    if (open.some(({ data, isStale }) => !data || isStale)) return null;
    return open.find(({ data }) => (data?.costs?.rowCount ?? 0) > 1)?.step ?? 'day';
  }

  useEffect(() => {
    if (isAsked && target !== null) state.set(grouped(target), { replace: true });
  }, [isAsked, target, state]);
  return isAsked;
}
