import { AppError } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { statusAt, type BudgetStatus } from './budget.ts';
import { BudgetBooks, type BudgetView, type FigureDeps, type SpentBudget } from './figures.ts';
import { findBudget, listBudgets, storedSortFields } from './store.ts';

const workedOut = ['current_spend', 'forecasted_spend', 'remaining', 'percent_used'] as const;

/** Fields that a list of budgets can be sorted by, as REST spells them. */
export const budgetSortFields = [...storedSortFields, ...workedOut] as const;

type SortField = (typeof budgetSortFields)[number];

/** Which budgets a list shows. */
export interface BudgetQuery {
  readonly accountId?: readonly string[] | null;
  readonly provider?: readonly string[] | null;
  readonly service?: readonly string[] | null;
  readonly status?: readonly BudgetStatus[] | null;
  readonly sortBy?: string | null;
}

/** A page of the budgets that lie wholly inside the caller's scope, with their figures of the running month; newest first.
 *  @throws {AppError} VALIDATION_ERROR when `sortBy` is not a field to sort by */
export async function pageBudgets(
  deps: FigureDeps,
  scope: OrgScope,
  query: BudgetQuery,
  page: PageRequest,
): Promise<{ rows: BudgetView[]; total: number }> {
  const sort = parseSort(query.sortBy, budgetSortFields);
  const filter = {
    accountIds: query.accountId?.filter(isUuid) ?? null,
    providers: stored(query.provider),
    services: stored(query.service),
    sort: isStored(sort) ? sort : null,
  };
  const books = new BudgetBooks(deps, scope.organizationId);
  if (!query.status && (sort === null || isStored(sort))) {
    const { rows, total } = await listBudgets(deps.db, scope, filter, page);
    return { rows: await books.viewed(rows), total };
  }
  const { rows: all } = await listBudgets(deps.db, scope, filter, null);
  const wanted = (await books.spent(all)).filter(hasStatus(query.status ?? null));
  const ordered = isStored(sort) || sort === null ? wanted : await inOrder(books, wanted, sort);
  const shown = ordered.slice(page.skip, page.skip + page.take);
  return { rows: await books.told(await books.foretold(shown)), total: wanted.length };
}

/** A budget that lies wholly inside the caller's scope, with its figures of the running month.
 *  @throws {AppError} BUDGET_NOT_FOUND for an unknown id, and one outside the scope alike */
export async function readBudget(deps: FigureDeps, scope: OrgScope, id: string): Promise<BudgetView> {
  const budget = isUuid(id) ? await findBudget(deps.db, scope, id) : null;
  const [view] = budget ? await new BudgetBooks(deps, scope.organizationId).viewed([budget]) : [];
  if (!view) throw budgetNotFound(id);
  return view;
}

/** The refusal of a budget that does not exist, or that the caller may not know of. */
export function budgetNotFound(id: string): AppError {
  return new AppError('BUDGET_NOT_FOUND', `Budget "${id}" not found`);
}

/** NUL is in no stored text, and PostgreSQL refuses it in a parameter: such a value matches nothing. */
function stored(values: readonly string[] | null | undefined): string[] | null {
  return values?.filter((value) => !value.includes('\0')) ?? null;
}

function isStored(sort: Sort<SortField> | null): sort is Sort<(typeof storedSortFields)[number]> {
  return storedSortFields.some((field) => field === sort?.field);
}

function hasStatus(statuses: readonly BudgetStatus[] | null): (one: SpentBudget) => boolean {
  return ({ budget, spend }) => statuses === null || statuses.includes(statusAt(budget, spend.amount));
}

/** By what is worked out; what is unknown last, the equal as the list has them. */
async function inOrder(
  books: BudgetBooks,
  budgets: readonly SpentBudget[],
  { field, direction }: Sort<SortField>,
): Promise<SpentBudget[]> {
  const forecasts = new Map<string, number | null>();
  if (field === 'forecasted_spend')
    for (const { budget, forecast } of await books.foretold(budgets)) forecasts.set(budget.id, forecast);
  const valueOf = ({ budget, spend }: SpentBudget): bigint | number | null => {
    if (field === 'forecasted_spend') return forecasts.get(budget.id) ?? null;
    if (field === 'remaining') return budget.amount - spend.amount;
    // Scaled, so that the division keeps what tells two budgets apart.
    return field === 'percent_used' ? (spend.amount * 10n ** 12n) / budget.amount : spend.amount;
  };
  const sign = direction === 'asc' ? 1 : -1;
  return budgets
    .map((one) => ({ one, value: valueOf(one) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return a.value === b.value ? 0 : a.value < b.value ? -sign : sign;
    })
    .map(({ one }) => one);
}
