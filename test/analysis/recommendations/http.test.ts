import { beforeEach, describe, expect, it } from 'vitest';
import { remakeSums } from '../../../src/analysis/recommendations/sums-store.ts';
import { inTransaction } from '../../../src/kit/database/transaction.ts';
import { newId } from '../../../src/kit/ids.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { aTeam, invalid, type Team } from '../../tenancy/team.ts';
import { aResource } from '../resource.ts';

let team: Team;
let made = 0;
beforeEach(async () => {
  team = await aTeam();
});

interface Overrides {
  readonly account?: 'one' | 'two';
  readonly savings?: string;
  readonly [column: string]: unknown;
}

/** Stores a recommendation as an evaluation would.
 *  @returns its id */
async function keep({ account = 'one', savings = '10', ...rest }: Overrides = {}): Promise<string> {
  made += 1;
  const now = new Date(team.deps.clock.now().getTime() + made);
  const id = newId(now);
  await team.db.recommendation.create({
    data: {
      id,
      organizationId: team.organizationId,
      accountId: team.accounts[account],
      fingerprint: id,
      provider: 'aws',
      type: 'aws_eip_idle',
      title: 'Release it',
      description: 'Idle',
      nativeId: 'eipalloc-1',
      resourceName: 'vpn',
      currency: 'USD',
      estimatedMonthlySavings: savings,
      confidence: 'high',
      evidence: { window_end: '2026-11-18' },
      scripts: [{ kind: 'aws_cli', title: 'Release', script: 'aws', reversible: false }],
      createdAt: now,
      updatedAt: now,
      ...rest,
    },
  });
  const scope = orgScope(team.organizationId, null);
  await inTransaction(team.deps.pool, (client) => remakeSums(client, scope, team.accounts[account]));
  return id;
}

interface Listed {
  readonly data: { readonly id: string; readonly [field: string]: unknown }[];
  readonly pagination: { readonly total: number };
}

const list = async (query = '', who = 'dan') => {
  const { status, body } = await team.rest(who, 'GET', `/recommendations${query}`);
  expect(status).toBe(200);
  const { data, pagination } = body as Listed;
  return { ids: data.map(({ id }) => id), total: pagination.total, data };
};

