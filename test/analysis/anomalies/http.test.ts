import { beforeEach, describe, expect, it } from 'vitest';
import { aTeam, failure, forbidden, invalid, type Team } from '../../tenancy/team.ts';
import { aResource } from '../resource.ts';
import { keepAnomaly } from './kept.ts';

let team: Team;
let made = 0;
beforeEach(async () => {
  team = await aTeam();
});

interface Overrides {
  readonly account?: 'one' | 'two';
  readonly [column: string]: unknown;
}

const keep = ({ account = 'one', ...given }: Overrides = {}) => {
  made += 1;
  const now = new Date(team.deps.clock.now().getTime() + made);
  return keepAnomaly(team.db, { organizationId: team.organizationId, accountId: team.accounts[account], now }, given);
};

interface Listed {
  readonly data: { readonly id: string; readonly [field: string]: unknown }[];
  readonly pagination: { readonly total: number };
}

const list = async (query = '', who = 'dan') => {
  const { status, body } = await team.rest(who, 'GET', `/anomalies${query}`);
  expect(status).toBe(200);
  const { data, pagination } = body as Listed;
  return { ids: data.map(({ id }) => id), total: pagination.total, data };
};

const shown = (id: string) => ({
  id,
  account_id: team.accounts.one,
  provider: 'aws',
  service: 'Amazon EC2',
  region: 'eu-west-1',
  kind: 'spike',
  start_date: '2026-11-11',
  end_date: '2026-11-13',
  status: 'open',
  severity: 'high',
  expected_cost: 234.5,
  actual_cost: 1234.5,
  impact: 1000,
  impact_percent: 426.44,
  currency: 'USD',
  converted: { currency: 'USD', expected_cost: 234.5, actual_cost: 1234.5, impact: 1000 },
  detected_at: expect.stringMatching(/Z$/),
  status_changed_at: null,
  status_changed_by: null,
  status_reason: null,
  assignee_id: null,
  note: null,
});

