import { describe, expect, it } from 'vitest';
import { composeProse } from '../../../../src/analysis/anomalies/explanation/compose.ts';
import type { AnomalyFacts, Driver } from '../../../../src/analysis/anomalies/explanation/facts.ts';
import { someFacts } from './facts.ts';

const causesOf = (given: Partial<AnomalyFacts>) => composeProse(someFacts(given)).likelyCauses;
const pricing = (shares: Record<string, number>): Driver[] =>
  Object.entries(shares).map(([value, share]) => ({
    dimension: 'pricing',
    value,
    name: '',
    change: share * 10,
    share,
  }));
const usage = {
  usageType: 'BoxUsage',
  unit: 'Hours',
  quantity: 24,
  usualQuantity: 24,
  quantityRatio: 1,
  priceRatio: 1,
};

describe('a composed explanation', () => {
  it('distinguishes more usage from a higher price', () => {
    expect(causesOf({ usage: { ...usage, quantityRatio: 3.04 } })[0]).toMatch(
      /^More usage, not a higher price: .* was 3 times as high/,
    );
    expect(causesOf({ usage: { ...usage, priceRatio: 1.6 } })[0]).toMatch(
      /^A higher price, not more usage: .* 1.6 times/,
    );
    expect(causesOf({ usage: { ...usage, priceRatio: null } })[0]).not.toMatch(/price/);
    expect(causesOf({ usage: null })[0]).not.toMatch(/price/);
  });

  it('describes combined changes of price and usage', () => {
    const of = (quantityRatio: number, priceRatio: number) =>
      causesOf({ usage: { ...usage, quantityRatio, priceRatio } })[0];
    expect(of(1.1, 1.6)).toContain('while usage was about the same');
    expect(of(0.33, 10)).toMatch(/^A higher price, not more usage: .* 10 times .* while usage was lower\./);
    expect(of(3, 0.9)).toContain('at about the same price');
    expect(of(3, 0.5)).toContain('at a lower price');
    expect(of(3, 1.6)).toMatch(/^More usage at a higher price: .* 3 times .* 1.6 times/);
    expect(of(1, 1)).not.toMatch(/price/);
  });

  it('never attributes more than the total to a driver', () => {
    const moved = { dimension: 'resource', value: 'i-new', name: '', change: 1670, share: 167 } as const;
    const { summary, likelyCauses, nextSteps } = composeProse(
      someFacts({ usage: null, drivers: [moved], newResources: { count: 30, cost: 1670, share: 167 } }),
    );
    expect(summary).toContain('resource i-new (167%). Shares above 100% are offset by decreases elsewhere.');
    expect(likelyCauses.slice(0, 2)).toEqual([
      'Resources were replaced by a larger number of resources or by more expensive ones: newly billed resources cost $1,670.00, all others $670.00 less than expected.',
      'A change in the workload of i-new: this resource cost $1,670.00 more than expected, the rest of the service less.',
    ]);
    expect(nextSteps.join(' ')).not.toContain('incident');
    const part = composeProse(someFacts({ usage: null, drivers: [{ ...moved, change: 700, share: 70 }] }));
    expect(part.likelyCauses.join(' ')).toMatch(/accounts for 70% of the difference\./);
    expect(part.summary).not.toContain('offset');
  });

  it('recognizes expired commitments, reclaimed spot capacity and unused commitments', () => {
    const of = (shares: Record<string, number>) => causesOf({ usage: null, drivers: pricing(shares) })[0];
    expect(of({ on_demand: 180, reserved: -80 })).toMatch(/a commitment has expired/);
    expect(of({ on_demand: 180, spot: -80 })).toMatch(/spot capacity was reclaimed/);
    expect(of({ unused_savings_plan: 90 })).toMatch(/billed but not used/);
    expect(of({ on_demand: 100 })).not.toMatch(/commitment|spot|plan/);
  });

  it('does not mistake usage at another price for more usage, larger machines or an intrusion', () => {
    const machines = {
      dimension: 'usage_type',
      value: 'BoxUsage:m5.large',
      name: '',
      change: 1000,
      share: 100,
    } as const;
    const moved = { ...usage, usageType: machines.value, quantityRatio: 3 };
    const newResources = { count: 12, cost: 1000, share: 100 };
    const shifts: Record<string, number>[] = [
      { on_demand: 180, spot: -80 },
      { on_demand: 180, savings_plan: -80 },
      { unused_reservation: 90 },
    ];
    for (const shares of shifts) {
      const drivers = [machines, ...pricing(shares)];
      const facts = someFacts({ kind: 'new_service', usage: moved, drivers, newResources });
      const { likelyCauses, nextSteps } = composeProse(facts);
      expect(likelyCauses.join(' ')).not.toMatch(/More usage|larger machines|newly billed/);
      expect(nextSteps.join(' ')).not.toMatch(/credentials|autoscaling/);
      expect(nextSteps.join(' ')).toMatch(/renew them|spot capacity|low utilization/);
    }
    const dearer = composeProse(someFacts({ kind: 'step', usage: { ...usage, priceRatio: 1.6 }, drivers: [machines] }));
    expect(dearer.likelyCauses.join(' ')).not.toContain('larger machines');
    expect(dearer.nextSteps.join(' ')).toContain('Compare the prices on the bill');
  });

  it('looks for the origin of a leak before the days that revealed it', () => {
    const { nextSteps } = composeProse(someFacts({ kind: 'leak' }));
    expect(nextSteps.join(' ')).toContain('in the weeks before');
  });

  it('distinguishes one new resource, many new resources and none', () => {
    const all = (given: Partial<AnomalyFacts>) => causesOf({ usage: null, drivers: [], ...given }).join(' ');
    expect(all({ newResources: { count: 12, cost: 800, share: 80 } })).toContain(
      '12 newly billed resources account for 80%',
    );
    expect(all({ newResources: { count: 1, cost: 800, share: 80 } })).toContain(
      'One newly billed resource accounts for 80%',
    );
    expect(all({})).toContain('no single resource stands out');
    expect(all({ kind: 'new_service', newResources: { count: 1, cost: 800, share: 100 } })).not.toContain(
      'newly billed',
    );
  });

  it('describes each kind of anomaly, and projects 30 days for a lasting one', () => {
    const of = (kind: AnomalyFacts['kind']) => composeProse(someFacts({ kind }));
    expect(of('step').summary).toContain('rose to a new level');
    expect(of('leak').summary).toContain('has risen slowly for weeks');
    expect(of('new_service').summary).toMatch(
      /^Amazon EC2, which had cost almost nothing for at least 30 days, cost \$1,234\.50/,
    );
    // A step is known to last for a week only: it may be over.
    expect(of('step').likelyCauses.at(-1)).toMatch(/stayed higher for at least a week\.$/);
    expect(of('step').nextSteps.at(-1)).toContain('about $10,000.00 more in 30 days');
    expect(of('spike').nextSteps.at(-1)).not.toContain('30 days');
    expect(of('new_service').nextSteps.join(' ')).toContain('treat it as an incident');
  });

  it('names the location only if the cost could be elsewhere', () => {
    const one = someFacts({ undivided: ['region', 'sub_account', 'usage_type', 'resource'] });
    expect(composeProse(one).summary).not.toMatch(/Most of|spread/);
    const spread = someFacts({ drivers: [] });
    expect(composeProse(spread).summary).toMatch(/no region, resource or usage type accounts for half of it\.$/);
    const partly = someFacts({ drivers: [], undivided: ['region', 'usage_type'] });
    expect(composeProse(partly).summary).toMatch(/no resource accounts for half of it\.$/);
  });

  it('formats amounts with the decimals of their currency', () => {
    expect(composeProse(someFacts({ currency: 'JPY', actual: 123_456, impact: 100_000 })).summary).toContain(
      '¥123,456 ',
    );
  });
});
