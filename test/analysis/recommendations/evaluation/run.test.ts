import { beforeAll, describe, expect, it } from 'vitest';
import { evaluateRecommendations } from '../../../../src/analysis/recommendations/evaluation/run.ts';
import type { Database } from '../../../../src/kit/database/open.ts';
import { orgScope } from '../../../../src/tenancy/auth/scope.ts';
import { freshDatabase } from '../../../support/database.ts';
import { factWorld } from '../../../support/facts.ts';
import { bill, type Billed, type Charge } from '../world.ts';

const organizationId = '01890000-0000-7000-8000-0000000000aa';
const scope = orgScope(organizationId, null);
const volume = 'arn:aws:ec2:eu-west-1:111111111111:volume/vol-1';
const unattached = { [volume]: { state: 'available', stateSince: '2026-09-01' } };

let database: Database;
let made = 0;
beforeAll(async () => {
  database = await freshDatabase();
});
const facts = factWorld();

/** 1 per day for the volume, from August to the last complete day. */
const volumeCharge: Charge = {
  from: '2026-08-01',
  to: '2026-11-18',
  meter: 'EU-EBS:VolumeUsage.gp3',
  unit: 'GB-Mo',
  resource: volume,
  cost: 1,
};

function anAccount(overrides: Partial<Billed> = {}): Billed {
  made += 1;
  return {
    organizationId,
    accountId: `01890000-0000-7000-8000-0000000001${String(made).padStart(2, '0')}`,
    completeThrough: '2026-11-18',
    charges: [volumeCharge],
    metadata: unattached,
    ...overrides,
  };
}

async function evaluate(billed: Billed, now = '2026-11-20T06:00:00Z') {
  const deps = { ...facts, pool: database.pool, clock: { now: () => new Date(now) } };
  await bill(deps, billed);
  const evaluated = await evaluateRecommendations(deps, scope, billed.accountId);
  const rows = await database.prisma.recommendation.findMany({
    where: { accountId: billed.accountId },
    orderBy: { fingerprint: 'asc' },
  });
  return { evaluated, rows };
}

const change = (billed: Billed, data: object) =>
  database.prisma.recommendation.updateMany({ where: { accountId: billed.accountId }, data });

/** Sets or removes the rate from EUR to USD, the organization's currency. */
async function setRate(rate: number | null) {
  await database.prisma.exchangeRate.deleteMany();
  if (rate === null) return;
  const month = new Date('2026-11-01');
  await database.prisma.exchangeRate.create({ data: { organizationId, month, from: 'EUR', to: 'USD', rate } });
}

