import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it, vi } from 'vitest';
import { formatMoney } from '../../../../src/kit/text/format.ts';
import { anAccounting, type Accounting, type ErrorBody } from '../../../ingest/accounts/world.ts';
import { aLine } from '../../../support/focus.ts';
import { readCsv } from '../../../support/rfc4180.ts';
import { readPdf } from '../pdf/read.ts';
import type { ReportBody } from '../world.ts';

interface Table<Row> {
  readonly rows: readonly Row[];
}

interface Showback {
  readonly title: string;
  readonly notes: readonly string[];
  readonly tables: {
    readonly values: Table<Record<string, number | string | null>>;
    readonly months: Table<{ readonly value: string; readonly month: string; readonly cost: number }>;
    readonly services: Table<{ readonly value: string; readonly service: string; readonly cost: number }>;
  };
}

const may = { start_date: '2026-05-01', end_date: '2026-05-31' };
const line = (day: string, team: string | null, cost: string, more: Record<string, string> = {}) =>
  aLine({
    day,
    cost,
    ResourceId: `${team} ${cost}`,
    ...(team !== null && { Tags: JSON.stringify({ team }) }),
    ...more,
  });
const unused = {
  CommitmentDiscountId: 'sp-1',
  CommitmentDiscountStatus: 'Unused',
  CommitmentDiscountType: 'Savings Plan',
  CommitmentDiscountCategory: 'Spend',
  PricingCategory: 'Committed',
};

/** An organization whose April has 50 of web, and whose May has 40 of web plus 4 of tax, 20 of data less a credit of 5, 30 of
 *  platform, 12 of them unused commitments, and 10 without a team. Two thirds of platform go to web, one third to data. */
async function aBilled(more: readonly ReturnType<typeof line>[] = []): Promise<Accounting> {
  const world = await anAccounting();
  await world.put('teams/april.csv', [line('2026-04-01', 'web', '49'), line('2026-04-03', 'web', '1'), ...more]);
  await world.put('teams/may.csv', [
    line('2026-05-03', 'web', '40'),
    line('2026-05-03', 'web', '4', { ChargeCategory: 'Tax' }),
    line('2026-05-03', 'data', '20'),
    line('2026-05-03', 'data', '-5', { ChargeCategory: 'Credit' }),
    line('2026-05-03', 'platform', '18'),
    line('2026-05-03', 'platform', '12', unused),
    line('2026-05-04', null, '10'),
  ]);
  await world.work();
  const { id } = await world.connect('teams');
  await world.until(id, 'succeeded');
  const shares = [
    { value: 'web', percent: 66.6667 },
    { value: 'data', percent: 33.3333 },
  ];
  const made = await world.call('POST', '/virtual-tags', {
    name: 'Team',
    rules: [{ value_from: { dimension: 'tag:team' } }],
    splits: [
      { name: 'Platform', source_values: ['platform'], method: 'fixed', shares },
      { name: 'Rest', source_values: ['Unallocated'], method: 'even', targets: ['platform'] },
    ],
  });
  expect(made.status).toBe(201);
  return world;
}

