import type { z } from 'zod';
import { cut } from '../../cut.ts';
import { offerShape, poolShape, type plannerShape } from './shapes.ts';

type Planned = z.output<typeof plannerShape>['recommendations'][number];

/** Usage that a commitment could cover, and the ways to buy one: alternatives of which one is bought. */
export type Pool = z.output<typeof poolShape> & { readonly options: z.output<typeof offerShape>[] };

/** Of longer texts the beginning is shown. */
const longest = 200;
const mostServices = 10;

/** Puts the alternatives for the same usage together, in the order in which they come. */
export function poolsOf(planned: readonly Planned[]): Pool[] {
  const pools = Map.groupBy(planned, (plan) => JSON.stringify(poolShape.parse(plan)));
  return [...pools.values()].flatMap((plans) => {
    const [first] = plans;
    return first
      ? [{ ...shortened(poolShape.parse(first)), options: plans.map((plan) => offerShape.parse(plan)) }]
      : [];
  });
}

function shortened(pool: z.output<typeof poolShape>): z.output<typeof poolShape> {
  return {
    ...pool,
    account_name: cut(pool.account_name, longest),
    services: pool.services.slice(0, mostServices).map((service) => cut(service, longest)),
  };
}
