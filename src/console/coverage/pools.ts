import type { Commitment } from './queries.ts';

/** Usage that one kind of commitment is for, and the commitments that could be bought for it: one of them, not all. */
export interface Pool {
  readonly key: string;
  readonly first: Commitment;
  readonly alternatives: readonly [Commitment, ...Commitment[]];
}

/** Puts alternatives together, in the order of the API: the pool that can save most comes first. */
export function poolsOf(commitments: readonly Commitment[]): Pool[] {
  const pools = new Map<string, [Commitment, ...Commitment[]]>();
  for (const one of commitments) {
    const { accountId, provider, product, region, family, services } = one;
    const key = JSON.stringify([accountId, provider, product, region, family, services]);
    const found = pools.get(key);
    if (found) found.push(one);
    else pools.set(key, [one]);
  }
  return [...pools].map(([key, alternatives]) => ({ key, first: alternatives[0], alternatives }));
}

/** The alternative that saves most. */
export function bestOf({ first, alternatives }: Pool): Commitment {
  return alternatives.reduce(
    (best, one) => (one.estimatedMonthlySavings > best.estimatedMonthlySavings ? one : best),
    first,
  );
}
