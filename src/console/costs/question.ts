import { dayFaults, type Fault } from '../parts/address-faults.ts';
import { faultOf, type DayRange } from '../parts/day-range.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { addDays } from '../words/days.ts';
import { granularities, groupings, metrics, type Granularity, type Grouping, type Metric } from './address.ts';

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
  const faults = dayFaults(range);
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

function oneOf<Value extends string>(known: readonly Value[], value: string | null): Value | null {
  return known.find((one) => one === value) ?? null;
}

function lower(texts: readonly string[]): string[] {
  return texts.map((text) => text.toLowerCase());
}
