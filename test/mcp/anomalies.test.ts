import { describe, expect, it } from 'vitest';
import { type Point, readable } from '../../src/mcp/tools/anomalies.ts';
import { addDays, type Day } from '../../src/kit/time/period.ts';
import { keepAnomaly } from '../analysis/anomalies/kept.ts';
import { mcpWorld, now, type McpWorld } from './world.ts';

const ids: Record<string, string> = {};

const series = (count: number, of: (at: number) => Partial<Point> = () => ({})): Point[] =>
  Array.from({ length: count }, (_, at) => ({
    date: addDays('2026-05-01' as Day, at),
    cost: 1.1,
    expected_cost: 1,
    ...of(at),
  }));

async function fill({ deps, organizationId, accounts }: McpWorld): Promise<void> {
  const keep = async (name: string, given: Readonly<Record<string, unknown>>) => {
    const at = new Date(now.getTime() + Object.keys(ids).length);
    ids[name] = await keepAnomaly(deps.db, { organizationId, accountId: accounts.prod, now: at }, given);
  };
  const days = (start: string, end: string) => ({ startDate: new Date(start), endDate: new Date(end) });
  await keep('traffic', {});
  await keep('leak', {
    ...days('2026-06-01', '2026-08-31'),
    service: 'Amazon S3',
    kind: 'leak',
    severity: 'low',
    expectedCost: 10,
    actualCost: 15.5,
    series: series(100),
    status: 'acknowledged',
  });
  await keep('long', { ...days('2026-06-02', '2026-08-31'), facts: { drivers: manyDrivers() }, severity: 'critical' });
}

const manyDrivers = () =>
  Array.from({ length: 20 }, (_, at) => ({
    dimension: 'resource' as const,
    name: '',
    change: 10,
    share: 5,
    value: `arn-${at}-${'x'.repeat(9_000)}`,
  }));

const world = mcpWorld(fill);

interface Listed {
  readonly data: { readonly id: string }[];
  readonly [field: string]: unknown;
}

const list = (args: object = {}) => world().callTool<Listed>('list_anomalies', args);
const names = async (args: object) =>
  (await list(args)).data.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));

const traffic = () => ({
  id: ids['traffic'],
  service: 'Amazon EC2',
  region: 'eu-west-1',
  provider: 'aws',
  account_id: world().accounts.prod,
  kind: 'spike',
  severity: 'high',
  status: 'open',
  status_reason: null,
  start_date: '2026-11-11',
  end_date: '2026-11-13',
  expected_cost: 234.5,
  actual_cost: 1234.5,
  impact: 1000,
  impact_percent: 426.44,
  currency: 'USD',
  detected_at: '2026-11-21T10:00:00.000Z',
});

describe('list_anomalies', () => {
  it('lists all anomalies, newest first', async () => {
    const { data, ...rest } = await list();
    expect(data[0]).toEqual(traffic());
    expect(rest).toEqual({
      as_of: '2026-11-21T10:00:00.000Z',
      start_date: null,
      end_date: null,
      pagination: { page: 1, per_page: 20, total: 3, total_pages: 1 },
    });
  });

  it.each([
    [{}, ['traffic', 'long', 'leak']],
    [{ period: 'last_30_days' }, ['traffic']],
    [{ start_date: '2026-08-31', end_date: '2026-11-10' }, ['long', 'leak']],
    [{ status: ['acknowledged', 'resolved'] }, ['leak']],
    [{ severity: ['critical', 'high'], sort_by: '-severity' }, ['long', 'traffic']],
    [{ service: ['Amazon S3'] }, ['leak']],
    [{ sort_by: '-impact', per_page: 2, page: 2 }, ['leak']],
    [{ account_id: ['nobody'] }, []],
  ])('filters by %j', async (args, expected) => {
    expect(await names(args)).toEqual(expected);
  });

  it('returns the requested date range', async () => {
    expect(await list({ period: 'last_month' })).toMatchObject({ start_date: '2026-10-01', end_date: '2026-10-31' });
  });

  it('gives a hint when there is nothing', async () => {
    expect((await list({ period: 'last_month' }))['hint']).toMatch(/longer period/);
  });

  it.each([
    [{ severity: ['huge'] }, 'severity'],
    [{ period: 'last_month', end_date: '2026-10-01' }, 'period "last_month"'],
    [{ start_date: '2026-10-02', end_date: '2026-10-01' }, 'end_date 2026-10-01'],
  ])('rejects %j', async (args, message) => {
    const { text } = await world().tryTool('list_anomalies', args);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
  });
});

