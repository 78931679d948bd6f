import { createMetric, setMetricValues } from '../../facts/metrics/change.ts';
import { findMetricByKey, pageMetrics } from '../../facts/metrics/run.ts';
import type { ValueInput } from '../../facts/metrics/values.ts';
import type { Deps } from '../../kit/deps.ts';
import { addDays, dayOf, daysIn, firstDay, instantOf, monthOf, type Day } from '../../kit/time/period.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { sampleMonths } from '../../sample/bill/bill.ts';
import { chance } from '../../sample/random.ts';

/** Average orders per day in the first month, by the team whose product they came through. */
const ordersPerDay = {
  storefront: 17_500,
  search: 9_400,
  'machine-learning': 5_200,
  orders: 3_100,
  payments: 2_300,
} as const;

/** Daily growth factor of the number of orders. */
const growth = 1.0006;
/** Orders from Sunday to Saturday, relative to the average. */
const week = [0.82, 1.12, 1.06, 1.03, 1.02, 1.08, 0.87];

/** Writes the sample's unit metric with its values up to today, and returns its id. An organization with other unit metrics
 *  gets none.
 *  @returns null if there is none */
export async function writeUnitMetrics(
  deps: Pick<Deps, 'db' | 'clock' | 'queue'>,
  viewer: Viewer,
  actor: Actor,
): Promise<string | null> {
  const known = await findMetricByKey(deps.db, viewer.scope, 'orders');
  const { total } = await pageMetrics(deps, viewer.scope, {}, { skip: 0, take: 1, select: { id: true } });
  if (!known && total > 0) return null;
  const { id } = known ?? (await createMetric(deps, viewer, actor, { key: 'orders', name: 'Orders', unit: 'order' }));
  await setMetricValues(deps, viewer, actor, { id, values: demoOrders(dayOf(deps.clock.now())) });
  return id;
}

/** Orders per day and team: invented, growing, with fewer on weekends. */
export function demoOrders(today: Day): ValueInput[] {
  const start = firstDay(sampleMonths(today)[0] ?? monthOf(today));
  return daysIn({ start, end: addDays(today, 1) }).flatMap((date, index) =>
    Object.entries(ordersPerDay).map(([team, average]) => {
      const noise = 0.94 + 0.12 * chance('orders', team, date);
      const value = Math.round(average * growth ** index * (week[instantOf(date).getUTCDay()] ?? 1) * noise);
      return { date, value, labels: { team } };
    }),
  );
}
