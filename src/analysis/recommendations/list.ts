import type { RecommendationsSummary } from './graphql-types.ts';
import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import type { ProvisionalRate } from '../../facts/costs/ledger.ts';
import type { Deps } from '../../kit/deps.ts';
import {
  amountToNumber,
  type Micros,
  microsToNumber,
  parseAmount,
  roundAmount,
  roundParts,
  sumAmounts,
} from '../../kit/money.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { filterOf, type FilterInput } from './input.ts';
import { listRecommendations, recommendationSortFields } from './list-store.ts';
import { readCurrency, recommendations } from './store.ts';
import { typeOf } from './detectors/all.ts';
import { countRecommendations, sumRecommendations, type SavingsCell } from './sums-store.ts';

type ReadDeps = Pick<Deps, 'db' | 'clock'>;

/** Returns a page of selected recommendations in the caller's scope and their total number. */
export async function pageRecommendations(
  { db, clock }: ReadDeps,
  scope: OrgScope,
  input: FilterInput & { sortBy?: SortBy<typeof recommendationSortFields> | null },
  { select, ...page }: PageRequest & { readonly select: object },
) {
  const sort = parseSort(input.sortBy, recommendationSortFields);
  const filter = filterOf(input, clock.now());
  const total = await countRecommendations(db, scope, filter);
  const ids = await listRecommendations(db, scope, { filter, sort, page, total });
  return { rows: await recommendations.select(db, scope, ids, { select }), total };
}

/** Statuses with savings that can still be realized. */
const unfinished: readonly RecommendationStatus[] = ['open', 'in_progress'];

/** Returns counts and savings by type and status. Totals and types cover savings that can still be realized, unless statuses
 *  are given; the statuses cover all. Other currencies are converted at the rate of the month of the account's last complete
 *  day, or the last one before; recommendations without a rate are counted, but their savings are only in `unconverted`. */
export async function summarizeRecommendations(
  { db, clock }: ReadDeps,
  scope: OrgScope,
  input: FilterInput,
): Promise<RecommendationsSummary> {
  const [currency, cells] = await Promise.all([
    readCurrency(db, scope),
    sumRecommendations(db, scope, filterOf(input, clock.now())),
  ]);
  const wanted = input.status ?? unfinished;
  const counted = cells.filter(({ status }) => wanted.includes(status));
  const total = roundAmount(sumAmounts(counted.map(convertedOf)));
  const ofAll = roundAmount(sumAmounts(cells.map(convertedOf)));
  const foreign = counted.filter((cell) => cell.converted === null);
  return {
    totalCount: countOf(counted),
    totalEstimatedMonthlySavings: microsToNumber(total),
    currency,
    byType: groupsBy(counted, (cell) => typeOf(cell.type), total).map(({ key, ...group }) => ({ type: key, ...group })),
    byStatus: groupsBy(cells, (cell) => cell.status, ofAll).map(({ key, ...group }) => ({ status: key, ...group })),
    unconverted: [...Map.groupBy(foreign, (cell) => cell.currency)].map(([name, own]) => ({
      currency: name,
      estimatedMonthlySavings: amountToNumber(sumAmounts(own.map((cell) => parseAmount(cell.savings)))),
    })),
    provisionalRates: provisionalRatesOf(counted),
  };
}

/** Returns each provisional rate once, by currency and month. */
function provisionalRatesOf(cells: readonly SavingsCell[]): ProvisionalRate[] {
  const byMonth = new Map(
    cells.flatMap(({ provisional: one }) => (one === null ? [] : [[`${one.currency} ${one.month}`, one] as const])),
  );
  return [...byMonth].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function convertedOf(cell: SavingsCell): bigint {
  return cell.converted === null ? 0n : parseAmount(cell.converted);
}

function countOf(cells: readonly SavingsCell[]): number {
  return cells.reduce((sum, cell) => sum + cell.count, 0);
}

/** Returns groups that add up to the total, largest saving first. */
function groupsBy<Key extends string>(
  cells: readonly SavingsCell[],
  keyOf: (cell: SavingsCell) => Key,
  total: Micros,
): { key: Key; count: number; estimatedMonthlySavings: number }[] {
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
    .map(({ key, count }, index) => ({
      key,
      count,
      estimatedMonthlySavings: microsToNumber(savings[index] ?? 0n),
    }))
    .sort((a, b) => b.estimatedMonthlySavings - a.estimatedMonthlySavings || (a.key < b.key ? -1 : 1));
}
