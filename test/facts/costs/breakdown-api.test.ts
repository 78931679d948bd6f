import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filtersIn } from '../../../src/facts/costs/breakdown/flat.ts';
import { fillCube } from '../../support/cube.ts';
import { essentials } from '../../support/essentials.ts';
import { readCsv } from '../../support/rfc4180.ts';
import { worldOfFile } from '../../support/world.ts';
import { aDetailedWorld } from './breakdown-world.ts';
import { accountIds } from './world.ts';

const world = worldOfFile({ clock: { now: () => new Date('2024-05-11T12:00:00Z') } });
let token = '';
let organizationId = '';

beforeAll(async () => {
  ({ token } = await world().register());
  ({ id: organizationId } = await world().deps.db.organization.findFirstOrThrow());
  await fillCube(world().deps, aDetailedWorld(organizationId));
});

const range = 'start_date=2024-02-01&end_date=2024-03-31';

const otherName = (count: number) => `Other (${count} ${count === 1 ? 'row' : 'rows'})`;

interface Row {
  readonly keys: Readonly<Record<string, string | null>>;
  readonly labels: Readonly<Record<string, string | null>>;
  readonly cost: number;
  readonly points: readonly { date: string; cost: number }[] | null;
}

interface Answer {
  readonly total_cost: number;
  readonly group_by: readonly string[];
  readonly rows: readonly Row[];
  readonly other: { readonly count: number; readonly cost: number };
  readonly row_count: number;
  readonly previous: object | null;
  readonly error: { readonly code: string; readonly message: string; readonly field?: string };
}

async function get<Body = Answer>(query: string, headers: Record<string, string> = {}) {
  return world().rest<Body>('GET', `/costs${query}`, { token, headers });
}

