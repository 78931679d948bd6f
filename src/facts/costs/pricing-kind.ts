const pricingKinds = [
  'on_demand',
  'spot',
  'reserved',
  'savings_plan',
  'other',
  'unused_reservation',
  'unused_savings_plan',
] as const;

/** How a charge was priced. */
export type PricingKind = (typeof pricingKinds)[number];

/** The kind of a code of `cost_facts`, which count from 1. */
export function pricingKindOf(code: number): PricingKind {
  return pricingKinds[code - 1] ?? 'other';
}
