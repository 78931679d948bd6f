import { expect, it } from 'vitest';
import { readDrivers } from '../../../src/analysis/anomalies/evaluation/driver-store.ts';
import { virtualTagsOf, readTagDrivers } from '../../../src/analysis/anomalies/evaluation/tag-driver-store.ts';
import type { Finding } from '../../../src/analysis/anomalies/evaluation/finding.ts';
import { openFacts } from '../../../src/engine/fact-set.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld, writeFacts, type FactRow } from '../../support/facts.ts';

const organizationId = '01890000-0000-7000-8000-0000000000aa';
const accountId = '01890000-0000-7000-8000-0000000000ab';
const [usualDay, day] = ['2026-10-01', '2026-10-02'] as const;
const finding: Finding = {
  provider: 'aws',
  service: 'EC2',
  currency: 'USD',
  kind: 'spike',
  severity: 'high',
  startDate: day,
  endDate: day,
  detectedOn: day,
  days: [day],
  usualDays: [usualDay],
  peak: { date: day, cost: 26, expected: 4 },
  actual: 26_000_000n,
  expected: 4_000_000n,
  chart: [],
};

/** A charge of the service on the anomaly's day. */
function charge(cost: number, row: Partial<FactRow> = {}): FactRow {
  const usage = { ServiceName: 'EC2', PricingQuantity: 24, PricingUnit: 'Hrs' };
  return { ChargePeriodStart: day, EffectiveCost: cost, ...usage, ...row };
}

/** Opens the facts of an account with these charges in October. */
async function opened(rows: readonly FactRow[]) {
  const { prisma, pool } = await freshDatabase();
  const deps = { ...factWorld(), pool };
  await pool.query(
    `INSERT INTO organizations (id, name, currency, trust_external_id, created_at) VALUES ($1::uuid, 'Test', 'USD', 'x', now())`,
    [organizationId],
  );
  await pool.query(
    `INSERT INTO accounts (id, organization_id, name, provider, external_id, created_at) VALUES ($1, $2, 'Test', 'focus', 'x', now())`,
    [accountId, organizationId],
  );
  await writeFacts(deps, { organizationId, accountId, month: '2026-10', rows });
  const range = { accountIds: null, start: null, end: null, grain: 'day' } as const;
  return { deps, prisma, facts: await openFacts(pool, orgScope(organizationId, null), range) };
}

it('ranks the values of a dimension by growth over the scaled usual days, then by value', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => String(index + 10));
  const rows = [
    charge(2, { ChargePeriodStart: usualDay, ResourceId: 'shrunk', ResourceName: 'db' }),
    charge(1, { ResourceId: 'shrunk', ResourceName: 'db' }),
    ...numbers.map((number) => charge(1, { ResourceId: `new-${number}`, SkuMeter: 'Hours' })),
    charge(5, { SkuMeter: 'Hours', PricingUnit: 'GB' }),
    // None of these is usage of the service in the finding's currency.
    charge(100, { ChargeClass: 'Correction', ResourceId: 'a' }),
    charge(100, { ChargeCategory: 'Tax', ResourceId: 'b' }),
    charge(100, { BillingCurrency: 'EUR', ResourceId: 'c' }),
    charge(100, { ServiceName: 'RDS', ResourceId: 'd' }),
    charge(100, { ChargePeriodStart: '2026-10-03', ResourceId: 'e' }),
  ];
  const { deps, facts } = await opened(rows);

  const { sums, newResources } = await readDrivers(deps, facts, finding);
  const of = (dimension: string) => sums.filter((each) => each.dimension === dimension);
  expect(of('resource').map(({ value }) => value)).toEqual([
    '',
    ...numbers.slice(0, 7).map((number) => `new-${number}`),
    // 1, compared with the 4 expected from its 2 on the usual day.
    'shrunk',
  ]);
  expect(of('resource').at(-1)).toMatchObject({ name: 'db', cost: '1.00000000', usualCost: '2.00000000' });
  expect(newResources).toEqual({ count: 20, cost: '20.00000000' });
  expect(of('usage_type').map(({ value, unit, cost }) => [value, unit, Number(cost)])).toEqual([
    ['Hours', 'Hrs', 20],
    ['Hours', 'GB', 5],
    ['', 'Hrs', 1],
  ]);
  expect(of('pricing')).toMatchObject([{ value: 'on_demand', quantity: '528.00000000' }]);
});

it('ranks the values of each enabled virtual tag, by the rules that answers use', async () => {
  const rows = [
    charge(4, { ChargePeriodStart: usualDay, RegionId: 'eu-west-1' }),
    charge(20, { RegionId: 'eu-west-1' }),
    charge(6, { RegionId: 'us-east-1' }),
    charge(100, { ServiceName: 'RDS', RegionId: 'ap-south-1' }),
  ];
  const { deps, prisma, facts } = await opened(rows);
  const scope = orgScope(organizationId, null);
  const read = async () => readTagDrivers(deps, facts, await virtualTagsOf(deps, scope, accountId), finding);
  expect(await read()).toEqual([]);
  const rule = { value: 'europe', valueFrom: null };
  const conditions = [{ dimension: 'region', operator: 'starts_with', values: ['eu-'] }];
  const live = { defaultValue: 'Elsewhere', rules: [{ ...rule, conditions }], splits: [] };
  const tag = { ...live, organizationId, description: '', live, revision: 1, liveRevision: 1, createdById: accountId };
  const dates = { createdAt: new Date(), updatedAt: new Date() };
  for (const [slot, key] of ['continent', 'disabled'].entries())
    await prisma.virtualTag.create({ data: { ...tag, ...dates, slot, key, name: key, enabled: key === 'continent' } });
  const sums = await read();
  expect(
    sums.map(({ dimension, key, value, cost, usualCost }) => [dimension, key, value, Number(cost), Number(usualCost)]),
  ).toEqual([
    ['virtual_tag', 'continent', 'europe', 20, 4],
    ['virtual_tag', 'continent', 'Elsewhere', 6, 0],
  ]);
});
