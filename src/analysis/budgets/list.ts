import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type Sort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { projectedStatusAt, statusAt, type BudgetStatus, type ProjectedStatus } from './budget.ts';
import { BudgetFigures, type BudgetView, type FigureDeps, type SpentBudget } from './figures.ts';
import { about, budgets, listBudgets, storedSortFields, type BudgetFilters } from './store.ts';

const workedOut = ['current_spend', 'forecasted_spend', 'remaining', 'percent_used'] as const;

/** Sort fields of budgets, in REST spelling. */
export const budgetSortFields = [...storedSortFields, ...workedOut] as const;

type SortField = (typeof budgetSortFields)[number];

/** Filters of a budget list. */
export interface BudgetQuery extends BudgetFilters {
  readonly status?: readonly BudgetStatus[] | null;
  readonly projectedStatus?: readonly ProjectedStatus[] | null;
  readonly sortBy?: SortBy<typeof budgetSortFields> | null;
}

/** Returns a page of selected budgets that are entirely inside the caller's scope, newest first by default.
 *  @param figures source of the figures that the list is filtered or sorted by */
export async function pageBudgets(
  { db }: Pick<Deps, 'db'>,
  { scope, figures }: { scope: OrgScope; figures: BudgetFigures },
  query: BudgetQuery,
  page: PageRequest & { select: { id: true } },
): Promise<{ rows: { id: string }[]; total: number }> {
  const sort = parseSort(query.sortBy, budgetSortFields);
  if (!query.status && !query.projectedStatus && (sort === null || isStored(sort)))
    return budgets.page(db, scope, { filters: [about(query)], sort }, page);
  const all = await spentBudgets(db, { scope, figures }, query);
  const ids = all.slice(page.skip, page.skip + page.take).map(({ budget }) => budget.id);
  return { rows: await budgets.select(db, scope, ids, { select: page.select }), total: all.length };
}

/** Returns all budgets that are entirely inside the caller's scope, with all figures, in list order. */
export async function viewBudgets(deps: FigureDeps, scope: OrgScope, query: BudgetQuery): Promise<BudgetView[]> {
  const figures = new BudgetFigures(deps, scope.organizationId);
  return figures.viewed((await spentBudgets(deps.db, { scope, figures }, query)).map(({ budget }) => budget));
}

async function spentBudgets(
  db: Db,
  { scope, figures }: { scope: OrgScope; figures: BudgetFigures },
  query: BudgetQuery,
): Promise<readonly SpentBudget[]> {
  const sort = parseSort(query.sortBy, budgetSortFields);
  const all = await figures.spent(await listBudgets(db, scope, query, isStored(sort) ? sort : null));
  const wanted = await withProjected(
    figures,
    all.filter(hasStatus(query.status ?? null)),
    query.projectedStatus ?? null,
  );
  return isStored(sort) || sort === null ? wanted : inOrder(figures, wanted, sort);
}

function isStored(sort: Sort<SortField> | null): sort is Sort<(typeof storedSortFields)[number]> {
  return storedSortFields.some((field) => field === sort?.field);
}

function hasStatus(statuses: readonly BudgetStatus[] | null): (one: SpentBudget) => boolean {
  return ({ budget, spend }) =>
    statuses === null || (spend !== null && statuses.includes(statusAt(budget, spend.amount)));
}

/** Selects by projected status. Forecasts only budgets below every threshold: the status of others does not depend on it. */
async function withProjected(
  figures: BudgetFigures,
  all: readonly SpentBudget[],
  statuses: readonly ProjectedStatus[] | null,
): Promise<readonly SpentBudget[]> {
  if (statuses === null) return all;
  const open = await figures.forecasts(all.filter(hasStatus(['ok'])));
  const forecasts = new Map(open.map(({ budget, forecast }) => [budget.id, forecast]));
  return all.filter(({ budget, spend }) => {
    const forecast = forecasts.get(budget.id) ?? null;
    return spend && statuses.includes(projectedStatusAt(budget, { spend: spend.amount, forecast }));
  });
}

/** Sorts by computed figures; unknown ones last, ties in list order. */
async function inOrder(
  figures: BudgetFigures,
  all: readonly SpentBudget[],
  { field, direction }: Sort<SortField>,
): Promise<SpentBudget[]> {
  const forecasts = new Map<string, number | null>();
  if (field === 'forecasted_spend')
    for (const { budget, forecast } of await figures.forecasts(all)) forecasts.set(budget.id, forecast);
  const valueOf = ({ budget, spend }: SpentBudget): bigint | number | null => {
    if (field === 'forecasted_spend') return forecasts.get(budget.id) ?? null;
    if (spend === null) return null;
    if (field === 'remaining') return budget.amount - spend.amount;
    // Scaled, so that the division does not make different budgets equal.
    return field === 'percent_used' ? (spend.amount * 10n ** 12n) / budget.amount : spend.amount;
  };
  const sign = direction === 'asc' ? 1 : -1;
  return all
    .map((one) => ({ one, value: valueOf(one) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return a.value === b.value ? 0 : a.value < b.value ? -sign : sign;
    })
    .map(({ one }) => one);
}