describe('GET /recommendations', () => {
  it('returns every field of the contract', async () => {
    const id = await keep({ savings: '12.3456789', realizedMonthlySavings: '-1.5', statusReason: 'Why' });
    const { data } = await list();
    expect(data).toEqual([
      {
        id,
        account_id: team.accounts.one,
        provider: 'aws',
        type: 'aws_eip_idle',
        title: 'Release it',
        description: 'Idle',
        status: 'open',
        snoozed_until: null,
        resource: { id: null, native_id: 'eipalloc-1', name: 'vpn' },
        estimated_monthly_savings: 12.345679,
        currency: 'USD',
        converted: { currency: 'USD', estimated_monthly_savings: 12.345679, realized_monthly_savings: -1.5 },
        confidence: 'high',
        evidence: { window_end: '2026-11-18' },
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        status_changed_at: null,
        status_reason: 'Why',
        assignee_id: null,
        note: null,
        realized_monthly_savings: -1.5,
      },
    ]);
  });

  it('filters, sorts and pages', async () => {
    const small = await keep({ savings: '1', type: 'aws_ebs_gp2_gp3', status: 'applied' });
    const azure = await keep({ savings: '5', provider: 'azure', account: 'two' });
    const large = await keep({ savings: '20', title: 'A' });
    expect((await list()).ids).toEqual([large, azure, small]);
    expect((await list('?sort_by=estimated_monthly_savings')).ids).toEqual([small, azure, large]);
    expect(await list('?sort_by=-estimated_monthly_savings&per_page=1&page=2')).toMatchObject({
      ids: [azure],
      total: 3,
    });
    expect((await list('?status=applied,archived')).ids).toEqual([small]);
    expect((await list('?type=aws_eip_idle&provider=aws')).ids).toEqual([large]);
    expect((await list(`?account_id=${team.accounts.two}`)).ids).toEqual([azure]);
    expect((await list('?account_id=nobody')).ids).toEqual([]);
    expect((await list('?min_savings=5')).ids).toEqual([large, azure]);
    expect((await list('?min_savings=5.000001')).ids).toEqual([large]);
    for (const query of ['?status=done', '?sort_by=evidence', '?min_savings=much', '?min_savings=5.0000001'])
      expect(await team.rest('dan', 'GET', `/recommendations${query}`)).toMatchObject(
        invalid(/status|sort_by|min_savings/),
      );
  });

  it('sorts titles case-insensitively, and pages each recommendation once', async () => {
    const titles = new Map<string, string>();
    for (const title of ['Zap it', 'archive it', 'Buy it', 'ARCHIVE IT', 'cut it'])
      titles.set(await keep({ title }), title);
    const order = ['archive it', 'ARCHIVE IT', 'Buy it', 'cut it', 'Zap it'];
    const titlesOf = async (query: string) => (await list(query)).ids.map((id) => titles.get(id));
    expect(await titlesOf('?sort_by=title')).toEqual(order);
    expect(await titlesOf('?sort_by=-title')).toEqual(order.toReversed());
    const pages = [1, 2, 3].map((page) => titlesOf(`?sort_by=title&per_page=2&page=${page}`));
    expect((await Promise.all(pages)).flat()).toEqual(order);
  });

  it('pages savings without an exchange rate once each, by amount', async () => {
    const kept: string[] = [];
    for (const savings of ['6', '5', '4', '3', '2', '1']) kept.push(await keep({ savings, currency: 'JPY' }));
    const pagesOf = async (sort: string) => {
      const pages = [1, 2, 3].map((page) => list(`?sort_by=${sort}&per_page=2&page=${page}`));
      return (await Promise.all(pages)).flatMap(({ ids }) => ids);
    };
    expect(await pagesOf('-estimated_monthly_savings')).toEqual(kept);
    expect(await pagesOf('estimated_monthly_savings')).toEqual(kept.toReversed());
  });

  it("filters by resource, with their sum, within the caller's organization and accounts", async () => {
    const volume = await aResource(team, { account: 'one', nativeId: 'vol-1', resourceId: 7n });
    const namesake = await aResource(team, { account: 'two', nativeId: 'vol-1', resourceId: 7n });
    const bare = await aResource(team, { account: 'one', nativeId: 'vol-2', resourceId: 8n });
    const unattached = await keep({ resourceId: 7n, savings: '20', status: 'applied' });
    const gp2 = await keep({ resourceId: 7n, savings: '3', type: 'aws_ebs_gp2_gp3' });
    const asleep = await keep({ resourceId: 7n, snoozedUntil: new Date(team.deps.clock.now().getTime() + 1) });
    const hidden = await keep({ resourceId: 7n, account: 'two' });
    await keep({});
    for (const [query, ids] of [
      [volume, [gp2, unattached]],
      [`${volume}&include_snoozed=true`, [asleep, gp2, unattached]],
      [`${volume}&min_savings=5`, [unattached]],
      [`${volume}&min_savings=1&include_snoozed=true`, [asleep, gp2, unattached]],
      [`${volume}&status=open&type=aws_ebs_gp2_gp3`, [gp2]],
      [`${volume}&sort_by=-estimated_monthly_savings`, [unattached, gp2]],
      [`${volume}&sort_by=-realized_monthly_savings`, [gp2, unattached]],
      [`${volume}&account_id=${team.accounts.two}`, []],
      [namesake, [hidden]],
      [bare, []],
      ['nonsense', []],
    ] as const)
      expect({ query, ...(await list(`?resource_id=${query}`)) }).toMatchObject({ query, ids, total: ids.length });
    const asked = `query ($id: ID) {
      recommendations(resourceId: $id) { data { id } }
      recommendationsSummary(resourceId: $id, status: [OPEN, IN_PROGRESS, APPLIED, ARCHIVED]) { totalCount totalEstimatedMonthlySavings }
    }`;
    expect((await team.gql('dan', asked, { id: volume })).body.data).toEqual({
      recommendations: { data: [{ id: gp2 }, { id: unattached }] },
      recommendationsSummary: { totalCount: 2, totalEstimatedMonthlySavings: 23 },
    });
    await team.join('eve', 'member', [team.accounts.one]);
    expect((await list(`?resource_id=${volume}`, 'eve')).ids).toEqual([gp2, unattached]);
    expect((await list(`?resource_id=${namesake}`, 'eve')).ids).toEqual([]);
    const { body } = await team.rest('eve', 'GET', `/recommendations/summary?resource_id=${namesake}`);
    expect(body).toMatchObject({ total_count: 0, total_estimated_monthly_savings: 0 });
    await team.register('zoe').then(({ accessToken }) => (team.tokens['zoe'] = accessToken));
    expect((await list(`?resource_id=${volume}`, 'zoe')).ids).toEqual([]);
  });

  it('excludes snoozed recommendations until they wake, unless requested', async () => {
    const awake = await keep({ snoozedUntil: team.deps.clock.now() });
    const asleep = await keep({ snoozedUntil: new Date(team.deps.clock.now().getTime() + 1) });
    expect((await list()).ids).toEqual([awake]);
    expect((await list('?include_snoozed=true')).ids).toEqual([asleep, awake]);
  });

  it('shows restricted members only recommendations of their accounts', async () => {
    const seen = await keep({});
    const hidden = await keep({ account: 'two' });
    await team.join('eve', 'member', [team.accounts.one]);
    expect((await list('', 'eve')).ids).toEqual([seen]);
    expect((await list(`?account_id=${team.accounts.two}`, 'eve')).ids).toEqual([]);
    expect((await team.rest('eve', 'GET', `/recommendations/${hidden}`)).status).toBe(404);
    expect((await team.rest('eve', 'PATCH', `/recommendations/${hidden}`, { status: 'applied' })).status).toBe(404);
    expect((await team.rest('eve', 'GET', '/recommendations/summary')).body).toMatchObject({ total_count: 1 });
  });
});