async function fileOf({ call, url, token }: Accounting, body: object): Promise<{ bytes: Buffer; name: string }> {
  const made = await call<ReportBody>('POST', '/reports', { type: 'showback', email: false, ...may, ...body });
  expect(made.status, made.text).toBe(201);
  await vi.waitFor(async () => {
    const { body: report } = await call<ReportBody>('GET', `/reports/${made.body.id}`);
    expect([report.status, report.failure_reason]).toEqual(['ready', null]);
  }, 40_000);
  const answer = await fetch(`${url}/api/v1/reports/${made.body.id}/download`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return {
    bytes: Buffer.from(await answer.arrayBuffer()),
    name: /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? '',
  };
}

const team = { tag_key: 'virtual:team' };

const rounded = (value: string | number | null | undefined) => Math.round(Number(value) * 1e6) / 1e6;

describe('a showback', () => {
  it('has the direct and shared cost of each value, its parts, months and services, in every format', async () => {
    const world = await aBilled();
    const { bytes } = await fileOf(world, { format: 'json', filters: team });
    const { tables, title, notes } = JSON.parse(bytes.toString()) as Showback;
    expect([title, notes]).toEqual([
      'Showback',
      [
        expect.stringContaining('complete through May 4, 2026'),
        'Changes compare the complete days, May 1–4, 2026, with Apr 1–4, 2026.',
      ],
    ]);
    const of = (direct: number, shared: number, more: object = {}) => ({
      direct_cost: direct,
      shared_cost: shared,
      cost: rounded(direct + shared),
      credits: 0,
      tax: 0,
      unused_commitments: 0,
      previous_cost: 0,
      change_percent: null,
      ...more,
    });
    const web = { tax: 4, unused_commitments: 8.000004, previous_cost: 50, change_percent: 41.33 };
    const expected = [
      { value: 'web', ...of(44, 26.66668, web) },
      { value: 'data', ...of(15, 13.33332, { credits: -5, unused_commitments: 3.999996 }) },
      { value: 'Unallocated', ...of(10, -10) },
      { value: 'platform', ...of(30, -30) },
    ];
    expect(tables.values.rows).toEqual(expected);
    const months = tables.months.rows.filter(({ cost }) => cost !== 0);
    expect(months.map(({ value, month, cost }) => [value, month, cost])).toEqual([
      ['web', '2026-04', 50],
      ['web', '2026-05', 70.66668],
      ['data', '2026-05', 28.33332],
    ]);
    expect(rounded(tables.services.rows.reduce((sum, { cost }) => sum + cost, 0))).toBe(99);

    const csv = readCsv((await fileOf(world, { format: 'csv', filters: team })).bytes.toString());
    expect(csv.map((row) => [row['value'], Number(row['cost'])])).toEqual(expected.map((row) => [row.value, row.cost]));
    const workbook = await fileOf(world, { format: 'xlsx', filters: team });
    const { sheets } = await readXlsx(new Uint8Array(workbook.bytes));
    expect(sheets[0]?.rows.at(-1)?.slice(0, 8)).toEqual(['Total', 99, 0, 99, -5, 4, 12, 50]);
    const pdf = await fileOf(world, { format: 'pdf', filters: team });
    const texts = readPdf(pdf.bytes).flatMap(({ lines }) => lines.map(({ text }) => text));
    expect(texts).toEqual(expect.arrayContaining(['web', formatMoney(70.66668, 'USD'), formatMoney(99, 'USD')]));
    expect(pdf.name).toBe('showback-2026-05-01-2026-05-31.pdf');
  }, 180_000);

  it('has no percentages if costs of the period before have no exchange rate, and states these costs', async () => {
    const world = await aBilled([line('2026-04-03', 'web', '7', { BillingCurrency: 'EUR' })]);
    const { bytes } = await fileOf(world, { format: 'json', filters: team });
    const { tables, notes } = JSON.parse(bytes.toString()) as Showback;
    expect(notes).toContain(
      '€7.00 of Apr 1–4, 2026 is excluded, because EUR has no exchange rate for these charges, so changes have no percentage.',
    );
    expect(notes).toContain('The months exclude costs without an exchange rate, in April 2026.');
    const rows = [...tables.values.rows, ...tables.months.rows] as Record<string, unknown>[];
    expect(new Set(rows.map((row) => row['change_percent']))).toEqual(new Set([null]));
  }, 180_000);

  it('of one value shows the same figures, from direct to total', async () => {
    const world = await aBilled();
    const filters = { ...team, tag_value: ['web'] };
    const { bytes, name } = await fileOf(world, { format: 'pdf', filters });
    expect(name).toBe('showback-web-2026-05-01-2026-05-31.pdf');
    const texts = readPdf(bytes).flatMap(({ lines }) => lines.map(({ text }) => text));
    const amounts = [44, 26.66668, 70.66668].map((amount) => formatMoney(amount, 'USD'));
    expect(texts).toEqual(expect.arrayContaining(['Showback for web', 'From direct to total cost', ...amounts]));
    expect(texts).not.toContain('data');
  });

  it('says which days of its last month it includes', async () => {
    const world = await aBilled();
    const { bytes } = await fileOf(world, { format: 'json', filters: team, end_date: '2026-05-03' });
    const { notes } = JSON.parse(bytes.toString()) as Showback;
    expect(notes).toContain('May 2026 includes only the days up to May 3, 2026.');
  });

  it('covers the last month by default, and needs an enabled virtual tag', async () => {
    const world = await aBilled();
    const refused = async (filters: object) => {
      const answer = await world.call<ErrorBody>('POST', '/reports', { type: 'showback', format: 'csv', filters });
      return `${answer.status} ${answer.body.error.message}`;
    };
    expect(await refused({})).toBe('400 filters.tag_key is required: the virtual tag, as virtual:KEY');
    expect(await refused({ tag_key: 'team' })).toBe(
      '400 filters.tag_key "team" is not a virtual tag; write virtual:KEY, such as virtual:team',
    );
    expect(await refused({ tag_key: 'virtual:tribe' })).toBe(
      '400 filters.tag_key "virtual:tribe" is not an enabled virtual tag of the organization; use a key from GET /virtual-tags',
    );
    const { body } = await world.call<ReportBody>('POST', '/reports', {
      type: 'showback',
      format: 'csv',
      filters: team,
    });
    const now = new Date();
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0));
    expect([body.start_date, body.end_date]).toEqual([first, last].map((day) => day.toISOString().slice(0, 10)));
  });
});