describe('evaluateRecommendations', () => {
  it('stores findings based on the last 30 complete days', async () => {
    const later = { ...volumeCharge, from: '2026-11-19', to: '2026-11-20', cost: 100 } as const;
    const correction = { ...volumeCharge, from: '2026-11-01', to: '2026-11-01', cost: -50, correction: true } as const;
    const { evaluated, rows } = await evaluate(anAccount({ charges: [volumeCharge, later, correction] }));
    expect(evaluated).toEqual({ found: 1, archived: 0 });
    expect(rows).toMatchObject([
      {
        type: 'aws_ebs_unattached',
        status: 'open',
        provider: 'aws',
        nativeId: volume,
        currency: 'USD',
        confidence: 'high',
        evidence: {
          method: 'upper_bound',
          state: 'available',
          window_start: '2026-10-20',
          window_end: '2026-11-18',
          charges: [{ meter: 'EBS:VolumeUsage.gp3', unit: 'GB-Mo', monthly_cost: 30.4375, monthly_savings: 30.4375 }],
        },
      },
    ]);
    expect(rows[0]?.estimatedMonthlySavings.toString()).toBe('30.4375');
    expect(rows[0]?.baselineDailyCost?.toString()).toBe('1');
  });

  it('changes nothing when repeated', async () => {
    const billed = anAccount();
    const first = await evaluate(billed);
    const second = await evaluate(billed, '2026-11-21T06:00:00Z');
    expect(second.rows).toEqual(first.rows);
  });

  it('keeps id and status across syncs, and updates the figures', async () => {
    const billed = anAccount();
    const { rows: before } = await evaluate(billed);
    await change(billed, { status: 'in_progress' });
    const { rows } = await evaluate({ ...billed, charges: [{ ...volumeCharge, cost: 2 }] }, '2026-11-21T06:00:00Z');
    expect(rows).toMatchObject([{ id: before[0]?.id, status: 'in_progress' }]);
    expect(rows[0]?.estimatedMonthlySavings.toString()).toBe('60.875');
    expect(rows[0]?.createdAt).toEqual(before[0]?.createdAt);
    expect(rows[0]?.updatedAt.toISOString()).toBe('2026-11-21T06:00:00.000Z');
  });

  it.each([
    [
      'the resource was deleted long ago and is no longer in the inventory',
      { forgotten: [volume] },
      'The resource was deleted.',
    ],
    ['the resource is deleted', { gone: [volume] }, 'The resource was deleted.'],
    ['it is in use again', { metadata: { [volume]: { state: 'in-use' } } }, 'The recommendation no longer applies.'],
    [
      'a tag excludes it',
      { tags: { [volume]: { 'FinOps:Ignore': 'true' } } },
      'A tag excludes it from recommendations.',
    ],
    [
      'the saving has become too small',
      { charges: [{ ...volumeCharge, cost: 0.03 }] },
      'The remaining saving is less than 1 USD per month.',
    ],
  ])('archives with a reason when %s, and reopens when it applies again', async (_title, news, reason) => {
    const billed = anAccount();
    await evaluate(billed);
    const archived = await evaluate({ ...billed, ...news });
    expect(archived.evaluated).toEqual({ found: 0, archived: 1 });
    expect(archived.rows).toMatchObject([{ status: 'archived', statusReason: reason }]);
    const again = await evaluate(billed);
    expect(again.rows).toMatchObject([{ status: 'open', statusReason: null }]);
  });

  it('archives a recommendation when another meter replaces the one it was based on', async () => {
    const gp2 = { ...volumeCharge, meter: 'EU-EBS:VolumeUsage.gp2', quantity: 10 } as const;
    const billed = anAccount({ charges: [gp2], metadata: {} });
    expect((await evaluate(billed)).rows).toMatchObject([{ type: 'aws_ebs_gp2_gp3', status: 'open' }]);
    const changed = (last: `2026-11-${number}`, first: `2026-11-${number}`) => ({
      ...billed,
      charges: [
        { ...gp2, to: last },
        { ...gp2, from: first, to: '2026-11-18', meter: 'EU-EBS:VolumeUsage.gp3', cost: 0.5 } as const,
      ],
    });
    expect((await evaluate(changed('2026-11-15', '2026-11-16'))).rows).toMatchObject([{ status: 'open' }]);
    expect((await evaluate(changed('2026-11-14', '2026-11-15'))).rows).toMatchObject([
      { status: 'archived', statusReason: 'The recommendation no longer applies.' },
    ]);
  });

  it('does not reopen a recommendation that a user archived', async () => {
    const billed = anAccount();
    await evaluate(billed);
    await change(billed, { status: 'archived', statusChangedById: organizationId, statusReason: 'We need it' });
    const { rows } = await evaluate({ ...billed, charges: [{ ...volumeCharge, cost: 2 }] });
    expect(rows).toMatchObject([{ status: 'archived', statusReason: 'We need it' }]);
  });

  it('finds nothing before the first complete day, nor on resources only a few days old', async () => {
    const young = { ...volumeCharge, from: '2026-11-13', to: '2026-11-18' } as const;
    expect((await evaluate(anAccount({ charges: [young] }))).rows).toEqual([]);
    expect((await evaluate(anAccount({ completeThrough: '2026-07-01' }))).rows).toEqual([]);
  });
});

describe('a change of the billing currency', () => {
  const before = { from: '2026-08-01', to: '2026-11-13' } as const;
  const since = { from: '2026-11-14', to: '2026-11-18', currency: 'EUR' } as const;
  const changed = [
    { ...volumeCharge, ...before },
    { ...volumeCharge, ...since, cost: 0.5 },
  ];

  it('does not reduce savings: they are those of 30 days, in the new currency', async () => {
    const billed = anAccount({ charges: [{ ...volumeCharge, ...before }], completeThrough: '2026-11-13' });
    const [known] = (await evaluate(billed)).rows;
    expect(known).toMatchObject({ status: 'open', currency: 'USD' });
    await setRate(2);
    const { rows } = await evaluate({ ...billed, charges: changed, completeThrough: '2026-11-18' });
    expect(rows).toMatchObject([{ id: known?.id, status: 'open', currency: 'EUR' }]);
    // (25 × 1 / 2 + 5 × 0.5) / 30 × 30.4375
    expect(rows[0]?.estimatedMonthlySavings.toString()).toBe('15.21875');
    expect(rows[0]?.baselineDailyCost?.toString()).toBe('0.5');
  });

  it('does not hide earlier usage from detectors', async () => {
    const bucket = { resource: 'arn:aws:s3:::data', service: 'Amazon Simple Storage Service' } as const;
    const stored = { ...volumeCharge, ...bucket, meter: 'EU-TimedStorage-ByteHrs', cost: 10, quantity: 20 };
    const read = { ...volumeCharge, ...bucket, meter: 'EU-Requests-Tier2', unit: 'Requests', cost: 0.1, quantity: 100 };
    const charges = [stored, read].flatMap((charge) => [
      { ...charge, ...before },
      { ...charge, ...since },
    ]);
    await setRate(2);
    expect((await evaluate(anAccount({ charges }))).rows).toEqual([]);
    const unread = charges.filter(({ meter }) => meter === stored.meter);
    expect((await evaluate(anAccount({ charges: unread }))).rows).toMatchObject([{ type: 'aws_s3_cold_standard' }]);
  });

  it('archives recommendations with a reason while there is no exchange rate', async () => {
    const billed = anAccount({ charges: changed });
    await setRate(2);
    await evaluate(billed);
    await setRate(null);
    expect((await evaluate(billed)).rows).toMatchObject([
      { status: 'archived', statusReason: 'Its costs in USD and EUR cannot be compared without an exchange rate.' },
    ]);
    await setRate(2);
    expect((await evaluate(billed)).rows).toMatchObject([{ status: 'open', statusReason: null }]);
  });
});