describe('GET /recommendations/summary', () => {
  it("counts and sums by type and status, in the organization's currency", async () => {
    await team.db.account.updateMany({ data: { completeThrough: new Date('2026-11-18') } });
    const rate = {
      organizationId: team.organizationId,
      month: new Date('2026-11-01'),
      from: 'EUR',
      to: 'USD',
      rate: '1.1',
    };
    await team.db.exchangeRate.create({ data: rate });
    await keep({ savings: '10.0000004' });
    await keep({ savings: '10.0000003', type: 'aws_ebs_gp2_gp3', status: 'applied' });
    await keep({ savings: '100', currency: 'EUR' });
    await keep({ savings: '7', currency: 'JPY' });
    await keep({ savings: '2.5', type: 'aws_ebs_io1_gp3', status: 'in_progress' });
    await keep({ savings: '1000', snoozedUntil: new Date(team.deps.clock.now().getTime() + 1000) });
    const { body } = await team.rest('dan', 'GET', '/recommendations/summary');
    expect(body).toEqual({
      total_count: 4,
      total_estimated_monthly_savings: 122.5,
      currency: 'USD',
      by_type: [
        { type: 'aws_eip_idle', count: 3, estimated_monthly_savings: 120 },
        { type: 'aws_ebs_io1_gp3', count: 1, estimated_monthly_savings: 2.5 },
      ],
      by_status: [
        { status: 'open', count: 3, estimated_monthly_savings: 120.000001 },
        { status: 'applied', count: 1, estimated_monthly_savings: 10 },
        { status: 'in_progress', count: 1, estimated_monthly_savings: 2.5 },
      ],
      unconverted: [{ currency: 'JPY', estimated_monthly_savings: 7 }],
      provisional_rates: [],
    });
    await team.db.exchangeRate.updateMany({ data: { month: new Date('2026-09-01') } });
    const carried = await team.rest('dan', 'GET', '/recommendations/summary');
    expect(carried.body).toEqual({
      ...body,
      provisional_rates: [{ currency: 'EUR', month: '2026-11', rate_month: '2026-09' }],
    });
    const listOf = await team.rest('dan', 'GET', '/recommendations?sort_by=-estimated_monthly_savings');
    const converted = (currency: string) =>
      listOf.body.data.find((one: { currency: string }) => one.currency === currency)?.converted;
    expect(converted('EUR')).toEqual({
      currency: 'USD',
      estimated_monthly_savings: 110,
      realized_monthly_savings: null,
    });
    expect(converted('USD')).toMatchObject({ currency: 'USD', estimated_monthly_savings: 10 });
    expect(converted('JPY')).toBeNull();
    const open = await team.rest('dan', 'GET', '/recommendations/summary?status=applied&include_snoozed=true');
    expect(open.body).toMatchObject({ total_count: 1, total_estimated_monthly_savings: 10 });
  });
});

