import type { Db } from '../../kit/db.ts';
import { requireById } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { filterOf, type FilterInput } from './input.ts';
import {
  anomalySortFields,
  countAnomalies,
  selectAnomalies,
  selectAnomaly,
  type AnomalySelection,
  type PageSelect,
} from './list-store.ts';

type ReadDeps = { readonly db: Db };

/** A page of the anomalies in the caller's scope, as far as they are selected, and how many there are.
 *  @throws {AppError} VALIDATION_ERROR when the dates are in the wrong order */
export async function pageAnomalies<Select extends PageSelect>(
  { db }: ReadDeps,
  scope: OrgScope,
  input: FilterInput & { sortBy?: SortBy<typeof anomalySortFields> | null },
  { select, ...page }: PageRequest & { readonly select: Select },
) {
  const question = { filter: filterOf(input), sort: parseSort(input.sortBy, anomalySortFields), page, select };
  const total = await countAnomalies(db, scope, question.filter);
  return { rows: total === 0 ? [] : await selectAnomalies(db, scope, question), total };
}

/** One anomaly, for a job that finds nothing to do without it; null when there is none in the scope. */
export function lookUpAnomaly({ db }: ReadDeps, scope: OrgScope, id: string) {
  return selectAnomaly(db, scope, id);
}

/** One anomaly, as far as it is selected, or whole.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export function readAnomaly({ db }: ReadDeps, scope: OrgScope, id: string, query?: AnomalySelection) {
  return requireById('Anomaly', id, () => selectAnomaly(db, scope, id, query));
}
