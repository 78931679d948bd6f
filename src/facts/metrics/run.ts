import type { Deps } from '../../kit/deps.ts';
import { endBeforeStart } from '../../kit/errors/refusals.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { metrics } from './store.ts';
import { pageValues, type ValuesAsked } from './values-store.ts';

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