describe('get_anomaly', () => {
  const get = (name: string) => world().callTool<Record<string, unknown>>('get_anomaly', { anomaly_id: ids[name] });

  it('returns the explanation and the daily series', async () => {
    expect(await get('traffic')).toEqual({
      as_of: '2026-11-21T10:00:00.000Z',
      ...traffic(),
      explanation: {
        summary: expect.stringContaining('Amazon EC2'),
        drivers: expect.arrayContaining([{ dimension: 'region', value: 'eu-west-1', change: 960, share: 96 }]),
        likely_causes: expect.arrayContaining([expect.any(String)]),
        next_steps: expect.arrayContaining([expect.any(String)]),
      },
      series: [{ date: '2026-11-11', cost: 400, expected_cost: 78.2 }],
      series_granularity: 'daily',
    });
  });

  it('aggregates a long series by week', async () => {
    const answer = await get('leak');
    expect(answer).toMatchObject({ series_granularity: 'weekly' });
    expect(answer['series']).toHaveLength(15);
  });

  it('truncates long answers, and reports it', async () => {
    expect(await get('long')).toMatchObject({ truncated: true, id: ids['long'] });
  });

  it('names an unknown id', async () => {
    const { text } = await world().tryTool('get_anomaly', { anomaly_id: 'nobody' });
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'NOT_FOUND', message: expect.stringContaining('nobody') },
    });
  });
});

describe('update_anomaly', () => {
  const update = (change: object) => world().callTool('update_anomaly', { anomaly_id: ids['traffic'], ...change });

  it('sets status and reason, and is idempotent', async () => {
    const resolved = {
      as_of: '2026-11-21T10:00:00.000Z',
      id: ids['traffic'],
      service: 'Amazon EC2',
      start_date: '2026-11-11',
      end_date: '2026-11-13',
      status: 'resolved',
      status_reason: 'A backup',
      status_changed_at: '2026-11-21T10:00:00.000Z',
    };
    expect(await update({ status: 'resolved', reason: 'A backup' })).toEqual(resolved);
    expect(await update({ status: 'resolved', reason: 'A backup' })).toEqual(resolved);
    expect(await update({ reason: '' })).toMatchObject({ status: 'resolved', status_reason: null });
    expect(await update({ status: 'open' })).toMatchObject({ status: 'open' });
  });

  it.each([
    [{}, 'Nothing to change: set status or reason'],
    [{ status: 'snoozed' }, 'status'],
    [{ status: 'open', reason: 'x'.repeat(501) }, 'reason'],
  ])('rejects %j', async (change, message) => {
    const { text } = await world().tryTool('update_anomaly', { anomaly_id: ids['traffic'], ...change });
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
  });
});

describe('readable', () => {
  it('keeps a series of nine weeks', () => {
    expect(readable(series(63))).toEqual({ series_granularity: 'daily', series: series(63) });
  });

  it('aggregates a longer series into weeks with the same sum, the last one shorter', () => {
    const { series: weeks } = readable(series(64));
    expect(weeks).toHaveLength(10);
    expect(weeks[0]).toEqual({ date: '2026-05-01', cost: 7.7, expected_cost: 7 });
    expect(weeks[9]).toEqual({ date: '2026-07-03', cost: 1.1, expected_cost: 1 });
  });

  it('has null for a week with an unknown day', () => {
    const { series: weeks } = readable(series(70, (at) => (at === 8 ? { cost: null } : {})));
    expect(weeks[1]).toEqual({ date: '2026-05-08', cost: null, expected_cost: 7 });
  });
});
