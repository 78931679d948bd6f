import { describe, expect, it, vi } from 'vitest';
import { tooSlow } from '../../../src/engine/failures.ts';
import { readBreakdown } from '../../../src/facts/costs/breakdown/run.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { anAccounting, type Accounting, type ErrorBody } from '../../ingest/accounts/world.ts';
import { essentials } from '../../support/essentials.ts';
import { aLine } from '../../support/focus.ts';

interface TagBody {
  id: string;
  key: string;
  rules: object[] | null;
  splits: object[] | null;
  evaluating: boolean;
  evaluated_percent: number | null;
  coverage_percent: number | null;
  unallocated_cost: number | null;
}

interface CostsBody {
  total_cost: number;
  rows: {
    keys: Record<string, string | null>;
    cost: number;
    direct_cost: number | null;
    shared_cost: number | null;
  }[];
  skipped_splits: { name: string; month: string }[] | null;
}

const may = 'start_date=2026-05-01&end_date=2026-05-31';
const tagged = (team: string, cost: string, more = {}) =>
  aLine({ day: '2026-05-03', cost, ResourceId: team, Tags: JSON.stringify({ team }), ...more });

/** An organization whose bill of May has 40 for team web, 20 for team Data, 30 for team platform and 10 without a team. */
async function aBilled(): Promise<Accounting & { id: string }> {
  const world = await anAccounting();
  await world.put('teams/bill.csv', [
    tagged('web', '40'),
    tagged('Data', '20'),
    tagged('platform', '30'),
    aLine({ day: '2026-05-04', cost: '10', ResourceId: 'none' }),
  ]);
  await world.work();
  const { id } = await world.connect('teams');
  await world.until(id, 'succeeded');
  return { ...world, id };
}

const byTeam = [{ value_from: { dimension: 'tag:team', transform: 'lower' } }];
const shares = [{ name: 'Platform', source_values: ['platform'], method: 'proportional' }];

async function costsOf({ call }: Accounting, query = ''): Promise<CostsBody> {
  const { body, status } = await call<CostsBody>('GET', `/costs?group_by=virtual:team&${may}${query}`);
  expect(status).toBe(200);
  return body;
}

const shown = ({ rows }: CostsBody) => Object.fromEntries(rows.map(({ keys, cost }) => [keys['virtual:team'], cost]));

const essence = async ({ call }: Accounting, method: string, at: string, body?: object) => {
  const answer = await call<ErrorBody>(method, at, body);
  return [answer.status, essentials(answer.body.error)] as const;
};

