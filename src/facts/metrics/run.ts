import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import type { Amount } from '../../kit/money.ts';
import type { Day } from '../../kit/time/period.ts';
import { endBeforeStart } from '../../kit/errors/refusals.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Metric } from './metric.ts';
import { findMetricByKey, listMetricKeys, metrics } from './store.ts';
import { pageValues, readMetricDays, type QuantityQuery, type ValuesAsked } from './values-store.ts';

export { findMetricByKey, pageMetrics } from './store.ts';

/** Maximum number of keys that an error lists. */
const mostKeys = 20;

/** Returns a page of a metric's values.
 *  @throws {AppError} NOT_FOUND; VALIDATION_ERROR if the days are in the wrong order */
export async function listMetricValues(
  { db }: Pick<Deps, 'db'>,
  scope: OrgScope,
  { id, startDate = null, endDate = null, sortBy = null }: ValuesAsked & { readonly id: string },
  page: PageRequest,
): ReturnType<typeof pageValues> {
  if (startDate !== null && endDate !== null && endDate < startDate) throw endBeforeStart(endDate, startDate);
  const { id: metricId } = await metrics.read({ db }, scope, id);
  return pageValues(db, scope, { metricId, startDate, endDate, sortBy }, page);
}

/** Returns the metric with a key.
 *  @param key in lower case
 *  @param field how the client spells the key
 *  @throws {AppError} VALIDATION_ERROR naming the keys that exist */
export async function requireMetric(
  { db }: { readonly db: Db },
  scope: OrgScope,
  key: string,
  field: string,
): Promise<Metric> {
  const metric = await findMetricByKey(db, scope, key);
  if (metric) return metric;
  const keys = await listMetricKeys(db, scope);
  const known = keys.length > mostKeys ? `${keys.slice(0, mostKeys).join(', ')} …` : keys.join(', ');
  throw invalid`${arg(field, key)} is not a unit metric of the organization${fix}${known === '' ? 'create one first' : `use ${known}`}`;
}

/** Returns the exact quantity per day of the metric with a key, with the metric itself; days without values are absent. Null
 *  without such a metric. */
export async function metricDaysOf(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  scope: OrgScope,
  key: string,
  asked: Omit<QuantityQuery, 'metricId'>,
): Promise<{ metric: Metric; days: ReadonlyMap<Day, Amount> } | null> {
  const metric = await findMetricByKey(db, scope, key);
  return metric && { metric, days: await readMetricDays(pool, scope, { ...asked, metricId: metric.id }) };
}
