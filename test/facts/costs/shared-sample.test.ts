import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { performSync } from '../../../src/ingest/sync/perform.ts';
import { firstDay, lastDay, monthOf, type Day } from '../../../src/kit/time/period.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { readCsv } from '../../support/rfc4180.ts';
import { worldOfFile } from '../../support/world.ts';
import { micros, rounded } from './oracle.ts';

// A real bill, kept next to the repository. Without it these tests are skipped.
const shared = path.resolve(import.meta.dirname, '../../../../shared/data');
const file = path.join(shared, 'focus-sample/focus_sample_1.0_1k.csv');
const isHere = existsSync(file);

type Metric = 'effective' | 'billed' | 'list' | 'contracted';

/** A line of the file, with field names of the responses. */
interface Line {
  readonly fields: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  /** In units of 10^-24. */
  readonly amounts: Readonly<Record<string, bigint>>;
}

const slugs: Record<string, string> = { AWS: 'aws', Microsoft: 'azure', Oracle: 'oracle' };

function lineOf(row: Record<string, string | null>): Line {
  const day = (row['ChargePeriodStart'] ?? '').slice(0, 10);
  const fields = {
    provider: slugs[row['ProviderName'] ?? ''] ?? '?',
    service: row['ServiceName'] ?? '?',
    region: row['RegionId'] ?? 'global',
    // Azure has a path here.
    sub_account_id: (row['SubAccountId'] ?? 'unassigned').replace('/subscriptions/', ''),
    charge_category: (row['ChargeCategory'] ?? '?').toLowerCase(),
    date: day,
    month: day.slice(0, 7),
  };
  return { fields, tags: JSON.parse(row['Tags'] ?? '{}'), amounts: costsOf(row, fields) };
}

/** The four costs. Missing ones are completed, and so are those of usage and purchases that Azure leaves at 0. */
function costsOf(
  row: Record<string, string | null>,
  { provider, charge_category: category }: Record<string, string>,
): Record<string, bigint> {
  const cost = (column: string) => amountOf(row[column] ?? '0');
  const isZeroMissing = provider === 'azure' && (category === 'usage' || category === 'purchase');
  const completed = (column: string, otherwise: bigint) =>
    row[column] === null || (isZeroMissing && cost(column) === 0n) ? otherwise : cost(column);
  const [billed, effective] = [cost('BilledCost'), cost('EffectiveCost')];
  const contracted = completed('ContractedCost', category === 'usage' ? effective : billed);
  return { billed, effective, contracted, list: completed('ListCost', contracted) };
}

/** The file has plain decimals. */
function amountOf(text: string): bigint {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(text) ?? [];
  return BigInt(`${sign}${whole}${part.padEnd(24, '0')}`);
}

const lines = isHere ? readCsv(readFileSync(file, 'utf8')).map(lineOf) : [];