describe('realized savings of applied recommendations', () => {
  it('are measured on the bill, day by day', async () => {
    const billed = anAccount();
    await evaluate(billed);
    await change(billed, { status: 'applied', statusChangedAt: new Date('2026-11-18T12:00:00Z') });
    expect((await evaluate(billed)).rows).toMatchObject([{ status: 'applied', realizedMonthlySavings: null }]);
    // Four complete days later: 0.25 on the first of them, and no cost on the others.
    const rest = { ...volumeCharge, from: '2026-11-19', to: '2026-11-19', cost: 0.25 } as const;
    const { rows } = await evaluate({
      ...billed,
      charges: [volumeCharge, rest],
      completeThrough: '2026-11-22',
      gone: [volume],
    });
    // (1 - 0.25 / 4) × 30.4375
    expect(rows[0]?.realizedMonthlySavings?.toString()).toBe('28.535156');
    expect(rows[0]?.status).toBe('applied');
    expect(rows[0]?.estimatedMonthlySavings.toString()).toBe('30.4375');
  });

  it.each([
    ['are measured at the exchange rate if the billing currency has changed', 2, '25.871875'],
    ['are unknown if the billing currency has changed and there is no exchange rate', null, undefined],
  ])('%s', async (_title, rate, expected) => {
    const billed = anAccount();
    await evaluate(billed);
    await change(billed, { status: 'applied', statusChangedAt: new Date('2026-11-18T12:00:00Z') });
    const rest = { ...volumeCharge, from: '2026-11-19', cost: 0.1 } as const;
    const charges = [
      volumeCharge,
      { ...rest, to: '2026-11-20' },
      { ...rest, from: '2026-11-21', to: '2026-11-22', currency: 'EUR' },
    ] as const;
    await setRate(rate);
    const { rows } = await evaluate({ ...billed, charges, completeThrough: '2026-11-22', gone: [volume] });
    // (1 - (0.1 × 2 + 0.1 × 2 × 2) / 4) × 30.4375
    expect(rows[0]?.realizedMonthlySavings?.toString()).toBe(expected);
  });

  it('are measured for commitments and for charges without a resource', async () => {
    const days = { from: '2026-08-01', to: '2026-11-18' } as const;
    const unused = { ...days, meter: 'Reservation', cost: 2, kind: 6, commitment: 'ri-1' } as const;
    const traffic = { ...days, meter: 'EU-DataTransfer-Regional-Bytes', unit: 'GB', quantity: 100, cost: 4 } as const;
    const elsewhere = { ...traffic, service: 'Other', cost: 100 } as const;
    const used = { ...unused, kind: 3, cost: 50 } as const;
    const billed = anAccount({ charges: [unused, used, traffic] });
    const { rows: found } = await evaluate(billed);
    expect(found.map(({ type, nativeId, resourceId }) => ({ type, nativeId, resourceId }))).toEqual([
      { type: 'aws_cross_az_transfer_shared', nativeId: null, resourceId: null },
      { type: 'reservation_unused', nativeId: 'ri-1', resourceId: null },
    ]);
    await change(billed, { status: 'applied', statusChangedAt: new Date('2026-11-18T12:00:00Z') });
    const since = { from: '2026-11-19', to: '2026-11-20' } as const;
    const charges = [unused, used, traffic, { ...unused, ...since, cost: 1 }, { ...traffic, ...since, cost: 3 }];
    const later = [...charges, { ...used, ...since }, { ...elsewhere, ...since }];
    const { rows } = await evaluate({ ...billed, charges: later, completeThrough: '2026-11-22' });
    const applied = rows.filter(({ status }) => status === 'applied');
    // (4 - 3 × 2 / 4) × 30.4375 and (2 - 1 × 2 / 4) × 30.4375
    expect(applied.map(({ realizedMonthlySavings }) => realizedMonthlySavings?.toString())).toEqual([
      '76.09375',
      '45.65625',
    ]);
  });
});
