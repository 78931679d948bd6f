import type { ExactSpend } from '../../facts/costs/exact.ts';
import type { Deps } from '../../kit/deps.ts';
import { mapConcurrently } from '../../kit/limiter.ts';
import { dayOf, monthOf, type Day, type Month } from '../../kit/period.ts';
import { listAlerts, type BudgetAlert } from './alert-store.ts';
import type { Budget } from './budget.ts';
import { forecastOf } from './forecast.ts';
import { atOnce, elapsed, openBudgets, spendOfAll, type Opened } from './spend.ts';

/** What reading figures needs of the outside. */
export type FigureDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>;

/** A budget with what is spent of it in the running month (UTC), as its owner may see it. */
export interface SpentBudget {
  readonly budget: Budget;
  readonly spend: ExactSpend;
}

/** A budget as it is shown. */
export interface BudgetView extends SpentBudget {
  /** Spend by the end of the month, in the budget's currency; null where nothing can be forecast. */
  readonly forecast: number | null;
  /** Thresholds that were told in the running month, the lowest first. */
  readonly alerts: readonly BudgetAlert[];
}

/** Nothing, of what nobody may see any more. */
const nothing: ExactSpend = { amount: 0n, unconverted: new Map(), completeThrough: null };

/** The figures of budgets in the running month. What was computed once is not computed again. */
export class BudgetBooks {
  readonly #deps: FigureDeps;
  readonly #organizationId: string;
  readonly #opened = new Map<string, Opened>();
  readonly #spends = new Map<string, Promise<ExactSpend>>();
  readonly #forecasts = new Map<string, Promise<number | null>>();
  readonly today: Day;

  constructor(deps: FigureDeps, organizationId: string) {
    this.#deps = deps;
    this.#organizationId = organizationId;
    this.today = dayOf(deps.clock.now());
  }

  /** The running month. */
  get month(): Month {
    return monthOf(this.today);
  }

  /** What is spent of budgets, in their order. */
  async spent(budgets: readonly Budget[]): Promise<SpentBudget[]> {
    const unknown = new Map(budgets.map((budget) => [stateOf(budget), budget]));
    for (const state of this.#spends.keys()) unknown.delete(state);
    if (unknown.size > 0) {
      const spends = this.#spendOf([...unknown.values()]);
      const spendOf = async ({ id }: Budget) => (await spends).get(id) ?? nothing;
      for (const [state, budget] of unknown) this.#spends.set(state, spendOf(budget));
    }
    return Promise.all(
      budgets.map(async (budget) => ({ budget, spend: (await this.#spends.get(stateOf(budget))) ?? nothing })),
    );
  }

  async #spendOf(budgets: readonly Budget[]): Promise<Map<string, ExactSpend>> {
    const opened = await openBudgets(this.#deps, this.#organizationId, budgets);
    for (const one of opened) this.#opened.set(stateOf(one.budget), one);
    return spendOfAll(this.#deps, opened, elapsed(this.month, this.today));
  }

  /** The same with their forecasts, in their order.
   *  @param budgets what `spent` answered */
  forecasts(budgets: readonly SpentBudget[]): Promise<(SpentBudget & { forecast: number | null })[]> {
    return mapConcurrently(budgets, atOnce, async (one) => ({ ...one, forecast: await this.#forecastOf(one.budget) }));
  }

  #forecastOf(budget: Budget): Promise<number | null> | null {
    const state = stateOf(budget);
    const opened = this.#opened.get(state);
    if (!opened) return null;
    const forecast = this.#forecasts.get(state) ?? forecastOf(this.#deps, opened, this.today);
    this.#forecasts.set(state, forecast);
    return forecast;
  }

  /** The alerts of the running month that were sent, of each budget in their order. */
  async alerts(budgets: readonly Budget[]): Promise<BudgetAlert[][]> {
    const alerts = await listAlerts(this.#deps.db, budgets, [this.month]);
    const byBudget = Map.groupBy(
      alerts.filter(({ isSilent }) => !isSilent),
      ({ budgetId }) => budgetId,
    );
    return budgets.map(({ id }) => byBudget.get(id) ?? []);
  }

  /** Budgets with all of their figures, in their order. */
  async viewed(budgets: readonly Budget[]): Promise<BudgetView[]> {
    const figures = await this.forecasts(await this.spent(budgets));
    const alerts = await this.alerts(budgets);
    return figures.map((one, index) => ({ ...one, alerts: alerts[index] ?? [] }));
  }
}

/** A budget that is changed has other figures. */
function stateOf({ id, updatedAt }: Budget): string {
  return `${id} ${updatedAt.getTime()}`;
}
