import { faultOf, type DayRange } from '../parts/day-range.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { addDays } from '../words/days.ts';
import {
  granularities,
  groupings,
  metrics,
  type CostsQuestion,
  type Granularity,
  type Grouping,
  type Metric,
} from './address.ts';

/** FOCUS ChargeCategory, as the API spells it. */
export const categories = ['USAGE', 'PURCHASE', 'TAX', 'CREDIT', 'ADJUSTMENT'] as const;
export type Category = (typeof categories)[number];

/** Which charges count. Empty lists do not filter. */
export interface Filters {
  readonly account: readonly string[];
  readonly subAccount: readonly string[];
  readonly provider: readonly string[];
  readonly service: readonly string[];
  readonly region: readonly string[];
  readonly category: readonly Category[];
  readonly tagKey: string | null;
  readonly tagValue: readonly string[];
  readonly untagged: boolean;
}

/** What the explorer is asked. */
export interface Question {
  readonly range: DayRange;
  readonly granularity: Granularity;
  readonly group: Grouping;
  readonly metric: Metric;
  readonly filters: Filters;
  /** Beside the period before. */
  readonly compare: boolean;
}

/** What an address asks that cannot be answered: in words, and the key that asks it. */
export interface Fault {
  readonly text: string;
  readonly keys: readonly (keyof CostsQuestion)[];
}

/** Keys of the address that filter by a list of values. */
export const listKeys = ['account', 'subAccount', 'provider', 'service', 'region', 'category'] as const;
/** Keys of the address that filter. */
export const filterKeys = [...listKeys, 'tagKey', 'tagValue', 'untagged'] as const;

/** The days of the address. What is missing follows from the other, or from the last day that bills are complete for. */
export function rangeOf(state: UrlState, lastDay: string): DayRange {
  const to = state.one('to') ?? lastDay;
  const from = state.one('from');
  // Of a broken last day no first one follows: both are shown as the fault that they are.
  return { from: from ?? (faultOf({ from: to, to }) ? to : addDays(to, -29)), to };
}

/** Reads the address.
 *  @param lastDay where the range ends when the address does not say */
export function questionOf(state: UrlState, lastDay: string): Question {
  return {
    range: rangeOf(state, lastDay),
    granularity: oneOf(granularities, state.one('granularity')) ?? 'daily',
    group: oneOf(groupings, state.one('group')) ?? 'service',
    metric: oneOf(metrics, state.one('metric')) ?? 'effective',
    filters: {
      account: state.all('account'),
      subAccount: state.all('subAccount'),
      provider: state.all('provider'),
      service: state.all('service'),
      region: state.all('region'),
      category: categories.filter((one) => state.all('category').some((value) => value.toUpperCase() === one)),
      tagKey: state.one('tagKey'),
      tagValue: state.all('tagValue'),
      untagged: state.one('untagged') === 'true',
    },
    compare: state.one('compare') !== 'none',
  };
}

/** What keeps the address from being asked; nothing for every address that the console makes. */
export function faultsOf(state: UrlState, range: DayRange): Fault[] {
  const faults: Fault[] = [];
  const days = faultOf(range) ?? strangeDays(range);
  if (days) faults.push({ text: `The days ${range.from} to ${range.to}: ${lowerFirst(days)}.`, keys: ['from', 'to'] });
  const choices = [
    ['granularity', granularities, state.all('granularity')],
    ['group', groupings, state.all('group')],
    ['metric', metrics, state.all('metric')],
    ['category', lower(categories), lower(state.all('category'))],
  ] as const;
  for (const [key, known, asked] of choices) {
    const wrong = asked.find((value) => oneOf<string>(known, value) === null);
    if (wrong !== undefined) faults.push({ text: `${key}=${wrong} is none of ${known.join(', ')}.`, keys: [key] });
  }
  const needsKey = state.has('tagValue') || state.one('untagged') === 'true';
  if (needsKey && !state.has('tagKey'))
    faults.push({ text: 'Tag values are asked for without a tag key.', keys: ['tagValue', 'untagged'] });
  if (state.has('tagValue') && state.one('untagged') === 'true')
    faults.push({ text: 'Charges without a tag cannot have a value of it.', keys: ['tagValue', 'untagged'] });
  return faults;
}

/** No bill is as old as the first, and arithmetic ends with the calendar of four digits. */
function strangeDays({ from, to }: DayRange): string | null {
  return from < '2000-01-01' || to > '2099-12-31' ? 'Bills are of the years 2000 to 2099' : null;
}

function oneOf<Value extends string>(known: readonly Value[], value: string | null): Value | null {
  return known.find((one) => one === value) ?? null;
}

function lower(texts: readonly string[]): string[] {
  return texts.map((text) => text.toLowerCase());
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