describe('GET /costs', () => {
  it('returns the documented fields', async () => {
    const { status, body } = await get(`?${range}&group_by=account,tag:Team,resource&compare=previous_period&limit=2`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      'start_date',
      'end_date',
      'currency',
      'cost_metric',
      'total_cost',
      'complete_through',
      'last_complete_day',
      'data_from',
      'unconverted',
      'provisional_rates',
      'missing_bills',
      'group_by',
      'granularity',
      'compare',
      'previous',
      'rows',
      'other',
      'row_count',
      'skipped_splits',
    ]);
    expect(body.group_by).toEqual(['account', 'tag:Team', 'resource']);
    expect(body.previous).toMatchObject({ start_date: '2023-12-01', end_date: '2024-01-31' });
    const [row] = body.rows;
    expect(Object.keys(row ?? {})).toEqual([
      'keys',
      'labels',
      'resource_id',
      'quantity',
      'unit',
      'cost',
      'direct_cost',
      'shared_cost',
      'percentage',
      'previous_cost',
      'change',
      'change_percent',
      'points',
    ]);
    expect(Object.keys(row?.keys ?? {})).toEqual(['account', 'tag:Team', 'resource']);
    expect(accountIds).toContain(row?.keys['account']);
    expect(['One', 'Two', 'Three']).toContain(row?.labels['account']);
    expect(body.other.count).toBe(body.row_count - 2);
  });

  it('returns the same totals and groups as the views', async () => {
    const views = { service: 'by-service', region: 'by-region', account: 'by-account' } as const;
    for (const [name, view] of Object.entries(views)) {
      const { body } = await get(`?${range}&group_by=${name},provider&limit=1000`);
      const { body: seen } = await get<{ total_cost: number; groups: Record<string, unknown>[] }>(`/${view}?${range}`);
      expect(body.total_cost).toBe(seen.total_cost);
      const key = name === 'account' ? 'account_id' : name;
      expect(body.rows.map(({ keys, cost }) => [keys[name], keys['provider'], cost])).toEqual(
        seen.groups.map((group) => [group[key], group['provider'], group['cost']]),
      );
    }
  });

  it('accepts filters as flat parameters, equal to the objects of GraphQL', async () => {
    const flat = await get(
      `?${range}&group_by=service&group_by=tag:team&service=Compute,S*&exclude_region=global&tag=stage:prod&tag=stage:te*` +
        `&exclude_resource=(none)&limit=1000`,
    );
    const query = `query ($filters: CostFiltersInput) {
      costs(startDate: "2024-02-01", endDate: "2024-03-31", groupBy: [{dimension: SERVICE}, {tag: "team"}], filters: $filters, limit: 1000) {
        totalCost groupBy rowCount other { count cost } rows { keys cost keyList { dimension tag value label } } } }`;
    const filters = {
      include: [
        { dimension: 'SERVICE', values: ['Compute', 'S*'] },
        { tag: 'stage', values: ['prod', 'te*'] },
      ],
      exclude: [
        { dimension: 'REGION', values: ['global'] },
        { dimension: 'RESOURCE', values: [null] },
      ],
    };
    const { body } = await world().gql<{ costs: GraphQLAnswer }>(query, { filters }, token);
    const costs = body.data?.costs;
    expect(flat.body.rows.length).toBeGreaterThan(3);
    expect(costs).toMatchObject({
      totalCost: flat.body.total_cost,
      rowCount: flat.body.row_count,
      other: flat.body.other.cost === 0 ? { count: 0, cost: 0 } : {},
    });
    expect(costs?.rows.map(({ keys, cost }) => ({ keys, cost }))).toEqual(
      flat.body.rows.map(({ keys, cost }) => ({ keys, cost })),
    );
    expect(costs?.rows[0]?.keyList).toEqual([
      { dimension: 'SERVICE', tag: null, value: flat.body.rows[0]?.keys['service'], label: null },
      { dimension: null, tag: 'team', value: flat.body.rows[0]?.keys['tag:team'], label: null },
    ]);
  });

  it('parses `(none)` as no value, and `\\(none)` as that text', () => {
    const include = filtersIn({ resource: ['(none)', '\\(none)'], tag: ['team:\\(none)'] }).filters?.include;
    expect(include).toEqual([
      { dimension: 'resource', values: [null, '(none)'] },
      { tag: 'team', values: ['(none)'] },
    ]);
  });

  it('distinguishes an empty tag value from any value of the key', async () => {
    const rows = (await get(`?${range}&group_by=tag:team&limit=1000`)).body.rows;
    const empty = rows.find(({ keys }) => keys['tag:team'] === '');
    const untagged = rows.find(({ keys }) => keys['tag:team'] === null);
    const { total_cost: all } = (await get(`?${range}`)).body;
    expect((await get(`?${range}&tag=team:`)).body.total_cost).toBe(empty?.cost);
    expect((await get(`?${range}&tag=team`)).body.total_cost).toBeCloseTo(all - (untagged?.cost ?? 0), 5);
  });

  it('accepts categories in any case', async () => {
    const totalOf = async (query: string) => (await get(`?${range}&${query}`)).body.total_cost;
    const tax = await totalOf('charge_category=tax');
    expect(tax).not.toBe(0);
    expect(await totalOf('charge_category=Tax')).toBe(tax);
    expect(await totalOf('exclude_charge_category=TA*')).toBe(await totalOf('exclude_charge_category=tax'));
    expect(await totalOf('pricing_category=Standard')).toBe(await totalOf('pricing_category=standard'));
  });

  it('returns CSV with a line per row, or per row and date', async () => {
    const csv = async (query: string) => readCsv((await get<string>(query, { accept: 'text/csv' })).text);
    const json = (await get(`?${range}&group_by=account,tag:team&limit=3`)).body;
    const lines = await csv(`?${range}&group_by=account,tag:team&limit=3`);
    expect(
      lines.map((line) => [line['account_id'], line['account_name'], line['tag:team'], Number(line['cost'])]),
    ).toEqual([
      ...json.rows.map(({ keys, labels, cost }) => [
        keys['account'],
        labels['account'],
        keys['tag:team'] ?? 'Untagged',
        cost,
      ]),
      [otherName(json.other.count), null, null, json.other.cost],
    ]);
    const series = (await get(`?${range}&group_by=service&granularity=monthly`)).body;
    const dated = await csv(`?${range}&group_by=service&granularity=monthly`);
    expect(Object.keys(dated[0] ?? {})).toEqual(['date', 'group', 'cost', 'unconverted', 'missing_bills', 'currency']);
    expect(dated.map((line) => [line['date'], line['group'], Number(line['cost'])])).toEqual(
      ['2024-02-01', '2024-03-01'].flatMap((month) =>
        series.rows.map(({ keys, points }) => [
          month,
          keys['service'],
          points?.find(({ date }) => date === month)?.cost,
        ]),
      ),
    );
    const total = (await get(`?${range}&granularity=monthly`)).body.rows[0]?.points ?? [];
    expect(await csv(`?${range}&granularity=monthly`)).toMatchObject(
      total.map(({ date, cost }) => ({ date, cost: String(cost), currency: 'USD' })),
    );
  });

  it('distinguishes groups with the same name in the CSV of a series', async () => {
    const { pool } = world().deps;
    const { rows: before } = await pool.query<{ id: string; name: string }>(
      'SELECT id, name FROM accounts ORDER BY id',
    );
    await pool.query("UPDATE accounts SET name = '=Shared', version = version + 1");
    const query = `?${range}&group_by=account&granularity=monthly`;
    const { rows } = (await get(query)).body;
    const lines = readCsv((await get<string>(query, { accept: 'text/csv' })).text);
    const wide = (await get<string>(`${query}&layout=wide`, { accept: 'text/csv' })).text;
    for (const { id, name } of before)
      await pool.query('UPDATE accounts SET name = $2, version = version + 1 WHERE id = $1', [id, name]);
    const names = rows.map(({ keys }) => `'=Shared (${keys['account']})`);
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(lines.map((line) => line['group']))).toEqual(new Set(names));
    expect(wide.split('\r\n')[0]).toBe(['date', ...names, 'unconverted', 'missing_bills', 'currency'].join(','));
  });

  it('returns a series as wide CSV with a column per group, named as in the console', async () => {
    const query = `?${range}&group_by=region,tag:team&granularity=monthly&limit=2`;
    const { rows, other } = (await get(query)).body;
    const { text } = await get<string>(`${query}&layout=wide`, { accept: 'text/csv' });
    const [header = '', ...lines] = text.trim().split('\r\n');
    const names = rows.map(({ keys }) => `${keys['region'] ?? 'No region'} / ${keys['tag:team'] ?? 'Untagged'}`);
    expect(header).toBe(
      ['date', ...names, otherName(other.count), 'unconverted', 'missing_bills', 'currency'].join(','),
    );
    expect(lines.map((line) => line.split(',').slice(0, 3))).toEqual(
      ['2024-02-01', '2024-03-01'].map((date) => [
        date,
        ...rows.map(({ points }) => String(points?.find((point) => point.date === date)?.cost)),
      ]),
    );
  });

  it('returns 304 when unchanged', async () => {
    const first = await get(`?${range}&group_by=resource`);
    const etag = first.headers.get('etag') ?? '';
    expect((await get(`?${range}&group_by=resource`, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(`?${range}&group_by=meter`, { 'if-none-match': etag })).status).toBe(200);
  });

  it('returns zeros for a range without data', async () => {
    const { status, body } = await get(
      '?start_date=2019-01-01&end_date=2019-01-31&group_by=resource,meter&granularity=daily',
    );
    expect([status, body.total_cost, body.rows, body.row_count]).toEqual([200, 0, [], 0]);
    const alone = await get('?start_date=2019-01-01&end_date=2019-01-02&granularity=daily');
    expect(alone.body.rows).toMatchObject([
      {
        keys: {},
        cost: 0,
        points: [
          { date: '2019-01-01', cost: 0 },
          { date: '2019-01-02', cost: 0 },
        ],
      },
    ]);
  });

  it.each([
    ['group_by=nonsense', 'group_by "nonsense" is not a dimension'],
    ['group_by=service,region,meter,sku', 'group_by has 4 dimensions; at most 3'],
    ['group_by=service,service', 'group_by repeats service; name each dimension once'],
    ['group_by=tag:team,tag:user:TEAM', 'group_by repeats tag "user:TEAM"; name each dimension once'],
    ['group_by=tag:', 'group_by "tag:" lacks the key; write tag:KEY'],
    ['group_by=tag', 'group_by "tag" lacks the key'],
    ['group_by=virtual:team', 'is not an enabled virtual tag of the organization'],
    ['group_by=', 'group_by "" is blank; give a value'],
    ['service=', 'service "" is blank; give a value'],
    ['exclude_service=%20', 'exclude_service " " is blank; give a value'],
    ['account=', 'account "" is blank; give a value'],
    [`account=${'a,'.repeat(1000)}a`, 'account has 1001 items; at most 1000 are allowed'],
    ['exclude_service=*', 'exclude_service "*" is a prefix without text'],
    ['tag=', 'tag "" is blank; give a value'],
    ['tag=team:*', 'tag "*" is a prefix without text'],
    ['tag=:red', 'tag ":red" lacks the key'],
    ['charge_category=taxes', 'charge_category "taxes" is not a charge category; use usage, purchase, tax'],
    ['exclude_charge_category=x*', 'exclude_charge_category "x*" is not a charge category'],
    ['end_date=2024-09-30', 'end_date "2024-09-30" without start_date'],
    ['sort_by=change', 'sort_by "change" requires a comparison; set compare, for example to previous_period'],
    ['sort_by=size', 'sort_by'],
    ['limit=0', 'limit must be 1 to 1000'],
    ['limit=1001', 'limit must be 1 to 1000'],
    ['granularity=hourly', 'granularity must be one of none, daily, monthly'],
    ['compare=yesterday', 'compare must be one of'],
    ['compare=previous_month&start_date=2024-01-01&end_date=2024-03-31', 'compare "previous_month" overlaps'],
    [
      'compare=previous_year&start_date=1000-01-01&end_date=1000-01-31',
      'compare "previous_year" is not possible for 1000-01-01',
    ],
    ['compare=previous_period&start_date=1000-01-01&end_date=1000-01-31', 'compare "previous_period" is not possible'],
    ['start_date=2024-05-12&end_date=2024-06-30', 'start_date "2024-05-12" is in the future'],
    ['start_date=2024-03-02&end_date=2024-03-01', 'end_date "2024-03-01" is before start_date'],
    ['servce=Compute', 'servce is not a known parameter'],
    ['filters=x', 'filters is not a known parameter'],
  ])('rejects %s with 400: %s', async (query, message) => {
    const { status, body } = await get(`?${query}`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain(message);
  });

  it.each([
    [
      'groupBy: [{tag: "team", dimension: SERVICE}]',
      'groupBy[0]',
      'groupBy[0] must set one of dimension, tag, virtualTag',
    ],
    ['groupBy: [{}]', 'groupBy[0]', 'groupBy[0] must set one of dimension, tag, virtualTag'],
    [
      'groupBy: [{dimension: SERVICE}, {dimension: TAG}]',
      'groupBy[1].dimension',
      'groupBy[1].dimension "TAG" lacks the key; set groupBy[1].tag to a tag key instead',
    ],
    ['groupBy: [{tag: " "}]', 'groupBy[0].tag', 'groupBy[0].tag " " is blank; give a tag key such as team'],
    [
      'groupBy: [{dimension: RESOURCE_TYPE}, {dimension: RESOURCE_TYPE}]',
      'groupBy[1]',
      'groupBy[1] repeats RESOURCE_TYPE; name each dimension once',
    ],
    [
      'groupBy: [{tag: "team"}, {tag: "Team"}]',
      'groupBy[1]',
      'groupBy[1] repeats tag "Team"; name each dimension once',
    ],
    [
      'sortBy: CHANGE_DESC',
      'sortBy',
      'sortBy "CHANGE_DESC" requires a comparison; set compare, for example to PREVIOUS_PERIOD',
    ],
    [
      'compare: PREVIOUS_MONTH, startDate: "2024-01-01", endDate: "2024-03-31"',
      'compare',
      'compare "PREVIOUS_MONTH" overlaps with a range of 91 days; request fewer days, or use PREVIOUS_PERIOD',
    ],
    [
      'filters: {include: [{dimension: SERVICE, values: ["a", ""]}]}',
      'filters.include[0].values[1]',
      'filters.include[0].values[1] "" is blank; give a value, or leave the filter out',
    ],
    [
      'filters: {exclude: [{dimension: CHARGE_CATEGORY, values: ["tax", "x"]}]}',
      'filters.exclude[0].values[1]',
      'filters.exclude[0].values[1] "x" is not a charge category; use usage, purchase, tax, credit, adjustment',
    ],
  ])('rejects %s in GraphQL', async (args, field, message) => {
    const { body } = await world().gql(`{ costs(${args}) { totalCost } }`, {}, token);
    expect(body.errors?.[0]).toMatchObject({ message, extensions: { code: 'VALIDATION_ERROR', status: 400, field } });
  });

  it('names the rejected one of several values', async () => {
    const { body } = await get('?service=a,*');
    expect(body.error.field).toBe('service[1]');
  });

  it.each(['a\\:b', "O'Reilly", '%00', '"', '/', '~', '$.x', "'; DROP TABLE facts; --", 'ünï', '{"a":1}'])(
    'accepts the unusual value %s without an error',
    async (text) => {
      const value = text === '%00' ? text : encodeURIComponent(text);
      for (const query of [
        `resource=${value}`,
        `meter=${value}*`,
        `tag=${value}:${value}`,
        `group_by=tag:${value},resource`,
      ]) {
        const { status } = await get(`?${range}&${query}`);
        expect([query, text === '%00' ? 400 : 200]).toEqual([query, status]);
      }
    },
  );
});

