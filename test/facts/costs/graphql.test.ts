import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { readCsv } from '../../support/rfc4180.ts';
import { fillCube } from '../../support/cube.ts';
import { aWorld } from '../../support/world.ts';
import { aWorld as aCube, accountIds } from './world.ts';

const range = 'start_date=2024-02-01&end_date=2024-03-31';

/** A signed-in user of an organization with the costs of `world.ts`. */
async function aPayer() {
  const world = await aWorld();
  const { token } = await world.register();
  const organization = await world.deps.db.organization.findFirstOrThrow();
  await fillCube(world.deps, aCube(organization.id));
  const get = (path: string, headers: Record<string, string> = {}) =>
    world.rest<Record<string, unknown>>('GET', `/costs/${path}`, { token, headers });
  return { ...world, token, get };
}

it('returns the documented fields from the seven endpoints, with the same total', async () => {
  const { get } = await aPayer();
  const shapes: [string, string, string, string[]][] = [
    ['summary', '', 'periods', ['period_start', 'period_end', 'cost', 'unconverted']],
    ['by-service', '', 'groups', ['service', 'service_category', 'provider', 'cost', 'percentage']],
    ['by-account', '', 'groups', ['account_id', 'account_name', 'provider', 'cost', 'percentage', 'sub_accounts']],
    ['by-region', '', 'groups', ['region', 'provider', 'cost', 'percentage']],
    ['by-tag', '&tag_key=Team', 'groups', ['tag_value', 'cost', 'percentage']],
    ['daily', '', 'days', ['date', 'cost', 'groups', 'unconverted']],
    [
      'trend',
      '',
      'months',
      ['month', 'cost', 'previous_cost', 'change', 'change_percent', 'partial', 'unconverted', 'previous_unconverted'],
    ],
  ];
  const totals = new Set<unknown>();
  for (const [path, more, rows, keys] of shapes) {
    const { status, body } = await get(`${path}?${range}${more}`);
    expect(status, path).toBe(200);
    expect(body).toMatchObject({
      start_date: '2024-02-01',
      end_date: '2024-03-31',
      currency: 'USD',
      cost_metric: 'effective',
    });
    expect(body['complete_through']).toBe('2024-05-09');
    const [row] = body[rows] as object[];
    expect(Object.keys(row ?? {}), path).toEqual(keys);
    totals.add(body['total_cost']);
  }
  expect(totals.size).toBe(1);
});

it('accepts several filter values, comma-separated or repeated', async () => {
  const { get } = await aPayer();
  const one = await get(`by-region?${range}&provider=aws,azure&charge_category=usage`);
  const two = await get(`by-region?${range}&provider=aws&provider=azure&charge_category=usage`);
  expect(one.status).toBe(200);
  expect(one.body).toEqual(two.body);
  expect(one.headers.get('etag')).toBe(two.headers.get('etag'));
});

it('rejects invalid parameters with 400, and names them', async () => {
  const { get } = await aPayer();
  const refused: [string, string][] = [
    ['by-tag', 'tag_key'],
    ['summary?tag_value=a', 'tag_value'],
    ['summary?untagged=true', 'untagged'],
    ['summary?start_date=2024-02-02&end_date=2024-02-01', 'end_date'],
    ['summary?start_date=2020-01-01&end_date=2024-02-01', 'start_date'],
    ['summary?start_date=2023-02-29', 'start_date'],
    ['summary?cost_metric=amortized', 'cost_metric'],
    ['by-service?granularity=daily', 'granularity'],
    ['daily?group_by=tag', 'group_by'],
    ['summary?colour=red', 'colour'],
  ];
  for (const [path, name] of refused) {
    const { status, body } = await get(path);
    expect(status, path).toBe(400);
    expect(body, path).toMatchObject({ error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(name) } });
  }
});

it('accepts unusual values without a server error', async () => {
  const { get } = await aPayer();
  const values = ['%00', '%27%3B--', '%F0%9F%92%A9', '%5C', 'a'.repeat(3000), '%C4%B0'];
  for (const value of values) {
    const filters = ['account_id', 'provider', 'service', 'region', 'sub_account_id', 'tag_key'];
    for (const name of filters) {
      const { status, body } = await get(`summary?${range}&${name}=${value}`);
      expect([200, 400], `${name}=${value}`).toContain(status);
      if (status === 200) expect(body['total_cost']).toBe(0);
    }
  }
});

it('returns 304 for an unchanged result, and a different ETag for other accounts or dates', async () => {
  const { get, deps } = await aPayer();
  const first = await get(`summary?${range}`);
  const etag = first.headers.get('etag') ?? '';
  expect((await get(`summary?${range}`, { 'if-none-match': etag })).status).toBe(304);
  expect((await get(`summary?${range}&account_id=${accountIds[0]}`)).headers.get('etag')).not.toBe(etag);
  const outside = (await get(`summary?${range}&account_id=${randomUUID()}`)).headers.get('etag');
  expect((await get(`summary?${range}&account_id=nothing`)).headers.get('etag')).toBe(outside);
  await deps.pool.query('UPDATE accounts SET version = version + 1');
  expect((await get(`summary?${range}`, { 'if-none-match': etag })).status).toBe(200);
});

