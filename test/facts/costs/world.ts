import type { CostMetric } from '../../../src/facts/costs/query.ts';
import type { ChargeCategory } from '../../../src/facts/costs/question.ts';
import type { DayRange } from '../../../src/kit/time/period.ts';
import { addDays, addMonths, monthOf } from '../../../src/kit/time/period.ts';
import type { CubeAccount, CubeWorld, LineItem } from '../../support/cube.ts';

/** Account ids, in the order of their use below. */
export const accountIds = [
  '01890000-0000-7000-8000-00000000000a',
  '01890000-0000-7000-8000-00000000000b',
  '01890000-0000-7000-8000-00000000000c',
] as const;

const pick = {
  provider: ['aws', 'azure', 'oracle'],
  service: ['Compute', 'Storage', "O'Reilly, \\ Training"],
  region: ['global', 'us-east-1', 'westeurope'],
  subAccount: ['111', '222'],
  team: ['red', 'blue', '', 'ünï/"q"'],
  category: ['usage', 'usage', 'purchase', 'tax', 'credit', 'adjustment'],
  currency: ['USD', 'USD', 'EUR', 'JPY'],
} as const;

/** All values for filters, each with one that matches nothing. */
export const values = {
  provider: [...pick.provider, 'nobody'],
  service: [...pick.service, 'compute'],
  region: [...pick.region, 'nowhere'],
  subAccount: [...pick.subAccount, '333'],
  tagValue: [...pick.team, 'green', 'a\0b'],
};

/** The days on which the world has charges. */
export const worldRange = { start: '2024-01-20', end: '2024-05-12' } satisfies DayRange;

const allAccounts: readonly CubeAccount[] = [
  { id: accountIds[0], name: 'One', completeThrough: '2024-05-10' },
  { id: accountIds[1], name: 'Two', completeThrough: '2024-05-09' },
  { id: accountIds[2], name: 'Three', completeThrough: null, status: 'disconnected' },
];

/** Three accounts, four months, three currencies: deterministic, with credits, a tag key in two spellings, a key
 *  without rollups in one month, charges on the bill of another month, and months without an exchange rate before and after the
 *  first one. */
export function aWorld(organizationId: string, ids: readonly string[] = accountIds): CubeWorld {
  const random = generator(7);
  const oneOf = <Value>(from: readonly Value[]): Value => {
    const [found] = from.slice(Math.floor(random() * from.length));
    if (found === undefined) throw new Error('Nothing to choose from');
    return found;
  };
  const lines = Array.from({ length: 700 }, () => aLine(oneOf, random));
  return {
    organizationId,
    currency: 'USD',
    accounts: allAccounts.filter((account) => ids.includes(account.id)),
    lines: lines.filter((line) => ids.includes(line.account)),
    rates: [
      { month: '2024-02', from: 'EUR', to: 'USD', rate: 1_081_234_567_891n },
      { month: '2024-03', from: 'EUR', to: 'USD', rate: 1_090_000_000_001n },
      { month: '2024-04', from: 'EUR', to: 'USD', rate: 1_070_000_000_000n },
      { month: '2024-03', from: 'JPY', to: 'USD', rate: 6_666_666_667n },
      { month: '2024-03', from: 'JPY', to: 'EUR', rate: 5_000_000_000n },
    ],
    identifiers: [
      { key: 'request', periods: ['2024-01', '2024-02', '2024-03', '2024-04', '2024-05'] },
      { key: 'stage', periods: ['2024-03'] },
    ],
  };
}

function aLine(oneOf: <Value>(from: readonly Value[]) => Value, random: () => number): LineItem {
  const date = addDays(worldRange.start, Math.floor(random() * 113));
  const provider = oneOf(pick.provider);
  const service = oneOf(pick.service);
  const category: ChargeCategory = oneOf(pick.category);
  const sign = category === 'credit' || random() < 0.05 ? -1n : 1n;
  const amount = () => sign * BigInt(Math.floor(random() * 10 ** 13));
  return {
    account: oneOf(accountIds),
    date,
    provider,
    service,
    category,
    // Some charges are on the bill of the month before or after.
    billingPeriod: random() < 0.1 ? addMonths(monthOf(date), random() < 0.5 ? -1 : 1) : monthOf(date),
    currency: oneOf(pick.currency),
    serviceCategory: service === 'Compute' && random() < 0.3 ? 'Other' : `Category of ${service}`,
    region: oneOf(pick.region),
    subAccount: oneOf(pick.subAccount),
    tags: {
      ...(random() < 0.6 && { [oneOf(['Team', 'team'])]: oneOf(pick.team) }),
      ...(random() < 0.4 && { stage: oneOf(['prod', 'test']) }),
      ...(random() < 0.2 && { request: String(Math.floor(random() * 1000)) }),
    },
    billed: random() < 0.2 ? 0n : amount(),
    effective: amount(),
    list: amount(),
    contracted: amount(),
  };
}

/** A small pseudorandom generator of numbers in [0, 1) (mulberry32), so that the world is the same in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The rate of a month, or the last one before it. */
function rateOf({ rates, currency }: CubeWorld, from: string, month: string): CubeWorld['rates'][number] | undefined {
  return rates
    .filter((each) => each.from === from && each.to === currency && each.month <= month)
    .toSorted((a, b) => (a.month < b.month ? -1 : 1))
    .at(-1);
}

/** The cost of a line in units of 10^-24 of the organization's currency; null without an exchange rate. */
export function convert(world: CubeWorld, line: LineItem, metric: CostMetric): bigint | null {
  if (line.currency === world.currency) return line[metric] * 10n ** 12n;
  const rate = rateOf(world, line.currency, monthOf(line.date));
  return rate === undefined ? null : line[metric] * rate.rate;
}

/** The value of a tag on a charge, ignoring the case of the key. */
export function tagOf(line: LineItem, key: string): string | null {
  const found = Object.entries(line.tags).find(([each]) => each.toLowerCase() === key.toLowerCase());
  return found?.[1] ?? null;
}