interface Question {
  readonly days: readonly [Day, Day];
  readonly metric: Metric;
  /** Parameter values by name. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly cost: number;
}

interface Answer {
  readonly total_cost: number;
  readonly groups: readonly (Row & { sub_accounts: readonly Row[] })[];
  readonly periods: readonly Row[];
  readonly days: readonly (Row & { groups: readonly Row[] })[];
  readonly months: readonly (Row & { previous_cost: number })[];
}

/** An endpoint, its rows, and the key of a row: fields of the row, paired with the field of the line if the names
 *  differ. */
interface View {
  readonly path: string;
  readonly rows: (answer: Answer) => readonly Row[];
  readonly of: readonly (string | readonly [string, string])[];
  /** True if gaps are shown as 0. */
  readonly isFilled?: boolean;
}

const dayGroups = ({ days }: Answer) => days.flatMap((day) => day.groups.map((row) => ({ ...row, date: day.date })));
const subAccounts = ({ groups }: Answer) =>
  groups.flatMap((group) => group.sub_accounts.map((row) => ({ ...group, ...row })));

const views: readonly View[] = [
  { path: 'summary?', rows: ({ periods }) => periods, of: [['period_start', 'month']], isFilled: true },
  {
    path: 'summary?granularity=daily',
    rows: ({ periods }) => periods,
    of: [['period_start', 'date']],
    isFilled: true,
  },
  { path: 'by-service?', rows: ({ groups }) => groups, of: ['service', 'provider'] },
  { path: 'by-account?', rows: ({ groups }) => groups, of: ['provider'] },
  { path: 'by-account?', rows: subAccounts, of: ['provider', 'sub_account_id'] },
  { path: 'by-region?', rows: ({ groups }) => groups, of: ['region', 'provider'] },
  { path: 'daily?', rows: ({ days }) => days, of: ['date'], isFilled: true },
  { path: 'daily?group_by=service', rows: dayGroups, of: ['date', 'service', 'provider'] },
  { path: 'daily?group_by=account', rows: dayGroups, of: ['date', 'provider'] },
  { path: 'daily?group_by=region', rows: dayGroups, of: ['date', 'region', 'provider'] },
  { path: 'daily?group_by=provider', rows: dayGroups, of: ['date', 'provider'] },
  { path: 'trend?', rows: ({ months }) => months, of: ['month'], isFilled: true },
];

const ranges: readonly (readonly [Day, Day])[] = [
  ['2024-09-01', '2024-09-30'],
  ['2024-08-15', '2024-10-20'],
  ['2024-09-07', '2024-09-23'],
  ['2024-09-30', '2024-09-30'],
  ['2023-01-31', '2023-02-01'],
];

/** Filters of one parameter each: every value of the short lists, some of the long ones, and values without charges. */
const singles: readonly Question['filters'][] = [
  ...['provider', 'charge_category', 'service', 'region', 'sub_account_id'].flatMap((name) => [
    ...someOf(lines.map((line) => line.fields[name] ?? '')).map((value) => ({ [name]: [value] })),
    ...(name === 'charge_category' ? [{ [name]: ['tax'] }] : [{ [name]: ['nothing'] }]),
  ]),
  ...['application', 'Environment', 'BUSINESS_UNIT', 'org', ' org', 'nothing'].flatMap((key): Question['filters'][] => [
    { tag_key: [key] },
    { tag_key: [key], untagged: ['true'] },
    ...someOf(lines.flatMap((line) => line.tags[key.toLowerCase()] ?? [])).map((value) => ({
      tag_key: [key],
      tag_value: [value],
    })),
  ]),
];

function someOf(values: readonly string[]): string[] {
  const sorted = [...new Set(values)].toSorted();
  return sorted.filter((_, index) => index % Math.ceil(sorted.length / 4) === 0);
}

/** Two or three filters, merged: a repeated parameter has the values of all of them. */
function merged(filters: readonly Question['filters'][]): Question['filters'] {
  const tagged = filters.find((each) => each['tag_key'] !== undefined);
  const result: Record<string, readonly string[]> = { ...tagged };
  for (const filter of filters.filter((each) => each['tag_key'] === undefined)) {
    for (const [name, values] of Object.entries(filter)) result[name] = [...(result[name] ?? []), ...values];
  }
  return result;
}

function questionsOf(filters: readonly Question['filters'][]): Question[] {
  const names: readonly Metric[] = ['effective', 'billed', 'list', 'contracted'];
  const all = filters.map((each, index) => ({ filters: each, days: nth(ranges, index), metric: nth(names, index) }));
  const unfiltered = ranges.flatMap((days) => names.map((metric) => ({ filters: {}, days, metric })));
  return [...unfiltered, ...all];
}

function nth<Value>(values: readonly Value[], index: number): Value {
  const [value] = values.slice(index % values.length);
  if (value === undefined) throw new Error('There is none');
  return value;
}

const questions = isHere
  ? questionsOf([
      ...singles,
      ...fc
        .sample(fc.array(fc.constantFrom(...singles), { minLength: 2, maxLength: 3 }), { seed: 9, numRuns: 40 })
        .map(merged),
    ])
  : [];

function matches(line: Line, { filters }: Question, isByTag: boolean): boolean {
  const { tag_key: keys, tag_value: values, untagged, ...others } = filters;
  const isOfFields = Object.entries(others).every(([name, wanted]) => wanted.includes(line.fields[name] ?? ''));
  if (!isOfFields || keys === undefined) return isOfFields;
  const tag = line.tags[(keys[0] ?? '').toLowerCase()];
  if (untagged) return tag === undefined;
  return values ? tag !== undefined && values.includes(tag) : isByTag || tag !== undefined;
}

/** Sums of the lines between two days by `keyOf`. */
function sumsOf(
  question: Question,
  [first, last]: readonly [Day, Day],
  keyOf: (line: Line) => string,
  isByTag: boolean,
) {
  const sums = new Map<string, bigint>();
  for (const line of lines) {
    const day = line.fields['date'] ?? '';
    if (day < first || day > last || !matches(line, question, isByTag)) continue;
    sums.set(keyOf(line), (sums.get(keyOf(line)) ?? 0n) + (line.amounts[question.metric] ?? 0n));
  }
  return sums;
}

function total(amounts: Iterable<bigint>): bigint {
  return [...amounts].reduce((sum, each) => sum + each, 0n);
}

function expectRows(
  answer: Answer,
  shown: readonly (readonly [string, number])[],
  sums: Map<string, bigint>,
  isFilled = false,
) {
  expect(micros(answer.total_cost)).toBe(rounded(total(sums.values())));
  expect(total(shown.map(([, cost]) => micros(cost)))).toBe(micros(answer.total_cost));
  const keys = shown.map(([key]) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => isFilled || sums.has(key)).length).toBe(keys.length);
  expect([...sums.keys()].filter((key) => !keys.includes(key))).toEqual([]);
  for (const [key, cost] of shown) {
    const off = micros(cost) * 10n ** 18n - (sums.get(key) ?? 0n);
    expect(off > -(10n ** 18n) && off < 10n ** 18n, `${key} is ${cost}`).toBe(true);
  }
}

