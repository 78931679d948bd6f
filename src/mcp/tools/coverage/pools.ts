import type { z } from 'zod';
import { cut } from '../../cut.ts';
import type { Limits } from '../../fit.ts';
import { offerShape, poolShape, type gapShape, type plannerShape } from './shapes.ts';

type Planned = z.output<typeof plannerShape>['recommendations'][number];
type Gap = z.output<typeof gapShape>;

/** Usage that a commitment could cover, and the ways to buy one: alternatives of which one is bought. */
export type Pool = z.output<typeof poolShape> & { readonly options: z.output<typeof offerShape>[] };

/** Puts the alternatives for the same usage together, in the order in which they come. */
export function poolsOf(planned: readonly Planned[]): Pool[] {
  const pools = Map.groupBy(planned, (plan) => JSON.stringify(poolShape.parse(plan)));
  return [...pools.values()].flatMap((plans) => {
    const [first] = plans;
    return first ? [{ ...poolShape.parse(first), options: plans.map((plan) => offerShape.parse(plan)) }] : [];
  });
}

/** A pool within limits. */
export function shownPool(pool: Pool, { text, entries }: Limits): Pool {
  return {
    ...pool,
    account_name: cut(pool.account_name, text),
    provider: cut(pool.provider, text),
    product: cut(pool.product, text),
    services: pool.services.slice(0, entries).map((service) => cut(service, text)),
    region: pool.region === null ? null : cut(pool.region, text),
    family: pool.family === null ? null : cut(pool.family, text),
  };
}

/** A gap within limits. */
export function shownGap(gap: Gap, { text }: Limits): Gap {
  return {
    ...gap,
    provider: cut(gap.provider, text),
    service: cut(gap.service, text),
    region: cut(gap.region, text),
  };
}