describe('GET /anomalies', () => {
  it('returns every field of the contract, with null for missing values', async () => {
    const id = await keep();
    expect((await list()).data).toEqual([shown(id)]);
    await team.db.anomaly.updateMany({ data: { region: '', expectedCost: 0 } });
    expect((await list()).data).toMatchObject([{ region: null, impact_percent: null, impact: 1234.5 }]);
  });

  it('sorts by start date, newest first, whenever the anomaly was detected', async () => {
    const recent = await keep({ startDate: new Date('2026-11-12') });
    const older = await keep({ startDate: new Date('2026-05-01'), endDate: new Date('2026-05-01') });
    const newest = await keep({ startDate: new Date('2026-11-13') });
    expect((await list()).ids).toEqual([newest, recent, older]);
    expect((await list('?sort_by=-detected_at')).ids).toEqual([newest, older, recent]);
  });

  it('filters by status, severity, account, provider, service and dates', async () => {
    const one = await keep({ status: 'resolved', severity: 'low' });
    const two = await keep({ account: 'two', provider: 'gcp', service: 'BigQuery, on demand', severity: 'critical' });
    expect((await list()).ids).toEqual([two, one]);
    for (const [query, ids] of [
      ['status=open', [two]],
      ['status=open,resolved', [two, one]],
      ['severity=low&severity=critical', [two, one]],
      ['severity=medium', []],
      [`account_id=${team.accounts.one}`, [one]],
      ['account_id=nonsense', []],
      ['provider=gcp', [two]],
      ['service=BigQuery\\, on demand', [two]],
      ['start_date=2026-11-13', [two, one]],
      ['start_date=2026-11-14', []],
      ['end_date=2026-11-11', [two, one]],
      ['end_date=2026-11-10', []],
      ['start_date=2026-11-12&end_date=2026-11-12', [two, one]],
    ] as const)
      expect({ query, ...(await list(`?${query}`)) }).toMatchObject({ query, ids, total: ids.length });
  });

  it("filters by driving resource within the caller's organization and accounts", async () => {
    const web = await aResource(team, { account: 'one', nativeId: 'nat-0abc' });
    const other = await aResource(team, { account: 'one', nativeId: 'nat-0' });
    const namesake = await aResource(team, { account: 'two', nativeId: 'nat-0abc' });
    const azure = await aResource(team, { account: 'one', nativeId: 'nat-0ABC', provider: 'azure' });
    const id = await keep();
    const hidden = await keep({ account: 'two' });
    await keep({
      service: 'Amazon S3',
      facts: { drivers: [{ dimension: 'usage_type', value: 'nat-0abc', name: '', change: 1, share: 9 }] },
    });
    for (const [resource, ids] of [
      [web, [id]],
      [namesake, [hidden]],
      [other, []],
      [azure, []],
      ['nonsense', []],
    ] as const)
      expect({ resource, ...(await list(`?resource_id=${resource}`)) }).toMatchObject({
        resource,
        ids,
        total: ids.length,
      });
    expect((await list(`?resource_id=${web}&status=resolved`)).ids).toEqual([]);
    const query = 'query ($id: ID) { anomalies(resourceId: $id) { data { id } } }';
    const asked = await team.gql('dan', query, { id: web });
    expect(asked.body.data.anomalies.data).toEqual([{ id }]);
    await team.join('eve', 'member', [team.accounts.one]);
    expect((await list(`?resource_id=${web}`, 'eve')).ids).toEqual([id]);
    expect((await list(`?resource_id=${namesake}`, 'eve')).ids).toEqual([]);
    await team.register('zoe').then(({ accessToken }) => (team.tokens['zoe'] = accessToken));
    expect((await list(`?resource_id=${web}`, 'zoe')).ids).toEqual([]);
  });

  it('converts money at the rate of the month in which the anomaly started', async () => {
    await team.db.organization.update({ where: { id: team.organizationId }, data: { currency: 'USD' } });
    await team.db.account.updateMany({ data: { completeThrough: new Date('2026-11-19') } });
    const rate = { from: 'EUR', to: 'USD' };
    await team.rest('ana', 'PUT', '/org/exchange-rates', {
      rates: [
        { ...rate, month: '2026-10', rate: 3 },
        { ...rate, month: '2026-11', rate: 2 },
      ],
    });
    const euros = { currency: 'EUR', actualCost: 110, expectedCost: 10 };
    const november = await keep({ ...euros, service: 'B', startDate: new Date('2026-11-02') });
    const october = await keep({ ...euros, service: 'A', startDate: new Date('2026-10-30') });
    const { ids, data } = await list('?sort_by=-impact');
    expect(ids).toEqual([october, november]);
    expect(data).toMatchObject([{ converted: { impact: 300 } }, { converted: { impact: 200 } }]);
  });

  it('sorts by each field, money by converted value, with unconverted amounts last', async () => {
    await team.db.organization.update({ where: { id: team.organizationId }, data: { currency: 'USD' } });
    await team.db.account.updateMany({ data: { completeThrough: new Date('2026-11-19') } });
    await team.rest('ana', 'PUT', '/org/exchange-rates', {
      rates: [{ month: '2026-11', from: 'JPY', to: 'USD', rate: 0.0065 }],
    });
    const yen = await keep({ currency: 'JPY', actualCost: 20_000, expectedCost: 1000, severity: 'low', service: 'B' });
    const usd = await keep({ actualCost: 500, expectedCost: 100, severity: 'critical', service: 'A' });
    const none = await keep({ currency: 'CHF', actualCost: 900, expectedCost: 899, severity: 'medium', service: 'C' });
    for (const [sort, ids] of [
      ['actual_cost', [yen, usd, none]],
      ['-actual_cost', [usd, yen, none]],
      ['-impact', [usd, yen, none]],
      ['expected_cost', [yen, usd, none]],
      ['-impact_percent', [yen, usd, none]],
      ['severity', [yen, none, usd]],
      ['service', [usd, yen, none]],
      ['detected_at', [yen, usd, none]],
      ['-detected_at', [none, usd, yen]],
      ['start_date', [none, usd, yen]],
      ['end_date', [none, usd, yen]],
      ['status_changed_at', [none, usd, yen]],
    ] as const)
      expect({ sort, ids: (await list(`?sort_by=${sort}`)).ids }).toEqual({ sort, ids });
    expect((await list('?sort_by=-impact&per_page=1&page=2')).ids).toEqual([yen]);
  });

  it('sorts services case-insensitively, and pages each anomaly once', async () => {
    const ids = new Map<string, string>();
    for (const service of ['Zeta', 'alpha', 'Beta', 'ALPHA', 'gamma']) ids.set(service, await keep({ service }));
    const names = new Map([...ids].map(([service, id]) => [id, service]));
    const order = ['ALPHA', 'alpha', 'Beta', 'gamma', 'Zeta'];
    expect((await list('?sort_by=service')).ids.map((id) => names.get(id))).toEqual(order);
    const paged: string[] = [];
    for (const page of [1, 2, 3]) paged.push(...(await list(`?sort_by=service&per_page=2&page=${page}`)).ids);
    expect(paged.map((id) => names.get(id))).toEqual(order);
  });

  it('rejects unknown values, unknown parameters and invalid date ranges', async () => {
    for (const query of ['sort_by=kind', 'status=gone', 'severity=', 'region=x', 'start_date=2026-13-01'])
      expect(await team.rest('dan', 'GET', `/anomalies?${query}`)).toMatchObject({ status: 400 });
    expect(await team.rest('dan', 'GET', '/anomalies?start_date=2026-11-02&end_date=2026-11-01')).toEqual(
      invalid('end_date "2026-11-01" is before start_date 2026-11-02'),
    );
  });
});