function keyOfRow(row: Row, { of }: View): string {
  return JSON.stringify(
    of.map((field) =>
      typeof field === 'string' ? row[field] : String(row[field[0]]).slice(0, field[1] === 'month' ? 7 : 10),
    ),
  );
}

function keyOfLine({ fields }: Line, { of }: View): string {
  return JSON.stringify(of.map((field) => fields[typeof field === 'string' ? field : field[1]]));
}

function searchOf({ days, metric, filters }: Question): string {
  const search = new URLSearchParams({ start_date: days[0], end_date: days[1], cost_metric: metric });
  for (const [name, values] of Object.entries(filters)) {
    for (const value of values) search.append(name, value.replaceAll(',', '\\,'));
  }
  return search.toString();
}

function wholeMonths([first, last]: readonly [Day, Day]): readonly [Day, Day] {
  return [firstDay(monthOf(first)), lastDay(monthOf(last))];
}

describe.skipIf(!isHere)('real bill of three providers (skipped without ../shared/data)', () => {
  const world = worldOfFile({ config: { focusRoot: shared } });
  let token = '';
  let accountId = '';

  beforeAll(async () => {
    ({ token } = await world().register());
    const settings = { path: 'focus-sample' };
    const connected = await world().rest<{ id: string }>('POST', '/accounts', {
      token,
      body: { name: 'Sample', provider: 'focus', settings },
    });
    accountId = connected.body.id;
    await sync();
  });

  async function sync() {
    const { body } = await world().rest<{ id: string }>('GET', '/org', { token });
    await performSync(world().deps, orgScope(body.id, null), accountId, new AbortController().signal);
  }

  async function ask(at: string): Promise<Answer> {
    const answer = await world().rest<Answer>('GET', `/costs/${at}`, { token });
    expect(answer.status, `${at}: ${answer.text}`).toBe(200);
    return answer.body;
  }

  it.each(views)('matches the sums of its text for every filter in /costs/$path by $of', async (view) => {
    for (const question of questions) {
      const answer = await ask(`${view.path}&${searchOf(question)}`);
      const days = view.path === 'trend?' ? wholeMonths(question.days) : question.days;
      const sums = sumsOf(question, days, (line) => keyOfLine(line, view), false);
      const shown = view.rows(answer).map((row) => [keyOfRow(row, view), row.cost] as const);
      expectRows(answer, shown, sums, view.isFilled);
    }
  });

  it.each(['application', 'ENVIRONMENT', 'business_unit', 'org', ' org', 'nothing'])(
    'matches the sums of its text in /costs/by-tag by "%s"',
    async (key) => {
      const others = questions.filter(({ filters }) => (filters['tag_key']?.[0] ?? key) === key);
      for (const question of others) {
        const asked = { ...question, filters: { ...question.filters, tag_key: [key] } };
        const answer = await ask(`by-tag?${searchOf(asked)}`);
        const keyOf = ({ tags }: Line) => JSON.stringify(tags[key.toLowerCase()] ?? null);
        const shown = answer.groups.map((row) => [JSON.stringify(row['tag_value']), row.cost] as const);
        expectRows(answer, shown, sumsOf(asked, question.days, keyOf, true));
      }
    },
  );

  it('compares each month of a trend with the previous one, even outside of the range', async () => {
    for (const question of questions) {
      const { months } = await ask(`trend?${searchOf({ ...question, days: ['2024-10-05', '2024-10-06'] })}`);
      const before = sumsOf(question, ['2024-09-01', '2024-09-30'], () => '', false);
      expect(months.map((month) => micros(month.previous_cost))).toEqual([rounded(total(before.values()))]);
    }
  });

  it('can be filtered by account, and another account has no costs', async () => {
    const days = 'start_date=2024-09-01&end_date=2024-09-30';
    const whole = await ask(`by-service?${days}`);
    expect(await ask(`by-service?${days}&account_id=${accountId}`)).toEqual(whole);
    expect(await ask(`by-service?${days}&account_id=${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`)).toMatchObject({
      total_cost: 0,
      groups: [],
    });
  });

  it('has the same costs and ETags after a second sync', async () => {
    const at = '/costs/by-service?start_date=2024-09-01&end_date=2024-09-30';
    const first = await world().rest('GET', at, { token });
    await sync();
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await world().rest('GET', at, { token, headers })).status).toBe(304);
  });
});