interface GraphQLAnswer {
  readonly totalCost: number;
  readonly rowCount: number;
  readonly rows: readonly (Pick<Row, 'keys' | 'cost'> & { keyList: object[] })[];
}

describe('GET /costs/dimensions/{dimension}/values', () => {
  it('lists values for pickers in REST, CSV and GraphQL', async () => {
    const at = `/dimensions/meter/values?${range}&search=COMPUTE&limit=2&region=global`;
    const { status, body } = await get<{
      dimension: string;
      values: { value: string; cost: number }[];
      value_count: number;
    }>(at);
    expect(status).toBe(200);
    expect([body.dimension, body.value_count, body.values.length]).toEqual(['meter', 4, 2]);
    expect(body.values.every(({ value }) => value.startsWith('Compute'))).toBe(true);
    const file = await get<string>(at, { accept: 'text/csv' });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="costs-dimensions-values.csv"');
    const lines = readCsv(file.text);
    expect(lines.map((line) => [line['value'], Number(line['cost'])])).toEqual(
      body.values.map(({ value, cost }) => [value, cost]),
    );
    const query = `{ costDimensionValues(dimension: {dimension: METER}, search: "compute", limit: 2, startDate: "2024-02-01",
      endDate: "2024-03-31", filters: {include: [{dimension: REGION, values: ["global"]}]}) { values { value cost } valueCount } }`;
    const answer = await world().gql<{ costDimensionValues: object }>(query, {}, token);
    expect(answer.body.data?.costDimensionValues).toEqual({
      values: body.values.map(({ value, cost }) => ({ value, cost })),
      valueCount: 4,
    });
  });

  it('accepts tag keys, and lists them', async () => {
    const keys = await get<{ values: { value: string }[] }>(`/dimensions/tag/values?${range}`);
    expect(keys.body.values.map(({ value }) => value.toLowerCase()).sort()).toEqual(['request', 'stage', 'team']);
    const stages = await get<{ values: { value: string | null }[] }>(`/dimensions/tag:STAGE/values?${range}`);
    expect(stages.body.values.map(({ value }) => value).sort()).toEqual([null, 'prod', 'test']);
    expect((await get('/dimensions/nonsense/values')).status).toBe(400);
  });
});

