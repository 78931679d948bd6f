import type { AnomalyFacts } from '../../../../src/analysis/anomalies/explanation/facts.ts';

/** A traffic spike through a NAT gateway, with overrides. */
export function someFacts(given: Partial<AnomalyFacts> = {}): AnomalyFacts {
  return {
    kind: 'spike',
    provider: 'aws',
    service: 'Amazon EC2',
    currency: 'USD',
    startDate: '2026-11-11',
    endDate: '2026-11-13',
    dayCount: 3,
    actual: 1234.5,
    expected: 234.5,
    impact: 1000,
    impactPercent: 426.44,
    peak: { date: '2026-11-12', cost: 500, expected: 78.2 },
    drivers: [
      { dimension: 'region', value: 'eu-west-1', name: 'Europe (Ireland)', change: 960, share: 96 },
      { dimension: 'sub_account', value: '111', name: 'shop', change: 930, share: 93 },
      { dimension: 'resource', value: 'nat-0abc', name: 'nat-prod', change: 930, share: 93 },
      { dimension: 'usage_type', value: 'EU-NatGateway-Bytes', name: '', change: 930, share: 93 },
    ],
    undivided: [],
    newResources: { count: 0, cost: 0, share: 0 },
    usage: {
      usageType: 'EU-NatGateway-Bytes',
      unit: 'GB',
      quantity: 7000,
      usualQuantity: 500,
      quantityRatio: 14,
      priceRatio: 1,
    },
    ...given,
  };
}