it('returns CSV with a row per group and its currency', async () => {
  const { get } = await aPayer();
  const { status, text } = await get(`by-region?${range}`, { accept: 'text/csv' });
  expect(status).toBe(200);
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toBe('region,provider,cost,percentage,unconverted,missing_bills,currency');
  expect(lines).toHaveLength(10);
  expect(lines[1]).toMatch(/^[\w-]+,\w+,[\d.]+,[\d.]+,"\[.*\]",,USD$/);
});

it('names the costs without an exchange rate in CSV, also where there are no others', async () => {
  const { get, deps } = await aPayer();
  const read = async (view: string) => {
    const path = `${view}?${range}${view === 'by-tag' ? '&tag_key=team' : ''}`;
    const rows = readCsv((await get(path, { accept: 'text/csv' })).text);
    const { body } = await get(path);
    expect(body['unconverted']).not.toEqual([]);
    expect(
      rows.map((row) => JSON.parse(row['unconverted'] ?? '')),
      view,
    ).toEqual(rows.map(() => body['unconverted']));
    return { rows, total: Number(body['total_cost']) };
  };
  for (const view of ['by-service', 'by-account', 'by-region', 'by-tag', 'daily']) {
    const { rows, total } = await read(view);
    expect(
      rows.reduce((sum, { cost }) => sum + Number(cost), 0),
      view,
    ).toBeCloseTo(total, 4);
  }
  await deps.pool.query("UPDATE organizations SET currency = 'CHF'");
  for (const view of ['by-service', 'by-tag']) {
    const { rows } = await read(view);
    expect(
      rows.map(({ cost }) => cost),
      view,
    ).toEqual([null]);
  }
});

it('returns CSV of a grouped series with a row per day and group, or a column per group with layout=wide', async () => {
  const { get } = await aPayer();
  const csv = async (query: string) => {
    const { text } = await get(`daily?start_date=2024-02-01&end_date=2024-02-03${query}`, { accept: 'text/csv' });
    return text.trim().split('\r\n');
  };
  const { body } = await get('daily?start_date=2024-02-01&end_date=2024-02-03&group_by=provider');
  const unconverted = `"${JSON.stringify(body['unconverted']).replaceAll('"', '""')}"`;
  const days = body['days'] as { date: string; groups: { provider: string; cost: number }[] }[];
  const names: Record<string, string> = { aws: 'AWS', azure: 'Azure', gcp: 'Google Cloud', oracle: 'Oracle Cloud' };
  const total = (slug: string) =>
    days.flatMap((day) => day.groups).reduce((sum, one) => sum + (one.provider === slug ? one.cost : 0), 0);
  const slugs = [...new Set(days.flatMap(({ groups }) => groups.map(({ provider }) => provider)))].toSorted(
    (one, other) => total(other) - total(one),
  );
  const costOf = (day: number, slug: string) => days[day]?.groups.find(({ provider }) => provider === slug)?.cost ?? 0;
  expect(slugs.length).toBeGreaterThan(1);
  expect(await csv('&group_by=provider')).toEqual([
    'date,group,cost,unconverted,missing_bills,currency',
    ...days.flatMap(({ date }, day) =>
      slugs.map((slug) => `${date},${names[slug]},${costOf(day, slug)},${unconverted},,USD`),
    ),
  ]);
  expect(await csv('&group_by=provider&layout=wide')).toEqual([
    ['date', ...slugs.map((slug) => names[slug]), 'unconverted', 'missing_bills', 'currency'].join(','),
    ...days.map(({ date }, day) => [date, ...slugs.map((slug) => costOf(day, slug)), unconverted, '', 'USD'].join(',')),
  ]);
  expect((await csv('&group_by=account'))[1]).toMatch(/^2024-02-01,[^,]*[A-Z][^,]*,[\d.]+,"\[.*\]",,USD$/);
  expect(await csv('&layout=wide')).toEqual([
    'date,cost,unconverted,missing_bills,currency',
    ...(await csv('')).slice(1),
  ]);
  expect((await get('daily?layout=tall')).body).toMatchObject({
    error: { status: 400, message: 'layout "tall" must be long or wide' },
  });
  expect((await get('by-region?layout=wide')).status).toBe(400);
  const { text } = await get(`by-tag?${range}&tag_key=team`, { accept: 'text/csv' });
  expect(text).toMatch(/^tag_value,cost,percentage,unconverted,missing_bills,currency\r\n/);
  expect(text).toMatch(/\r\nUntagged,[\d.]+,[\d.]+,"\[.*\]",,USD/);
});

it('returns the same in GraphQL', async () => {
  const { get, gql, token } = await aPayer();
  const { body } = await gql<{ costsByTag: { totalCost: number; groups: { tagValue: string | null }[] } }>(
    `{ costsByTag(startDate: "2024-02-01", endDate: "2024-03-31", tagKey: "team", costMetric: BILLED) { totalCost costMetric groups { tagValue cost percentage } } }`,
    {},
    token,
  );
  const rest = await get(`by-tag?${range}&tag_key=team&cost_metric=billed`);
  expect(body.errors).toBeUndefined();
  expect(body.data?.costsByTag.totalCost).toBe(rest.body['total_cost']);
  expect(body.data?.costsByTag.groups.map((group) => group.tagValue)).toContain(null);
});

it('requires a token', async () => {
  const world = await aWorld();
  expect((await world.rest('GET', '/costs/summary')).status).toBe(401);
});