describe('virtual tags', () => {
  it('group costs at once, and from rollups once they are evaluated', async () => {
    const world = await aBilled();
    const { body, status } = await world.call<TagBody>('POST', '/virtual-tags', { name: 'Team', rules: byTeam });
    expect([status, body.key, body.evaluating]).toEqual([201, 'team', false]);
    const expected = { web: 40, platform: 30, data: 20, Unallocated: 10 };
    expect(shown(await costsOf(world))).toEqual(expected);
    const tag = await vi.waitFor(async () => {
      const { body: now } = await world.call<TagBody>('GET', `/virtual-tags/${body.id}`);
      expect(now.evaluated_percent).toBe(100);
      return now;
    }, 30_000);
    expect(tag).toMatchObject({ coverage_percent: 90, unallocated_cost: 10 });
    expect(shown(await costsOf(world))).toEqual(expected);
    const summary = await world.call<{ total_cost: number }>(
      'GET',
      `/costs/summary?tag_key=virtual:team&tag_value=data&${may}`,
    );
    expect(summary.body.total_cost).toBe(20);
    const excluded = await world.call<CostsBody>('GET', `/costs?exclude_virtual=team:web&virtual=team&${may}`);
    expect(excluded.body.total_cost).toBe(60);
  });

  it('group costs by very many values, which are not rolled up', async () => {
    const world = await anAccounting();
    const count = 2_001;
    await world.put(
      'teams/bill.csv',
      Array.from({ length: count }, (_, index) => tagged(`team-${index}`, '1')),
    );
    await world.work();
    const account = await world.connect('teams');
    await world.until(account.id, 'succeeded');
    const { body: tag } = await world.call<TagBody>('POST', '/virtual-tags', { name: 'Team', rules: byTeam });
    await vi.waitFor(async () => {
      const { body } = await world.call<TagBody>('GET', `/virtual-tags/${tag.id}`);
      expect(body.evaluated_percent).toBe(100);
    }, 30_000);
    const { rows } = await world.deps.pool.query('SELECT 1 FROM cost_rollups WHERE rollup >= 100');
    expect(rows).toEqual([]);
    const { body } = await world.call<CostsBody & { row_count: number }>('GET', `/costs?group_by=virtual:team&${may}`);
    expect([body.row_count, body.total_cost]).toEqual([count, count]);
  });

  it('are stored, changed and listed without coverage while their costs are too expensive to read', async () => {
    const world = await aBilled();
    const { body: cheap } = await world.call<TagBody>('POST', '/virtual-tags', { name: 'Team', rules: byTeam });
    const { engine } = world.deps;
    const rows = engine.rows.bind(engine);
    vi.spyOn(engine, 'rows').mockImplementation(async (facts, query) => {
      if (query.lane === 'job' || !JSON.stringify(query).includes('heavy')) return rows(facts, query);
      throw tooSlow(30_000, true);
    });
    const rules = [{ value: 'heavy', conditions: [{ dimension: 'service', operator: 'exists' }] }];
    const made = await world.call<TagBody>('POST', '/virtual-tags', { name: 'Heavy', rules });
    expect([made.status, made.body.coverage_percent, made.body.unallocated_cost]).toEqual([201, null, null]);
    const changed = await world.call<TagBody>('PATCH', `/virtual-tags/${made.body.id}`, { name: 'Heavier' });
    expect(changed.status).toBe(200);
    const { body, status } = await world.call<{ data: TagBody[] }>('GET', '/virtual-tags');
    expect(status).toBe(200);
    expect(body.data.find(({ id }) => id === cheap.id)).toMatchObject({ coverage_percent: 90, unallocated_cost: 10 });
    expect(body.data).toHaveLength(2);
  });

  it('answer with the previous rules and the same ETag until new ones are evaluated', async () => {
    const world = await anAccounting();
    await world.put('teams/bill.csv', [tagged('web', '40'), tagged('Data', '20')]);
    const stop = await world.work();
    const account = await world.connect('teams');
    await world.until(account.id, 'succeeded');
    const { body: tag } = await world.call<TagBody>('POST', '/virtual-tags', { name: 'Team', rules: byTeam });
    await stop();
    const etagOf = async () => (await world.call('GET', `/costs?group_by=virtual:team&${may}`)).headers.get('etag');
    const before = await etagOf();
    const rules = [{ value: 'all', conditions: [{ dimension: 'service', operator: 'exists' }] }];
    const changed = await world.call<TagBody>('PATCH', `/virtual-tags/${tag.id}`, { rules });
    expect(changed.body.evaluating).toBe(true);
    expect(shown(await costsOf(world))).toEqual({ web: 40, data: 20 });
    expect(await etagOf()).toBe(before);
    await world.work();
    await vi.waitFor(async () => expect(shown(await costsOf(world))).toEqual({ all: 60 }), { timeout: 30_000 });
    expect(await etagOf()).not.toBe(before);
    expect((await world.call<TagBody>('GET', `/virtual-tags/${tag.id}`)).body.evaluating).toBe(false);
  });

  it('split shared costs, and apply filters by value to the result', async () => {
    const world = await aBilled();
    await world.call('POST', '/virtual-tags', { name: 'Team', rules: byTeam, splits: shares });
    const all = await costsOf(world, '&include_shared=true');
    expect(
      Object.fromEntries(
        all.rows.map((row) => [row.keys['virtual:team'], [row.direct_cost, row.shared_cost, row.cost]]),
      ),
    ).toEqual({
      web: [40, 17.142857, 57.142857],
      data: [20, 8.571429, 28.571429],
      Unallocated: [10, 4.285714, 14.285714],
      platform: [30, -30, 0],
    });
    expect(all.total_cost).toBe(100);
    const web = await costsOf(world, '&include_shared=true&virtual=team:web');
    expect(web).toMatchObject({ total_cost: 57.142857, skipped_splits: [] });
    const csv = await world.rest('GET', `/costs?group_by=virtual:team&${may}&include_shared=true`, {
      token: world.token,
      headers: { accept: 'text/csv' },
    });
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'virtual:team,cost,direct_cost,shared_cost,percentage,previous_cost,change,change_percent,quantity,unit,unconverted,missing_bills,currency',
      'web,57.142857,40,17.142857,57.14,,,,,,,,USD',
    ]);
  });

  it('split shared costs by the costs of all accounts in the scope of the caller, also in cached answers', async () => {
    const world = await aBilled();
    await world.call('POST', '/virtual-tags', { name: 'Team', rules: byTeam, splits: shares });
    await world.put('others/bill.csv', [tagged('hidden', '60')]);
    const other = await world.connect('others');
    await world.until(other.id, 'succeeded');
    const { organizationId } = await world.deps.db.account.findFirstOrThrow();
    const args = {
      startDate: '2026-05-01',
      endDate: '2026-05-31',
      groupBy: [{ virtualTag: 'team' }],
      includeShared: true,
      filters: { include: [{ dimension: 'account' as const, values: [world.id] }] },
    };
    const costsIn = async (accountIds: string[] | null) => {
      const { rows } = await readBreakdown(world.deps, orgScope(organizationId, accountIds), args);
      return Object.fromEntries(rows.map(({ keys, cost }) => [keys[0]?.value, cost]));
    };
    const all = { web: 49.230769, data: 24.615385, hidden: 13.846154, Unallocated: 12.307692, platform: 0 };
    expect(await costsIn(null)).toEqual(all);
    expect(await costsIn([world.id])).toEqual({
      web: 57.142857,
      data: 28.571429,
      Unallocated: 14.285714,
      platform: 0,
    });
    await world.put('others/bill.csv', [tagged('hidden', '30')]);
    await world.call('POST', `/accounts/${other.id}/sync`);
    await world.until(other.id, 'succeeded');
    await vi.waitFor(async () => expect(await costsIn(null)).not.toEqual(all));
  });

  it('are refused if they have too many parts', async () => {
    const world = await anAccounting();
    const resources = Array.from({ length: 320 }, (_, at) => at);
    await world.put('teams/bill.csv', [
      ...resources.map((at) => tagged('shared', '1', { ResourceId: `resource-${at}` })),
      ...resources.map((at) => tagged(`team-${at}`, '1')),
    ]);
    await world.work();
    const { id } = await world.connect('teams');
    await world.until(id, 'succeeded');
    const splits = [{ name: 'Shared', source_values: ['shared'], method: 'even' }];
    await world.call('POST', '/virtual-tags', { name: 'Team', rules: byTeam, splits });
    const asked = `${may}&include_shared=true&limit=1`;
    const refused = await world.call<ErrorBody>('GET', `/costs?group_by=virtual:team,resource&${asked}`);
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^include_shared splits the costs into more than 100,000 parts; request fewer days/),
    ]);
    const { body } = await world.call<CostsBody>('GET', `/costs?group_by=virtual:team&${asked}`);
    expect(body.total_cost).toBe(640);
  });

  it('apply each split once, whatever the order of the splits', async () => {
    const world = await aBilled();
    // A split comes before those of its targets, whatever their order.
    const splits = [
      { name: 'Second', source_values: ['data'], method: 'even', targets: ['web'] },
      { name: 'First', source_values: ['platform'], method: 'even', targets: ['data'] },
    ];
    await world.call('POST', '/virtual-tags', { name: 'Team', rules: byTeam, splits });
    expect(shown(await costsOf(world, '&include_shared=true'))).toMatchObject({ web: 90, Unallocated: 10 });
  });

  it('name the splits without a target in a month, and leave their costs where they are', async () => {
    const world = await aBilled();
    const splits = [{ name: 'To nobody', source_values: ['web'], method: 'proportional', targets: ['gone'] }];
    await world.call('POST', '/virtual-tags', { name: 'Team', rules: byTeam, splits });
    const answer = await costsOf(world, '&include_shared=true');
    expect(answer.skipped_splits).toEqual([{ name: 'To nobody', month: '2026-05-01' }]);
    expect(shown(answer)).toMatchObject({ web: 40 });
    const june = '/costs?group_by=virtual:team&start_date=2026-06-01&end_date=2026-06-30&include_shared=true';
    const compared = await world.call<CostsBody>('GET', `${june}&compare=previous_month`);
    expect(compared.body.skipped_splits).toEqual(answer.skipped_splits);
  });

  it('split shared costs by the values of a unit metric in the month, which count at once', async () => {
    const world = await aBilled();
    const { body: orders } = await world.call<TagBody>('POST', '/metrics', {
      key: 'orders',
      name: 'Orders',
      unit: 'order',
    });
    const put = (values: object[]) => world.call('PUT', `/metrics/${orders.id}/values`, values);
    const value = (date: string, quantity: number, labels: object) => ({ date, value: quantity, labels });
    await put([value('2026-04-30', 900, { team: 'data' }), value('2026-05-09', 500, { stage: 'web' })]);
    const splits = [{ name: 'By orders', source_values: ['platform'], method: 'metric', metric_id: orders.id }];
    const { body: tag } = await world.call<TagBody>('POST', '/virtual-tags', { name: 'Team', rules: byTeam, splits });
    expect(tag.splits).toEqual([{ ...splits[0], targets: [], shares: [] }]);
    const path = `/costs?group_by=virtual:team&${may}&include_shared=true`;
    const before = await world.call<CostsBody>('GET', path);
    expect(before.body.skipped_splits).toEqual([{ name: 'By orders', month: '2026-05-01' }]);
    expect(shown(before.body)).toMatchObject({ platform: 30, web: 40, data: 20 });

    await put([
      value('2026-05-01', 1, { team: 'web', region: 'eu' }),
      value('2026-05-31', 1, { team: 'web', region: 'us' }),
      value('2026-05-31', 5, { team: 'data' }),
      value('2026-05-31', 8, { team: 'unknown' }),
    ]);
    const after = await world.call<CostsBody>('GET', path);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.body).toMatchObject({ skipped_splits: [], total_cost: 100 });
    expect(shown(after.body)).toEqual({ web: 48.571429, data: 41.428571, Unallocated: 10, platform: 0 });

    expect(await essence(world, 'DELETE', `/metrics/${orders.id}`)).toMatchObject([
      409,
      {
        message:
          'The unit metric is used by splits of virtual tags: Team; give these splits another method or metric first',
      },
    ]);
    await world.call('PATCH', `/virtual-tags/${tag.id}`, { splits: shares });
    expect((await world.call('DELETE', `/metrics/${orders.id}`)).status).toBe(204);
  });

  it('preview rules without storing them', async () => {
    const world = await aBilled();
    await world.deps.pool.query(`UPDATE accounts SET complete_through = '2026-05-31'`);
    const { body, status } = await world.call('POST', '/virtual-tags/preview', { rules: byTeam });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      total_cost: 100,
      coverage_percent: 90,
      unallocated_cost: 10,
      value_count: 4,
      values: [
        { value: 'web', cost: 40, percentage: 40 },
        { value: 'platform' },
        { value: 'data' },
        { value: 'Unallocated' },
      ],
      unallocated: [{ cost: 10, percentage: 100 }],
    });
    expect((await world.call<{ data: object[] }>('GET', '/virtual-tags')).body.data).toEqual([]);
  });

  it('show no rules to restricted members, who cannot change them', async () => {
    const world = await aBilled();
    const { body: tag } = await world.call<TagBody>('POST', '/virtual-tags', { name: 'Team', rules: byTeam });
    await world.become('admin', [world.id]);
    const { body } = await world.call<TagBody>('GET', `/virtual-tags/${tag.id}`);
    expect([body.rules, body.splits]).toEqual([null, null]);
    expect(shown(await costsOf(world))).toMatchObject({ web: 40 });
    for (const [method, at, change] of [
      ['POST', '/virtual-tags', { name: 'Mine', rules: byTeam }],
      ['PATCH', `/virtual-tags/${tag.id}`, { enabled: false }],
      ['DELETE', `/virtual-tags/${tag.id}`, undefined],
    ] as const)
      expect(await essence(world, method, at, change)).toMatchObject([403, { code: 'FORBIDDEN' }]);
  });

  it('are gone from costs once disabled or deleted', async () => {
    const world = await aBilled();
    const { body: tag } = await world.call<TagBody>('POST', '/virtual-tags', { name: 'Team', rules: byTeam });
    await world.call('PATCH', `/virtual-tags/${tag.id}`, { enabled: false });
    const refused = [400, { code: 'VALIDATION_ERROR', field: 'group_by', status: 400, message: expect.any(String) }];
    expect(await essence(world, 'GET', '/costs?group_by=virtual:team')).toEqual(refused);
    await world.call('DELETE', `/virtual-tags/${tag.id}`);
    expect(await essence(world, 'GET', '/costs?group_by=virtual:team')).toEqual(refused);
    expect(await essence(world, 'GET', '/costs/by-tag?tag_key=virtual:team')).toMatchObject([
      400,
      { field: 'tag_key' },
    ]);
    expect(await essence(world, 'GET', '/costs?virtual=team:web')).toMatchObject([400, { field: 'virtual' }]);
    expect((await essence(world, 'GET', '/costs?group_by=service&include_shared=true'))[1]).toMatchObject({
      field: 'include_shared',
    });
  });
});

