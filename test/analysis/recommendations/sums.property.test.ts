import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluateRecommendations } from '../../../src/analysis/recommendations/evaluation/run.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { aTeam } from '../../tenancy/team.ts';
import { bill, type Charge } from './world.ts';

/** Unattached volumes, each with its own recommendation. */
const volumes = Array.from({ length: 6 }, (_, at) => `arn:aws:ec2:eu-west-1:111111111111:volume/vol-${at}`);
const metadata = Object.fromEntries(volumes.map((id) => [id, { state: 'available', stateSince: '2026-09-01' }]));
const statuses = ['open', 'in_progress', 'applied', 'archived'] as const;
const currencies = ['USD', 'EUR', 'JPY'] as const;
/** JPY has no rate. */
const rates: Readonly<Record<string, number>> = { USD: 1, EUR: 1.25 };

const anAct = fc.oneof(
  fc.record({
    kind: fc.constant('evaluate' as const),
    account: fc.constantFrom('one', 'two'),
    billed: fc.array(
      fc.record({
        resource: fc.constantFrom(...volumes),
        cost: fc.integer({ min: 1, max: 9 }),
        currency: fc.constantFrom(...currencies),
      }),
    ),
  }),
  fc.record({ kind: fc.constant('status' as const), at: fc.nat(), status: fc.constantFrom(...statuses) }),
  fc.record({ kind: fc.constant('snooze' as const), at: fc.nat(), days: fc.constantFrom(null, 1, 5) }),
);
const aFilter = fc.record({
  status: fc.option(fc.subarray([...statuses], { minLength: 1 })),
  account: fc.option(fc.constantFrom('one', 'two')),
  min: fc.option(fc.constantFrom(0, 60, 150.5)),
  snoozed: fc.boolean(),
});

type Act = typeof anAct extends fc.Arbitrary<infer T> ? T : never;
type Filter = typeof aFilter extends fc.Arbitrary<infer T> ? T : never;

interface Item {
  readonly id: string;
  readonly currency: string;
  readonly estimated_monthly_savings: number;
}

it('lists, counts and sums consistently under concurrent evaluations and changes', async () => {
  const team = await aTeam();
  const scope = orgScope(team.organizationId, null);
  await team.db.exchangeRate.create({
    data: { organizationId: team.organizationId, month: new Date('2026-11-01'), from: 'EUR', to: 'USD', rate: '1.25' },
  });
  const all = () => team.db.recommendation.findMany({ where: { organizationId: team.organizationId } });
  const get = async <Body>(path: string, query: string) =>
    (await team.rest('dan', 'GET', `${path}?${query}`)).body as Body;

  async function perform(act: Act, ids: readonly string[]): Promise<void> {
    if (act.kind === 'evaluate') {
      const accountId = team.accounts[act.account === 'one' ? 'one' : 'two'];
      await evaluateRecommendations(team.deps, scope, accountId);
      return;
    }
    const id = ids[act.at % ids.length];
    if (id === undefined) return;
    const body = act.kind === 'status' ? { status: act.status } : { snooze_days: act.days };
    expect((await team.rest('cleo', 'PATCH', `/recommendations/${id}`, body)).status).toBe(200);
  }

  async function billAgain(act: Act): Promise<void> {
    if (act.kind !== 'evaluate') return;
    const once = [...new Map(act.billed.map((each) => [each.resource, each])).values()];
    const charges = once.map((each): Charge => ({
      ...each,
      from: '2026-08-01',
      to: '2026-11-18',
      meter: 'EU-EBS:VolumeUsage.gp3',
      unit: 'GB-Mo',
    }));
    const accountId = team.accounts[act.account === 'one' ? 'one' : 'two'];
    await bill(team.deps, {
      organizationId: team.organizationId,
      accountId,
      completeThrough: '2026-11-18',
      charges,
      metadata,
    });
  }

  async function check(filter: Filter): Promise<void> {
    const accountId = filter.account && team.accounts[filter.account === 'one' ? 'one' : 'two'];
    const now = team.deps.clock.now();
    const expected = (await all())
      .filter((each) => !filter.status || filter.status.includes(each.status))
      .filter((each) => !accountId || each.accountId === accountId)
      .filter((each) => filter.snoozed || each.snoozedUntil === null || each.snoozedUntil <= now)
      .map((each) => ({ ...each, worth: worthOf(each.currency, Number(each.estimatedMonthlySavings)) }))
      .filter(({ worth }) => filter.min === null || (worth !== null && worth >= filter.min));
    const query = new URLSearchParams({
      ...(filter.status && { status: filter.status.join(',') }),
      ...(accountId && { account_id: accountId }),
      ...(filter.min !== null && { min_savings: String(filter.min) }),
      include_snoozed: String(filter.snoozed),
    });
    const pages = await Promise.all(
      [1, 2, 3].map((page) =>
        get<{ data: Item[]; pagination: { total: number } }>(
          '/recommendations',
          `${query}&per_page=4&page=${page}&sort_by=-estimated_monthly_savings`,
        ),
      ),
    );
    expect(pages.map(({ pagination }) => pagination.total)).toEqual([1, 2, 3].map(() => expected.length));
    const listed = pages.flatMap(({ data }) => data);
    expect(listed.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
    const worths = listed.map((each) => worthOf(each.currency, each.estimated_monthly_savings) ?? -1);
    expect(worths).toEqual(worths.toSorted((a, b) => b - a));
    const summary = await get<{ total_count: number; total_estimated_monthly_savings: number }>(
      '/recommendations/summary',
      // By default its totals cover only what can still be saved.
      filter.status ? query.toString() : `${query}&status=open,in_progress,applied,archived`,
    );
    expect(summary.total_count).toBe(expected.length);
    const worth = expected.reduce((sum, each) => sum + (each.worth ?? 0), 0);
    expect(summary.total_estimated_monthly_savings).toBeCloseTo(worth, 4);
  }

  await fc.assert(
    fc.asyncProperty(
      fc.array(anAct, { maxLength: 6 }),
      fc.array(aFilter, { minLength: 2, maxLength: 2 }),
      async (acts, filters) => {
        const ids = (await all()).map(({ id }) => id);
        // Bills are written first: loads do not run concurrently with evaluations.
        for (const act of acts) await billAgain(act);
        await Promise.all(acts.map((act) => perform(act, ids)));
        for (const filter of filters) await check(filter);
      },
    ),
    { numRuns: 30 },
  );
}, 120_000);

function worthOf(currency: string, savings: number): number | null {
  const rate = rates[currency];
  return rate === undefined ? null : savings * rate;
}
