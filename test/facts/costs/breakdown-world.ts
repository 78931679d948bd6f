// Queries over any dimensions, and their expected results: sums of the line items, calculated without the code under
// test.
import fc from 'fast-check';
import type {
  BreakdownArgs,
  Comparison,
  FilterInput,
  DimensionInput,
} from '../../../src/facts/costs/breakdown/question.ts';
import type { Day, DayRange } from '../../../src/kit/time/period.ts';
import { addDays, daysBetween } from '../../../src/kit/time/period.ts';
import { type CubeWorld, type LineItem, payerOf } from '../../support/cube.ts';
import { aWorld, accountIds, convert, tagOf, values, worldRange } from './world.ts';

/** The world of `world.ts`, with resources, meters and commitments. */
export function aDetailedWorld(organizationId: string, ids: readonly string[] = accountIds): CubeWorld {
  // Details are chosen before lines are left out, so that a smaller world has the same lines.
  const all = aWorld(organizationId);
  const lines = all.lines.map((line, index): LineItem => {
    const number = (index * 7919) % 23;
    const resource = number < 4 ? null : `${line.provider}/vm-${number % 11}`;
    const commitment = number % 5 === 0 ? { commitment: `plan-${number % 2}` } : {};
    return {
      ...line,
      resource,
      workload: resource !== null && number % 2 === 0 ? `pod-${number % 7}` : null,
      container:
        number % 2 === 0
          ? null
          : [`cluster ${number % 3}`, number < 5 ? '(unused)' : 'web', number < 9 ? null : 'shop'],
      ...(number % 3 === 0 ? {} : { meter: `${line.service} ${number % 4}` }),
      ...commitment,
    };
  });
  const world = aWorld(organizationId, ids);
  return { ...world, lines: lines.filter(({ account }) => ids.includes(account)) };
}

/** The value of a line for each dimension. */
export const valueOf: Readonly<Record<string, (line: LineItem) => string | null>> = {
  account: (line) => line.account,
  sub_account: (line) => line.subAccount,
  billing_account: payerOf,
  provider: (line) => line.provider,
  service: (line) => line.service,
  service_category: (line) => line.serviceCategory,
  region: (line) => line.region,
  availability_zone: () => null,
  resource: (line) => line.resource ?? null,
  allocated_resource: (line) => line.workload ?? null,
  cluster: (line) => line.container?.[0] ?? null,
  namespace: (line) => line.container?.[1] ?? null,
  workload: (line) => line.container?.[2] ?? null,
  sku: (line) => line.meter ?? null,
  meter: (line) => line.meter ?? null,
  charge_category: (line) => line.category,
  commitment: (line) => line.commitment ?? null,
  'tag:team': (line) => tagOf(line, 'team'),
  'tag:STAGE': (line) => tagOf(line, 'stage'),
  'tag:user:request': (line) => tagOf(line, 'request'),
  'tag:nothing': () => null,
};

const some: Readonly<Record<string, readonly (string | null)[]>> = {
  account: [...accountIds, 'no-such-account'],
  sub_account: [...values.subAccount, '1*'],
  billing_account: ['payer at aws', 'payer*', 'payer'],
  provider: [...values.provider, 'a*'],
  service: [...values.service, 'S*', "O'Reilly*"],
  service_category: ['Other', 'Category of Compute', 'Category*'],
  region: [...values.region, 'us-*', 'w*', 'global'],
  availability_zone: ['a', null],
  resource: ['aws/vm-1', 'aws/vm-2', 'azure/*', 'aws/vm-1*', null],
  allocated_resource: ['pod-1', 'pod*', null],
  cluster: ['cluster 1', 'cluster*', null],
  namespace: ['web', '(unused)', '(*', null],
  workload: ['shop', null],
  sku: ['Compute 1', 'Storage*', null],
  meter: ['Compute 1', 'Storage 2', 'Storage*', null, 'nothing'],
  charge_category: ['usage', 'tax', 'c*', 'adjustment'],
  commitment: ['plan-1', 'plan*', null],
  'tag:team': ['red', 'blue', '', 'ünï/"q"', 'b*', 'green', null],
  'tag:STAGE': ['prod', 'te*', null],
  'tag:user:request': ['1*', '17', null],
  'tag:nothing': ['x', null],
};

const names = Object.keys(valueOf);