describe('the input of a virtual tag', () => {
  const web = { value: 'web', conditions: [{ dimension: 'service', operator: 'in', values: ['S3'] }] };
  const db = { ...web, value: 'db' };
  const byUnknown = (method: string) => ({
    name: 'A',
    source_values: ['web'],
    method,
    metric_id: '01890000-0000-7000-8000-0000000000ff',
  });
  const fixed = (...percents: number[]) => ({
    name: 'S',
    source_values: ['web'],
    method: 'fixed',
    shares: percents.map((percent, index) => ({ value: index === 0 ? 'db' : 'Unallocated', percent })),
  });
  const ofValues = (length: number) => ({
    dimension: 'resource',
    operator: 'in',
    values: Array.from({ length }, (_, at) => `r${at}`),
  });
  it.each([
    [{ rules: [] }, 'rules'],
    [{ rules: [{ value: 'web' }] }, 'rules[0].conditions'],
    [{ rules: [web, { conditions: web.conditions }] }, 'rules[1]'],
    [{ rules: [web, { ...web, value: 'Web' }] }, 'rules[1].value'],
    [
      { rules: [{ ...web, conditions: [{ dimension: 'colour', operator: 'exists' }] }] },
      'rules[0].conditions[0].dimension',
    ],
    [
      { rules: [{ ...web, conditions: [{ dimension: 'virtual:x', operator: 'exists' }] }] },
      'rules[0].conditions[0].dimension',
    ],
    [
      { rules: [{ ...web, conditions: [{ dimension: `tag:${'k'.repeat(200)}`, operator: 'exists' }] }] },
      'rules[0].conditions[0].dimension',
    ],
    [{ rules: [{ value_from: { dimension: 'tag:a\u0000b' } }] }, 'rules[0].value_from.dimension'],
    [{ rules: [{ ...web, conditions: [{ dimension: 'service', operator: 'in' }] }] }, 'rules[0].conditions[0].values'],
    [{ rules: [{ value_from: { dimension: 'tag:team', transform: 'strip_prefix' } }] }, 'rules[0].value_from.prefix'],
    [{ rules: Array.from({ length: 10_000 }, () => web) }, 'rules'],
    [{ rules: Array.from({ length: 21 }, () => ({ ...web, conditions: [ofValues(500)] })) }, 'rules'],
    [{ rules: [web], key: 'No Key' }, 'key'],
    [{ rules: [web, db], splits: [fixed(60, 39)] }, 'splits[0].shares'],
    [{ rules: [web, db], splits: [fixed(60, 40), { ...fixed(100), name: 'T' }] }, 'splits[1].source_values[0]'],
    [
      {
        rules: [web, db],
        splits: [
          { name: 'A', source_values: ['web'], method: 'even', targets: ['db'] },
          { name: 'B', source_values: ['db'], method: 'even', targets: ['web'] },
        ],
      },
      'splits[0].targets',
    ],
    [{ rules: [web], splits: [{ name: 'A', source_values: ['wbe'], method: 'even' }] }, 'splits[0].source_values[0]'],
    [{ rules: [web], splits: [{ name: 'A', source_values: ['web'], method: 'metric' }] }, 'splits[0].metric_id'],
    [{ rules: [web], splits: [byUnknown('even')] }, 'splits[0].metric_id'],
    [{ rules: [web], splits: [byUnknown('metric')] }, 'splits[0].metric_id'],
  ])('is rejected with the field: %#', async (input, field) => {
    const world = await anAccounting();
    expect(await essence(world, 'POST', '/virtual-tags', { name: 'Team', ...input })).toMatchObject([400, { field }]);
    expect((await world.call<{ data: object[] }>('GET', '/virtual-tags')).body.data).toEqual([]);
  });

  it('has a key that no other virtual tag has', async () => {
    const world = await anAccounting();
    const body = { name: 'Team', rules: byTeam };
    await world.call('POST', '/virtual-tags', body);
    expect(await essence(world, 'POST', '/virtual-tags', body)).toMatchObject([409, { field: 'key' }]);
  });
});