describe('GET /anomalies/{id}', () => {
  it('returns the explanation and the daily series', async () => {
    const id = await keep();
    const { body } = await team.rest('dan', 'GET', `/anomalies/${id}`);
    expect(body).toEqual({
      ...shown(id),
      explanation: {
        summary:
          'Amazon EC2 cost $1,234.50 from November 11 to 13, 2026, $1,000.00 (426%) more than the expected $234.50. Most of the difference is in region Europe (Ireland) (96%), account shop (93%), resource nat-prod (93%) and usage type EU-NatGateway-Bytes (93%).',
        drivers: [
          { dimension: 'region', key: null, value: 'eu-west-1', change: 960, share: 96 },
          { dimension: 'sub_account', key: null, value: '111', change: 930, share: 93 },
          { dimension: 'resource', key: null, value: 'nat-0abc', change: 930, share: 93 },
          { dimension: 'usage_type', key: null, value: 'EU-NatGateway-Bytes', change: 930, share: 93 },
        ],
        likely_causes: [
          expect.stringMatching(
            /^More usage, not a higher price: usage of EU-NatGateway-Bytes was 14 times as high as usual/,
          ),
          expect.stringMatching(/^More data through a NAT gateway/),
          expect.stringMatching(/^A change in the workload of nat-prod: this resource accounts for 93%/),
          expect.any(String),
        ],
        next_steps: expect.arrayContaining([
          expect.stringMatching(/^Check nat-prod/),
          expect.stringMatching(/CloudTrail/),
        ]),
        source: 'composed',
      },
      series: [{ date: '2026-11-11', cost: 400, expected_cost: 78.2, expected_low: 66.5, expected_high: 97.75 }],
    });
  });

  it('returns null limits for anomalies stored before limits existed', async () => {
    const id = await keep({ series: [{ date: '2026-11-11', cost: 400, expected_cost: 78.2 }] });
    const query = 'query ($id: ID!) { anomaly(id: $id) { series { date expectedCost expectedLow expectedHigh } } }';
    const day = { date: '2026-11-11', expectedCost: 78.2, expectedLow: null, expectedHigh: null };
    expect((await team.gql('dan', query, { id })).body.data.anomaly.series).toEqual([day]);
  });

  it("returns 404 for any id outside the caller's accounts", async () => {
    const id = await keep();
    await team.join('eve', 'admin', [team.accounts.two]);
    const missing = (unknown: string) => failure(404, 'NOT_FOUND', `Anomaly "${unknown}" not found`);
    expect(await team.rest('eve', 'GET', `/anomalies/${id}`)).toEqual(missing(id));
    expect(await team.rest('eve', 'PATCH', `/anomalies/${id}`, { status: 'resolved' })).toEqual(missing(id));
    expect(await team.rest('dan', 'GET', '/anomalies/nonsense')).toEqual(missing('nonsense'));
    expect((await list('', 'eve')).ids).toEqual([]);
  });
});

