// Expected results: sums of the line items, calculated without the code under test.
import { expect } from 'vitest';
import type { CostAnswer } from '../../../src/facts/costs/graphql-types.ts';
import type { CostArgs } from '../../../src/facts/costs/question.ts';
import type { CubeWorld, LineItem } from '../../support/cube.ts';
import { convert, tagOf } from './world.ts';

function has<Value>(list: readonly Value[] | null | undefined, value: Value): boolean {
  return list === null || list === undefined || list.includes(value);
}

function matches(line: LineItem, args: CostArgs, isGroupedByTag: boolean): boolean {
  const isDated = line.date >= (args.startDate ?? '') && line.date <= (args.endDate ?? '');
  const tag = args.tagKey ? tagOf(line, args.tagKey) : null;
  const isTagged = args.untagged
    ? tag === null
    : args.tagValue
      ? tag !== null && args.tagValue.includes(tag)
      : tag !== null;
  return (
    isDated &&
    has(args.accountId, line.account) &&
    has(args.provider, line.provider) &&
    has(args.service, line.service) &&
    has(args.region, line.region) &&
    has(args.subAccountId, line.subAccount) &&
    has(args.chargeCategory, line.category) &&
    (!args.tagKey || (isGroupedByTag && !args.untagged && !args.tagValue) || isTagged)
  );
}

/** Sums of the matching lines by key; those without an exchange rate by currency. */
export function expected(
  world: CubeWorld,
  args: CostArgs,
  keyOf: (line: LineItem) => string | null,
  isGroupedByTag = false,
) {
  const groups = new Map<string | null, bigint>();
  const unconverted = new Map<string, bigint>();
  for (const line of world.lines.filter((each) => matches(each, args, isGroupedByTag))) {
    const metric = args.costMetric ?? 'effective';
    const cost = convert(world, line, metric);
    if (cost === null)
      unconverted.set(line.currency, (unconverted.get(line.currency) ?? 0n) + line[metric] * 10n ** 12n);
    else groups.set(keyOf(line), (groups.get(keyOf(line)) ?? 0n) + cost);
  }
  return { groups, unconverted, total: [...groups.values()].reduce((sum, cost) => sum + cost, 0n) };
}

/** Rounds units of 10^-24 to 10^-6, halves away from zero. */
export function rounded(amount: bigint): bigint {
  const half = 5n * 10n ** 17n;
  return (amount + (amount < 0n ? -half : half)) / 10n ** 18n;
}

/** A displayed cost in units of 10^-6. */
export function micros(cost: number): bigint {
  return BigInt(Math.round(cost * 1e6));
}

/** Checks the total, the unconverted costs, and the groups: the same keys, each exact to 10^-6, adding up to the
 *  total. */
export function check(
  answer: CostAnswer,
  shown: readonly { key: string | null; cost: number }[],
  sums: ReturnType<typeof expected>,
): void {
  expect(micros(answer.totalCost)).toBe(rounded(sums.total));
  const rateless = [...sums.unconverted].filter(([, cost]) => cost !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  expect(answer.unconverted.map((each) => [each.currency, micros(each.cost)])).toEqual(
    rateless.map(([currency, cost]) => [currency, rounded(cost)]),
  );
  expect(shown.reduce((sum, each) => sum + micros(each.cost), 0n)).toBe(micros(answer.totalCost));
  expect(new Set(shown.map((each) => each.key)).size).toBe(shown.length);
  for (const { key, cost } of shown) {
    const off = micros(cost) * 10n ** 18n - (sums.groups.get(key) ?? 0n);
    expect(off > -(10n ** 18n) && off < 10n ** 18n, `${key} is ${cost}`).toBe(true);
  }
}

/** Also checks that exactly these groups exist, the largest cost first. */
export function checkGroups(
  answer: CostAnswer,
  shown: readonly { key: string | null; cost: number }[],
  sums: ReturnType<typeof expected>,
) {
  check(answer, shown, sums);
  expect(new Set(shown.map((each) => each.key))).toEqual(new Set(sums.groups.keys()));
  const costs = shown.map((each) => each.cost);
  expect(costs).toEqual([...costs].sort((a, b) => b - a));
}
