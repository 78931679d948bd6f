import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { microsToNumber, parseAmount, roundAmount, roundParts, sumAmounts, type Micros } from '../../kit/money.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { filterOf, type FilterInput } from './input.ts';
import { listRecommendations, recommendationSortFields } from './list-store.ts';
import { findRecommendation, readCurrency, type RecommendationRow } from './store.ts';
import { countRecommendations, sumRecommendations, type SavingsCell } from './sums-store.ts';

type ReadDeps = Pick<Deps, 'db' | 'clock'>;

/** Recommendations of one kind and what they would save. */
export interface SavingsGroup {
  readonly count: number;
  /** A month, in the summary's currency. */
  readonly savings: number;
}

/** What recommendations come to. */
export interface RecommendationsSummary {
  readonly totalCount: number;
  readonly totalSavings: number;
  /** ISO 4217: the organization's. */
  readonly currency: string;
  readonly byType: readonly (SavingsGroup & { readonly type: string })[];
  readonly byStatus: readonly (SavingsGroup & { readonly status: RecommendationRow['status'] })[];
  /** Savings in currencies without an exchange rate, which no other figure holds. */
  readonly unconverted: readonly { readonly currency: string; readonly savings: number }[];
}

/** A page of the recommendations in the caller's scope, and how many there are.
 *  @throws {AppError} VALIDATION_ERROR when `sortBy` is not a field to sort by */
export async function pageRecommendations(
  { db, clock }: ReadDeps,
  scope: OrgScope,
  input: FilterInput & { sortBy?: string | null },
  page: PageRequest,
): Promise<{ rows: RecommendationRow[]; total: number }> {
  const sort = parseSort(input.sortBy, recommendationSortFields);
  const filter = filterOf(input, clock.now());
  const total = await countRecommendations(db, scope, filter);
  return { rows: await listRecommendations(db, scope, { filter, sort, page, total }), total };
}

/** One recommendation with how to carry it out.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export async function readRecommendation(
  { db }: { readonly db: Db },
  scope: OrgScope,
  id: string,
): Promise<RecommendationRow> {
  const found = isUuid(id) ? await findRecommendation(db, scope, id) : null;
  if (!found) throw notFound('Recommendation', id);
  return found;
}

/** Counts and savings by type and status. What is in another currency is converted by the rate of the month of the account's
 *  last complete day; what has none is counted, and its saving is in `unconverted` alone. */
export async function summarizeRecommendations(
  { db, clock }: ReadDeps,
  scope: OrgScope,
  input: FilterInput,
): Promise<RecommendationsSummary> {
  const [currency, cells] = await Promise.all([
    readCurrency(db, scope),
    sumRecommendations(db, scope, filterOf(input, clock.now())),
  ]);
  const total = roundAmount(sumAmounts(cells.map(convertedOf)));
  const foreign = cells.filter((cell) => cell.converted === null);
  return {
    totalCount: countOf(cells),
    totalSavings: microsToNumber(total),
    currency,
    byType: groupsBy(cells, (cell) => cell.type, total).map(({ key, ...group }) => ({ type: key, ...group })),
    byStatus: groupsBy(cells, (cell) => cell.status, total).map(({ key, ...group }) => ({ status: key, ...group })),
    unconverted: [...Map.groupBy(foreign, (cell) => cell.currency)].map(([name, own]) => ({
      currency: name,
      savings: microsToNumber(roundAmount(sumAmounts(own.map((cell) => parseAmount(cell.savings))))),
    })),
  };
}

function convertedOf(cell: SavingsCell): bigint {
  return cell.converted === null ? 0n : parseAmount(cell.converted);
}

function countOf(cells: readonly SavingsCell[]): number {
  return cells.reduce((sum, cell) => sum + cell.count, 0);
}

/** Groups that add up to the total, the largest saving first. */
function groupsBy<Key extends string>(
  cells: readonly SavingsCell[],
  keyOf: (cell: SavingsCell) => Key,
  total: Micros,
): (SavingsGroup & { key: Key })[] {
  const groups = [...Map.groupBy(cells, keyOf)].map(([key, own]) => ({
    key,
    count: countOf(own),
    sum: sumAmounts(own.map(convertedOf)),
  }));
  const savings = roundParts(
    groups.map(({ sum }) => sum),
    total,
  );
  return groups
    .map(({ key, count }, index) => ({ key, count, savings: microsToNumber(savings[index] ?? 0n) }))
    .sort((a, b) => b.savings - a.savings || (a.key < b.key ? -1 : 1));
}