describe('PATCH /recommendations/{id}', () => {
  const patch = (id: string, body: object, who = 'cleo') => team.rest(who, 'PATCH', `/recommendations/${id}`, body);

  it('changes the status, audits who and why, and returns the details', async () => {
    const id = await keep({ realizedMonthlySavings: 3 });
    const answer = await patch(id, { status: 'archived', reason: ' It is our spare. ' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        status: 'archived',
        status_reason: 'It is our spare.',
        status_changed_at: team.deps.clock.now().toISOString(),
        realized_monthly_savings: null,
        remediation_scripts: [{ kind: 'aws_cli', title: 'Release', script: 'aws', reversible: false }],
      },
    });
    expect((await team.rest('dan', 'GET', `/recommendations/${id}`)).body).toEqual(answer.body);
    expect((await team.recorded()).at(-1)).toMatchObject({
      action: 'recommendation_changed',
      resourceType: 'recommendation',
      details: { status: { before: 'open', after: 'archived' }, reason: 'It is our spare.' },
    });
  });

  it('accepts status_reason in REST and GraphQL, and the deprecated alias reason', async () => {
    const id = await keep();
    expect((await patch(id, { status: 'in_progress', status_reason: 'Planned for May' })).body).toMatchObject({
      status_reason: 'Planned for May',
    });
    const change = `mutation { updateRecommendation(id: "${id}", input: { status: ARCHIVED, statusReason: "Ours" }) { statusReason } }`;
    expect((await team.gql('cleo', change)).body).toEqual({ data: { updateRecommendation: { statusReason: 'Ours' } } });
    expect((await patch(id, { status: 'open', reason: 'Not ours' })).body).toMatchObject({ status_reason: 'Not ours' });
    expect(await patch(id, { status: 'open', reason: 'a', status_reason: 'b' })).toMatchObject(
      invalid(/reason is a deprecated alias of status_reason/),
    );
  });

  it('changes or removes only the reason, and drops it with a new status', async () => {
    const id = await keep();
    const by = { status: 'open', status_changed_at: null };
    expect((await patch(id, { status_reason: ' Asked the team ' })).body).toMatchObject({
      ...by,
      status_reason: 'Asked the team',
    });
    expect((await patch(id, { snooze_days: 3 })).body).toMatchObject({ ...by, status_reason: 'Asked the team' });
    expect((await patch(id, { status: 'open' })).body).toMatchObject({ ...by, status_reason: 'Asked the team' });
    expect((await patch(id, { status_reason: null })).body).toMatchObject({ ...by, status_reason: null });
    expect((await team.recorded()).at(-1)).toMatchObject({ details: { reason: null } });
    await patch(id, { reason: 'Because' });
    expect((await patch(id, { status: 'archived' })).body).toMatchObject({ status: 'archived', status_reason: null });
  });

  it('snoozes for days or until an instant, and wakes', async () => {
    const id = await keep();
    const now = team.deps.clock.now().getTime();
    const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();
    expect((await patch(id, { snooze_days: 365 })).body).toMatchObject({ snoozed_until: inDays(365), status: 'open' });
    expect((await patch(id, { snoozed_until: inDays(3) })).body).toMatchObject({ snoozed_until: inDays(3) });
    expect((await patch(id, { snoozed_until: null })).body).toMatchObject({ snoozed_until: null });
    await patch(id, { snooze_days: 1 });
    expect((await patch(id, { snooze_days: null })).body).toMatchObject({ snoozed_until: null });
  });

  it.each([
    [{}, /Nothing to change|body/],
    [{ status: null }, /status/],
    [{ status: 'done' }, /status/],
    [{ snooze_days: 0 }, /snooze_days must be 1 to 365, not 0/],
    [{ snooze_days: 366 }, /snooze_days/],
    [{ snoozed_until: '2020-01-01T00:00:00Z' }, /snoozed_until/],
    [{ snoozed_until: '2999-01-01T00:00:00Z' }, /snoozed_until/],
    [{ snooze_days: 1, snoozed_until: '2999-01-01T00:00:00Z' }, /^snoozed_until and snooze_days cannot be combined/],
    [{ status: 'open', reason: 'x'.repeat(501) }, /reason must be at most 500/],
    [{ status_reason: 'x'.repeat(501) }, /status_reason must be at most 500 characters, not 501/],
    [{ title: 'Mine' }, /title/],
  ])('rejects %j', async (body, message) => {
    expect(await patch(await keep(), body)).toMatchObject(invalid(message));
  });

  it('returns 403 to Viewers, and 404 for an unknown id', async () => {
    expect((await patch(await keep(), { status: 'applied' }, 'dan')).status).toBe(403);
    expect((await patch('nobody', { status: 'applied' })).status).toBe(404);
  });
});
