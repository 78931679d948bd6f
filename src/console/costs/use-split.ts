import { useMemo, useState } from 'react';
import { coloured } from '../charts/colours.ts';
import { useAnswer, type Answer } from '../api/use-answer.ts';
import type { ResultOf } from '../api/graphql.ts';
import type { DayRange } from '../parts/day-range.tsx';
import { keyOf, type CostsAnswer, type Group } from './groups.ts';
import { argumentsOf, CostsSplit, OneValueDaily } from './queries.ts';
import type { Question } from './question.ts';
import type { DayCost, Part } from './stacks.ts';

/** Tag values that have a colour of their own: the API has no days by tag, so each is a question of its own. */
export const tagParts = 5;

/** How many groups are told apart in the chart. */
export function partsOf({ group }: Question): number {
  return group === 'tag' ? tagParts : coloured;
}

/** The largest groups, per day. */
export interface Split {
  /** Null while it is not there. */
  readonly parts: readonly Part[] | null;
  readonly answers: readonly Answer<unknown>[];
}

/** Asks for the days of the largest groups.
 *  @param answer of the same question; null while it is awaited */
export function useSplit(question: Question, answer: CostsAnswer | null, groups: readonly Group[]): Split {
  const { group, range } = question;
  const top = useMemo(() => groups.slice(0, partsOf(question)), [groups, question]);
  const waits = answer === null || top.length === 0;
  const tags = useTagSplit(question, waits || group !== 'tag' ? none : top);
  const needsDays = !waits && group !== 'tag' && group !== 'provider';
  const split = useAnswer(CostsSplit, splitVariables(question, range, top), { pause: !needsDays });
  const days = group === 'provider' ? answer?.daily?.days : split.data?.costsDaily?.days;
  const parts = useMemo(() => (days ? partsIn(days, top, group) : null), [days, top, group]);
  if (waits) return { parts: answer && none, answers: none };
  if (group === 'tag') return tags;
  return { parts, answers: needsDays ? [split] : none };
}

const none: readonly never[] = [];

const groupBys = {
  service: 'SERVICE',
  account: 'ACCOUNT',
  region: 'REGION',
  provider: 'PROVIDER',
  tag: 'PROVIDER',
} as const;

function splitVariables(question: Question, range: DayRange, top: readonly Group[]) {
  const { group } = question;
  const values = [...new Set(top.map(({ value }) => value ?? ''))];
  return {
    ...argumentsOf(question, range),
    ...(group === 'service' && { service: values }),
    ...(group === 'account' && { accountId: values }),
    ...(group === 'region' && { region: values }),
    groupBy: groupBys[group],
  };
}

type SplitDay = {
  readonly date: string;
  readonly groups?:
    NonNullable<ResultOf<typeof CostsSplit>['costsDaily']>['days'][number]['groups'] | readonly ProviderCost[];
};

interface ProviderCost {
  readonly provider: string | null;
  readonly cost: number;
}

/** The days of each group, out of days that are split. */
function partsIn(days: readonly SplitDay[], top: readonly Group[], group: Question['group']): Part[] {
  const byKey = new Map<string, DayCost[]>(top.map(({ key }) => [key, []]));
  for (const { date, groups } of days) {
    for (const one of groups ?? []) {
      byKey.get(keyOf(valueIn(one, group), one.provider))?.push({ date, cost: one.cost });
    }
  }
  return top.map(({ key, name }) => ({ key, name, days: byKey.get(key) ?? [] }));
}

function valueIn(
  one: ProviderCost & Partial<Record<'service' | 'accountId' | 'region', string | null>>,
  group: Question['group'],
) {
  if (group === 'service') return one.service ?? null;
  if (group === 'account') return one.accountId ?? null;
  return group === 'region' ? (one.region ?? null) : one.provider;
}

function useTagSplit(question: Question, top: readonly Group[]): Split {
  const [first, second, third, fourth, fifth] = top;
  const answers = [
    useValueDays(question, first),
    useValueDays(question, second),
    useValueDays(question, third),
    useValueDays(question, fourth),
    useValueDays(question, fifth),
  ].slice(0, top.length);
  const days = answers.map(({ data }) => data?.costsDaily?.days ?? null);
  const kept = useSame(days);
  const parts = useMemo(() => {
    const found = top.flatMap(({ key, name }, index) => {
      const list = kept[index];
      return list ? [{ key, name, days: list }] : [];
    });
    return found.length === top.length ? found : null;
  }, [top, kept]);
  return { parts, answers };
}

/** The same list as long as it holds the same. */
function useSame<Value>(values: readonly Value[]): readonly Value[] {
  const [kept, keep] = useState(values);
  const isSame = kept.length === values.length && values.every((value, index) => value === kept[index]);
  if (!isSame) keep(values);
  return isSame ? kept : values;
}

function useValueDays(question: Question, group: Group | undefined) {
  const value = group?.value ?? null;
  const which = value === null ? { tagValue: undefined, untagged: true } : { tagValue: [value], untagged: undefined };
  return useAnswer(
    OneValueDaily,
    { ...argumentsOf(question, question.range), ...which },
    { pause: group === undefined },
  );
}