/** A dimension as a GraphQL input. */
export function inputOf(name: string): DimensionInput {
  return name.startsWith('tag:') ? { tag: name.slice(4) } : ({ dimension: name } as DimensionInput);
}

const aFilter = fc.constantFrom(...names).chain((name) =>
  fc.record({
    name: fc.constant(name),
    values: fc.option(fc.uniqueArray(fc.constantFrom(...(some[name] ?? [])), { minLength: 1, maxLength: 3 }), {
      freq: 8,
    }),
  }),
);

const day = fc
  .integer({ min: 0, max: daysBetween(worldRange.start, '2024-05-11') })
  .map((n) => addDays(worldRange.start, n));

/** Any days, often whole months. */
const days = fc.oneof(
  fc.tuple(day, day).map((pair) => pair.sort()),
  fc.constantFrom<Day[][]>(['2024-02-01', '2024-03-31'], ['2024-03-01', '2024-03-31'], ['2024-02-10', '2024-04-30']),
);

/** Any query. */
export const anyQuestion = fc.record({
  days,
  groupBy: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
  include: fc.uniqueArray(aFilter, { maxLength: 2, selector: ({ name }) => name }),
  exclude: fc.uniqueArray(aFilter, { maxLength: 2, selector: ({ name }) => name }),
  costMetric: fc.constantFrom('effective' as const, 'billed' as const, 'list' as const, 'contracted' as const),
  granularity: fc.constantFrom('none' as const, 'none' as const, 'daily' as const, 'monthly' as const),
  compare: fc.constantFrom<Comparison[]>('none', 'none', 'previous_period', 'previous_month', 'previous_year'),
  sortBy: fc.constantFrom('cost', '-cost', '-change', 'change', 'name', '-name', null),
  limit: fc.constantFrom(1, 3, 50, 1000),
});

export type AnyQuestion = typeof anyQuestion extends fc.Arbitrary<infer Question> ? Question : never;

/** The arguments of a query. Avoids comparing long ranges with the previous month, and sorting by change without a
 *  comparison. */
export function argsOf(question: AnyQuestion): BreakdownArgs {
  const inputs = (filters: AnyQuestion['include']): FilterInput[] =>
    filters.map(({ name, values: wanted }) => ({ ...inputOf(name), ...(wanted && { values: wanted }) }));
  const isLong = daysBetween(question.days[0] as Day, question.days[1] as Day) > 26;
  const compare = question.compare === 'previous_month' && isLong ? 'previous_period' : question.compare;
  const sortBy = compare === 'none' && /change/.test(question.sortBy ?? '') ? null : question.sortBy;
  return {
    startDate: question.days[0] ?? null,
    endDate: question.days[1] ?? null,
    groupBy: question.groupBy.map(inputOf),
    filters: { include: inputs(question.include), exclude: inputs(question.exclude) },
    costMetric: question.costMetric,
    granularity: question.granularity,
    compare,
    sortBy,
    limit: question.limit,
  };
}

function isSelected(line: LineItem, { name, values: wanted }: AnyQuestion['include'][number]): boolean {
  const value = valueOf[name]?.(line) ?? null;
  if (wanted === null) return value !== null;
  return wanted.some((each) =>
    each?.endsWith('*') ? value !== null && value.startsWith(each.slice(0, -1)) : each === value,
  );
}

/** Sums of a range by group, and by group and date. */
export function sumsOf(world: CubeWorld, question: AnyQuestion, range: DayRange, seen: readonly string[]) {
  const groups = new Map<string, bigint>();
  const dated = new Map<string, bigint>();
  const unconverted = new Map<string, bigint>();
  const add = (sums: Map<string, bigint>, key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount);
  for (const line of world.lines) {
    if (!seen.includes(line.account) || line.date < range.start || line.date >= range.end) continue;
    if (!question.include.every((filter) => isSelected(line, filter))) continue;
    if (question.exclude.some((filter) => isSelected(line, filter))) continue;
    const cost = convert(world, line, question.costMetric);
    const key = JSON.stringify(question.groupBy.map((name) => valueOf[name]?.(line) ?? null));
    if (cost === null) add(unconverted, line.currency, line[question.costMetric] * 10n ** 12n);
    else {
      add(groups, key, cost);
      add(dated, `${key} ${question.granularity === 'monthly' ? line.date.slice(0, 7) : line.date}`, cost);
    }
  }
  return { groups, dated, unconverted };
}
