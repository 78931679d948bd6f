import type { Db } from '../../kit/db.ts';
import { notFound } from '../../kit/errors.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { filterOf, type FilterInput } from './input.ts';
import {
  anomalySortFields,
  countAnomalies,
  findAnomaly,
  listAnomalies,
  type AnomalyDetailsRow,
  type AnomalyRow,
} from './list-store.ts';

type ReadDeps = { readonly db: Db };

/** A page of the anomalies in the caller's scope, and how many there are.
 *  @throws {AppError} VALIDATION_ERROR when `sortBy` is not a field to sort by, or the dates are in the wrong order */
export async function pageAnomalies(
  { db }: ReadDeps,
  scope: OrgScope,
  input: FilterInput & { sortBy?: string | null },
  page: PageRequest,
): Promise<{ rows: AnomalyRow[]; total: number }> {
  const sort = parseSort(input.sortBy, anomalySortFields);
  const filter = filterOf(input);
  const total = await countAnomalies(db, scope, filter);
  return { rows: total === 0 ? [] : await listAnomalies(db, scope, { filter, sort, page }), total };
}

/** An anomaly with what explains it. */
export type AnomalyDetails = AnomalyDetailsRow;

/** One anomaly with what explains it, for a job that finds nothing to do without it; null when there is none in the scope. */
export function lookUpAnomaly({ db }: ReadDeps, scope: OrgScope, id: string): Promise<AnomalyDetails | null> {
  return findAnomaly(db, scope, id);
}

/** One anomaly with what explains it.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export async function readAnomaly({ db }: ReadDeps, scope: OrgScope, id: string): Promise<AnomalyDetails> {
  const found = await findAnomaly(db, scope, id);
  if (!found) throw notFound('Anomaly', id);
  return found;
}
