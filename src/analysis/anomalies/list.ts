import type { Db } from '../../kit/db.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { filterOf, type FilterInput } from './input.ts';
import {
  anomalySortFields,
  countAnomalies,
  findAnomaly,
  listAnomalies,
  selectAnomalies,
  selectAnomaly,
  type AnomalyDetailsRow,
  type AnomalyRow,
  type AnomalySelection,
} from './list-store.ts';

type ReadDeps = { readonly db: Db };

/** A page of the anomalies in the caller's scope, and how many there are.
 *  @throws {AppError} VALIDATION_ERROR when the dates are in the wrong order */
export async function pageAnomalies(
  { db }: ReadDeps,
  scope: OrgScope,
  input: FilterInput & { sortBy?: SortBy<typeof anomalySortFields> | null },
  page: PageRequest,
): Promise<{ rows: AnomalyRow[]; total: number }> {
  const question = { filter: filterOf(input), sort: parseSort(input.sortBy, anomalySortFields), page };
  const total = await countAnomalies(db, scope, question.filter);
  return { rows: total === 0 ? [] : await listAnomalies(db, scope, question), total };
}

/** The same, as far as they are selected.
 *  @throws {AppError} VALIDATION_ERROR when the dates are in the wrong order */
export async function pageSelectedAnomalies(
  { db }: ReadDeps,
  scope: OrgScope,
  input: FilterInput & { sortBy?: SortBy<typeof anomalySortFields> | null },
  { select, ...page }: PageRequest & { select: { id: true } },
): Promise<{ rows: { id: string }[]; total: number }> {
  const question = { filter: filterOf(input), sort: parseSort(input.sortBy, anomalySortFields), page };
  const total = await countAnomalies(db, scope, question.filter);
  return { rows: total === 0 ? [] : await selectAnomalies(db, scope, { ...question, select }), total };
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

/** The same, as far as it is selected.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export async function readSelectedAnomaly({ db }: ReadDeps, scope: OrgScope, id: string, query: AnomalySelection) {
  const found = isUuid(id) ? await selectAnomaly(db, scope, id, query) : null;
  if (!found) throw notFound('Anomaly', id);
  return found;
}