describe('PATCH /anomalies/{id}', () => {
  const patch = (id: string, body: unknown, who = 'cleo') => team.rest(who, 'PATCH', `/anomalies/${id}`, body);

  it('changes the status, records who changed it and why, and audits the change', async () => {
    const id = await keep();
    const { status, body } = await patch(id, { status: 'acknowledged', reason: ' Black Friday ' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'acknowledged', status_reason: 'Black Friday', status_changed_at: expect.stringMatching(/Z$/) },
    });
    const cleo = await team.db.user.findUniqueOrThrow({ where: { email: 'cleo@example.com' } });
    expect(body).toMatchObject({ status_changed_by: cleo.id, explanation: { source: 'composed' } });
    expect(await team.recorded()).toMatchObject([
      {
        action: 'anomaly_changed',
        resourceType: 'anomaly',
        details: { status: { before: 'open', after: 'acknowledged' }, reason: 'Black Friday' },
      },
    ]);
  });

  it('allows every status transition, and changing or clearing only the reason', async () => {
    const id = await keep();
    for (const status of ['resolved', 'open', 'acknowledged', 'open', 'resolved', 'resolved'])
      expect(await patch(id, { status })).toMatchObject({ status: 200, body: { status, status_reason: null } });
    expect(await patch(id, { reason: 'Refunded' })).toMatchObject({
      body: { status: 'resolved', status_reason: 'Refunded' },
    });
    expect(await patch(id, { reason: null })).toMatchObject({ body: { status: 'resolved', status_reason: null } });
  });

  it('accepts status_reason in REST and GraphQL, and the deprecated alias reason', async () => {
    const id = await keep();
    expect((await patch(id, { status: 'acknowledged', status_reason: 'Load test' })).body).toMatchObject({
      status_reason: 'Load test',
    });
    const change = `mutation { updateAnomaly(id: "${id}", input: { statusReason: "Black Friday" }) { statusReason } }`;
    expect((await team.gql('cleo', change)).body).toEqual({
      data: { updateAnomaly: { statusReason: 'Black Friday' } },
    });
    expect((await patch(id, { reason: 'Sale' })).body).toMatchObject({ status_reason: 'Sale' });
    expect(await patch(id, { reason: 'a', status_reason: 'b' })).toEqual(
      invalid('reason is a deprecated alias of status_reason; send only status_reason'),
    );
    expect((await patch(id, { status_reason: ' ' })).body).toMatchObject({ status_reason: null });
  });

  it('sets status_changed_by only on a real status change or on confirming an automatic one', async () => {
    const by = { status_changed_by: null, status_changed_at: null };
    const id = await keep();
    expect((await patch(id, { reason: 'Looking' })).body).toMatchObject({ ...by, status_reason: 'Looking' });
    expect((await patch(id, { status: 'open' })).body).toMatchObject({ ...by, status_reason: 'Looking' });
    const at = new Date('2026-11-15T08:00:00Z');
    const withdrawn = await keep({ service: 'B', status: 'resolved', statusReason: 'Restated', statusChangedAt: at });
    expect((await patch(withdrawn, { reason: 'Refunded' })).body).toMatchObject({
      ...by,
      status_changed_at: at.toISOString(),
      status_reason: 'Refunded',
    });
    expect((await patch(withdrawn, { status: 'resolved' })).body).toMatchObject({
      status_changed_by: expect.stringMatching(/./),
      status_changed_at: team.deps.clock.now().toISOString(),
      status_reason: 'Refunded',
    });
  });

  it('rejects Viewers, empty and null changes, unknown values and fields, and long reasons', async () => {
    const id = await keep();
    expect(await patch(id, { status: 'resolved' }, 'dan')).toEqual(forbidden(/./));
    expect(await patch(id, {})).toEqual(invalid(/./));
    expect(await patch(id, { status: null })).toEqual(invalid(/status/));
    expect(await patch(id, { status: 'gone' })).toEqual(invalid(/status/));
    expect(await patch(id, { status: 'open', title: 'x' })).toEqual(invalid(/title/));
    expect(await patch(id, { note: 'x'.repeat(2001) })).toEqual(
      invalid('note must be at most 2000 characters, not 2001'),
    );
    expect(await patch(id, { reason: 'x'.repeat(501) })).toEqual(
      invalid('reason must be at most 500 characters, not 501'),
    );
    expect((await list()).data).toEqual([shown(id)]);
    expect(await team.recorded()).toEqual([]);
  });
});

it('deletes the anomalies of a purged account', async () => {
  const [one, two] = [await keep(), await keep({ account: 'two' })];
  await team.rest('ana', 'DELETE', `/accounts/${team.accounts.one}?purge=true`);
  expect((await list()).ids).toEqual([two]);
  expect(one).not.toBe(two);
});
