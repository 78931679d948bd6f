import { afterEach, describe, expect, it } from 'vitest';
import { isRemembered, termOf } from '../../../../src/providers/aws/inventory/savings-plans.ts';
import type { FakeAws } from '../../../support/clouds/aws/fake.ts';
import { inventoryAnswers, regionsOn } from '../../../support/clouds/aws/inventory.ts';
import { listAs, startAws } from './listing.ts';

let fake: FakeAws | null = null;
afterEach(async () => {
  await fake?.stop();
  fake = null;
});

const plan = (id: string, more: object = {}) => ({
  savingsPlanId: id,
  savingsPlanArn: `arn:aws:savingsplans::123456789012:savingsplan/${id}`,
  description: '3 year Partial Upfront Compute Savings Plan',
  start: '2025-11-20T08:00:00.000Z',
  end: '2028-11-19T07:59:59.000Z',
  state: 'active',
  savingsPlanType: 'Compute',
  paymentOption: 'Partial Upfront',
  productTypes: ['EC2', 'Fargate', 'Lambda'],
  currency: 'USD',
  commitment: '2.50000000',
  upfrontPaymentAmount: '32850.00000000',
  recurringPaymentAmount: '1.25000000',
  termDurationInSeconds: 94_608_000,
  tags: {},
  ...more,
});

describe('Savings Plans', () => {
  it('are listed with their exact hourly commitment and end', async () => {
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('eu-west-1'),
        'savingsplans.DescribeSavingsPlans': {
          '*': {
            savingsPlans: [
              plan('11111111-aaaa'),
              plan('22222222-bbbb', {
                savingsPlanType: 'EC2Instance',
                region: 'eu-west-1',
                ec2InstanceFamily: 'm6i',
                tags: { team: 'shop' },
              }),
              plan('33333333-cccc', { state: 'retired', end: '2024-01-01T00:00:00.000Z' }),
              plan('44444444-dddd', { state: 'payment-failed' }),
            ],
          },
        },
      }),
    );
    const { items } = await listAs(fake);
    expect(items).toEqual([
      {
        provider: 'aws',
        nativeId: 'arn:aws:savingsplans::123456789012:savingsplan/11111111-aaaa',
        aliases: ['11111111-aaaa'],
        name: 'Compute Savings Plan',
        resourceType: 'Compute Savings Plans',
        service: 'Savings Plans for AWS Compute usage',
        region: 'global',
        tags: {},
        metadata: {
          state: 'active',
          startsAt: '2025-11-20T08:00:00.000Z',
          endsAt: '2028-11-19T07:59:59.000Z',
          termMonths: 36,
          payment: 'partial_upfront',
          currency: 'USD',
          hourlyCommitment: '2.50000000',
          upfrontPayment: '32850.00000000',
          offering: '3 year Partial Upfront Compute Savings Plan',
        },
      },
      expect.objectContaining({
        name: 'EC2 Instance Savings Plan m6i in eu-west-1',
        resourceType: 'EC2 Instance Savings Plans',
        region: 'eu-west-1',
        tags: { team: 'shop' },
      }),
    ]);
    expect(fake.log.find(({ service }) => service === 'savingsplans')?.region).toBe('us-east-1');
  });
});

describe('OpenSearch reservations', () => {
  it('are listed with the ids that bills may contain', async () => {
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('eu-west-1'),
        'es.DescribeReservedInstances': {
          '*': {
            ReservedInstances: [
              {
                ReservationName: 'logs',
                ReservedInstanceId: '9e7ac2c8-1b1c-4a4f-b2f6-1f7d1c0f3a11',
                InstanceType: 'm5.large.search',
                StartTime: 1_767_225_600,
                Duration: 31_536_000,
                FixedPrice: 0,
                UsagePrice: 0,
                CurrencyCode: 'USD',
                InstanceCount: 3,
                State: 'active',
                PaymentOption: 'NO_UPFRONT',
                RecurringCharges: [{ RecurringChargeAmount: 0.098, RecurringChargeFrequency: 'Hourly' }],
              },
            ],
          },
        },
      }),
    );
    const { items } = await listAs(fake);
    expect(items).toMatchObject([
      {
        nativeId: 'arn:aws:es:eu-west-1:123456789012:reserved-instances/9e7ac2c8-1b1c-4a4f-b2f6-1f7d1c0f3a11',
        name: 'logs',
        service: 'Amazon OpenSearch Service',
        resourceType: 'Reserved',
        metadata: {
          state: 'active',
          startsAt: '2026-01-01T00:00:00.000Z',
          endsAt: '2027-01-01T00:00:00.000Z',
          termMonths: 12,
          payment: 'no_upfront',
          count: 3,
          hourlyRate: 0.098,
        },
      },
    ]);
    expect(items[0]?.aliases).toContain('9e7ac2c8-1b1c-4a4f-b2f6-1f7d1c0f3a11');
  });
});

describe('ended commitment', () => {
  const ended = (state: string, end: string) => ({
    state,
    start: new Date('2025-01-01T00:00:00Z'),
    end: new Date(end),
    durationSeconds: 31_536_000,
    payment: 'All Upfront',
  });
  const now = new Date('2026-11-21T00:00:00Z');

  it('is kept for 62 days, the period of evaluated bills', () => {
    expect(isRemembered(ended('retired', '2026-09-20T00:00:01Z'), now)).toBe(true);
    expect(isRemembered(ended('retired', '2026-09-20T00:00:00Z'), now)).toBe(false);
    expect(isRemembered(ended('RETURNED', '2026-11-01T00:00:00Z'), now)).toBe(true);
    expect(isRemembered(ended('active', '2020-01-01T00:00:00Z'), now)).toBe(true);
    expect(isRemembered(ended('payment-failed', '2026-11-20T00:00:00Z'), now)).toBe(false);
  });

  it('ends after its duration if the service returns no end', () => {
    const { end: _, ...open } = ended('active', '2020-01-01T00:00:00Z');
    expect(termOf(open)).toMatchObject({ endsAt: '2026-01-01T00:00:00.000Z', termMonths: 12, payment: 'all_upfront' });
    expect(termOf({ ...open, start: undefined })['endsAt']).toBeUndefined();
  });
});