describe('GET /costs/export', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-export-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function exported(query: string): Promise<{ rows: Record<string, unknown>[]; headers: Headers }> {
    const response = await fetch(`${world().url}/api/v1/costs/export?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    const isCsv = query.includes('focus_csv');
    const file = path.join(folder, isCsv ? 'export.csv' : 'export.parquet');
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    const duck = await (await DuckDBInstance.create(':memory:')).connect();
    const read = isCsv ? `read_csv('${file}', all_varchar = true)` : `read_parquet('${file}')`;
    const answer =
      await duck.runAndReadAll(`SELECT sum(EffectiveCost::DECIMAL(38,12)) FILTER (WHERE BillingCurrency = 'USD') AS cost,
      count(*) AS lines, min(ChargePeriodStart)::VARCHAR AS first, count(DISTINCT x_AccountId) AS accounts,
      list_sort(list(DISTINCT ServiceName)) AS services, count(DISTINCT ChargePeriodStart) > 1 AS days FROM ${read}`);
    return { rows: answer.getRowObjectsJson(), headers: response.headers };
  }

  it('exports filtered FOCUS rows per day, the same in Parquet and CSV, and audits the export', async () => {
    const query = `${range}&account_id=${accountIds[0]}&exclude_service=Storage&tag=team`;
    const parquet = await exported(`format=focus_parquet&${query}`);
    const csv = await exported(`format=focus_csv&${query}`);
    const { first: instant, ...same } = csv.rows[0] ?? {};
    expect(parquet.rows[0]).toMatchObject({ ...same, accounts: '1', days: true });
    expect(instant).toMatch(/^2024-02-\d\dT00:00:00Z$/);
    expect(parquet.rows[0]?.['services']).toEqual(['Compute', "O'Reilly, \\ Training"]);
    expect(parquet.headers.get('content-disposition')).toBe(
      'attachment; filename="costs-2024-02-01-2024-03-31.parquet"',
    );
    const costs = await get(`?${range}&account=${accountIds[0]}&exclude_service=Storage&tag=team&group_by=account`);
    expect(costs.status).toBe(200);
    const audit = await world().rest<{ data: { details: object }[] }>('GET', '/audit-logs?action=data_exported', {
      token,
    });
    expect(audit.body.data[0]?.details).toMatchObject({
      operation: 'exportCosts',
      file: 'costs-2024-02-01-2024-03-31.csv',
    });
  });

  it.each([
    ['', 'format is required'],
    ['format=xlsx', 'format must be one of'],
    ['format=focus_csv&format=focus_csv', 'format was given 2 times'],
    ['format=focus_csv&group_by=service', 'group_by is not a known parameter'],
    ['format=focus_csv&start_date=2024-02-30', 'start_date "2024-02-30"'],
    ['format=focus_csv&service=', 'service "" is blank; give a value'],
  ])('rejects %s with 400: %s', async (query, message) => {
    const { status, body } = await get(`/export?${query}`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain(message);
  });

  it.each(['account', 'account_id', 'exclude_account', 'service'])('names %s as in the request', async (name) => {
    const { status, body } = await get(`/export?format=focus_csv&${name}=*`);
    const message = `${name} "*" is a prefix without text; write text before the *, such as prod*`;
    const error = { code: 'VALIDATION_ERROR', message, status: 400, field: name };
    expect([status, essentials(body.error)]).toEqual([400, error]);
  });

  it('requires authentication, and returns no rows outside of the scope', async () => {
    expect((await world().rest('GET', '/costs/export?format=focus_csv')).status).toBe(401);
    const { rows } = await exported(`format=focus_csv&${range}&account_id=01890000-0000-7000-8000-0000000000ff`);
    expect(rows[0]).toMatchObject({ lines: '0' });
  });
});
