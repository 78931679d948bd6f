import { describe, expect, it } from 'vitest';
import { aws } from '../../../src/sample/aws/cloud.ts';
import { azure } from '../../../src/sample/azure/cloud.ts';
import { billOf, sampleMonths } from '../../../src/sample/bill/bill.ts';
import { gcp } from '../../../src/sample/gcp/cloud.ts';
import type { LineItem } from '../../../src/sample/bill/line-item.ts';
import { sampleSpikes } from '../spikes.ts';
import { sampleWaste } from '../waste.ts';

const today = '2026-11-21';
const clouds = { aws, azure, gcp };
const bills = new Map(
  Object.values(clouds).map((cloud) => [
    cloud.provider,
    sampleMonths(today).flatMap((month) => billOf(cloud, month, today)),
  ]),
);

function sum(items: readonly LineItem[], of: 'billed' | 'effective' | 'list'): number {
  return Number(items.reduce((total, item) => total + item[of], 0n) / 10n ** 12n);
}

function bill(provider: 'aws' | 'azure' | 'gcp'): readonly LineItem[] {
  return bills.get(provider) ?? [];
}

describe('demo bill', () => {
  it('covers thirteen months up to today', () => {
    expect(sampleMonths(today)).toHaveLength(13);
    expect(sampleMonths(today).at(0)).toBe('2025-11');
    expect(
      bill('aws')
        .map((item) => item.day)
        .toSorted()
        .at(-1),
    ).toBe(today);
  });

  it('contains 60,000 to 120,000 line items', () => {
    const count = [...bills.values()].reduce((total, items) => total + items.length, 0);
    expect(count).toBeGreaterThan(60_000);
    expect(count).toBeLessThan(120_000);
  });

  it.each([
    ['aws', 400_000, 600_000],
    ['azure', 250_000, 400_000],
    ['gcp', 250_000, 400_000],
  ] as const)('has a plausible total below list price for %s', (provider, least, most) => {
    const effective = sum(bill(provider), 'effective');
    expect(effective).toBeGreaterThan(least);
    expect(effective).toBeLessThan(most);
    const used = bill(provider).filter((item) => item.chargeCategory === 'Usage' && !item.correction);
    expect(sum(used, 'effective')).toBeLessThan(sum(used, 'list'));
  });

  it.each(Object.values(clouds))('contains every charge category for $provider', (cloud) => {
    const items = bill(cloud.provider);
    const kinds = new Set(items.map((item) => item.chargeCategory));
    expect([...kinds]).toEqual(expect.arrayContaining(['Usage', 'Purchase', 'Tax', 'Credit']));
    expect(new Set(items.map((item) => item.pricingCategory))).toEqual(
      new Set(['Standard', 'Committed', 'Dynamic', '']),
    );
    expect(items.some((item) => item.correction && item.billed < 0n && !item.day.startsWith(item.month))).toBe(true);
    expect(
      items.some((item) => item.resource && item.chargeCategory === 'Usage' && Object.keys(item.tags).length === 0),
    ).toBe(true);
  });

  it.each(Object.values(clouds))('allocates each commitment of $provider exactly, used and unused', (cloud) => {
    const items = billOf(cloud, '2026-06', today);
    for (const { named, perDay } of cloud.commitments) {
      const of = items.filter((item) => item.commitment?.id === named.id);
      const effective = of.reduce((total, item) => total + item.effective, 0n);
      expect(effective).toBe(30n * BigInt(Math.round(Number(perDay) * 1e8)) * 10_000n);
      expect(of.some((item) => item.commitment?.status === 'Used')).toBe(true);
      expect(of.filter((item) => item.chargeCategory === 'Purchase').every((item) => item.effective === 0n)).toBe(true);
    }
    expect(items.some((item) => item.commitment?.status === 'Unused')).toBe(true);
  });

  it('follows the week: consumer services peak at the weekend, business services on weekdays', () => {
    const of = (code: string): number =>
      Number(
        bill('aws')
          .filter((item) => item.service.code === code && item.day === '2026-10-17')
          .reduce((total, item) => total + item.billed, 0n),
      );
    const on = (code: string): number =>
      Number(
        bill('aws')
          .filter((item) => item.service.code === code && item.day === '2026-10-14')
          .reduce((total, item) => total + item.billed, 0n),
      );
    expect(of('AmazonCloudFront') / on('AmazonCloudFront')).toBeGreaterThan(1.2);
    expect(of('AmazonBedrock') / on('AmazonBedrock')).toBeLessThan(0.7);
  });

  it('leaves the last two days incomplete', () => {
    const cost = (day: string): number =>
      Number(
        bill('gcp')
          .filter((item) => item.day === day)
          .reduce((total, item) => total + item.billed, 0n),
      );
    expect(cost('2026-11-20')).toBeLessThan(cost('2026-11-19'));
    expect(cost('2026-11-21')).toBeLessThan(cost('2026-11-20') / 2);
  });
});

describe('demo spikes', () => {
  it('multiply the cost of the service and region compared with a week before', () => {
    const spikes = sampleSpikes(today);
    expect(spikes.length).toBeGreaterThanOrEqual(13);
    expect(new Set(spikes.map((spike) => spike.provider))).toEqual(new Set(['aws', 'azure', 'gcp']));
    for (const spike of spikes) {
      const cost = (day: string): number =>
        Number(
          bill(spike.provider)
            .filter(
              (item) => item.day === day && item.service.name === spike.service && item.region?.id === spike.region,
            )
            .reduce((total, item) => total + item.billed, 0n),
        );
      const before = new Date(Date.parse(spike.start) - 7 * 86_400_000).toISOString().slice(0, 10);
      if (before >= '2025-11-01' && spike.start < '2026-11-20')
        expect(cost(spike.start) / cost(before), JSON.stringify(spike)).toBeGreaterThan(1.5);
    }
  });

  it('occur every month', () => {
    const months = new Set(sampleSpikes(today).map((spike) => spike.start.slice(0, 7)));
    expect([...months].toSorted()).toEqual(sampleMonths(today));
  });
});

describe('demo waste', () => {
  it("appears on last month's bill, per resource", () => {
    for (const waste of sampleWaste) {
      const items = bill(waste.provider).filter(
        (item) => item.resource?.id === waste.nativeId && item.month === '2026-10',
      );
      expect(sum(items, 'effective'), `${waste.kind} ${waste.nativeId}`).toBeGreaterThan(0);
    }
  });
});
