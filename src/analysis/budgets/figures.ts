import type { ExactSpend } from '../../facts/costs/history/exact.ts';
import type { Deps } from '../../kit/deps.ts';
import { mapConcurrently } from '../../kit/process/limiter.ts';
import { dayOf, type Day } from '../../kit/time/period.ts';
import { listAlerts, type BudgetAlert } from './store.ts';
import type { Budget } from './budget.ts';
import { periodOn } from './period.ts';
import { forecastOf, atOnce, openBudgets, orUnavailable, spendOfAll, type Opened } from './spend.ts';

/** Dependencies of budget figures. */
export type FigureDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>;

/** A budget with its spend in the current period (UTC), within its owner's access. */
export interface SpentBudget {
  readonly budget: Budget;
  /** Null if it could not be read in time. */
  readonly spend: ExactSpend | null;
}

/** A budget with all displayed figures. */
export interface BudgetView extends SpentBudget {
  /** Forecast spend by the end of the period, in the budget's currency; null without a forecast. */
  readonly forecast: number | null;
  /** Thresholds announced in the current period, lowest first. */
  readonly alerts: readonly BudgetAlert[];
}

/** Zero spend, for budgets without an owner who has access. */
const nothing: ExactSpend = {
  amount: 0n,
  unconverted: new Map(),
  provisionalRates: [],
  missingBills: [],
  completeThrough: null,
};

/** Figures of budgets in their current periods, each computed only once. */
export class BudgetFigures {
  readonly #deps: FigureDeps;
  readonly #organizationId: string;
  readonly #opened = new Map<string, Opened>();
  readonly #spends = new Map<string, Promise<ExactSpend | null>>();
  readonly #forecasts = new Map<string, Promise<number | null>>();
  readonly today: Day;

  constructor(deps: FigureDeps, organizationId: string) {
    this.#deps = deps;
    this.#organizationId = organizationId;
    this.today = dayOf(deps.clock.now());
  }

  /** Returns the spend of budgets, in order. */
  async spent(budgets: readonly Budget[]): Promise<SpentBudget[]> {
    const unknown = new Map(budgets.map((budget) => [stateOf(budget), budget]));
    for (const state of this.#spends.keys()) unknown.delete(state);
    if (unknown.size > 0) {
      const spends = this.#spendOf([...unknown.values()]);
      const spendOf = async ({ id }: Budget) => {
        const spend = (await spends).get(id);
        return spend === undefined ? nothing : spend;
      };
      for (const [state, budget] of unknown) this.#spends.set(state, spendOf(budget));
    }
    return Promise.all(
      budgets.map(async (budget) => ({ budget, spend: (await this.#spends.get(stateOf(budget))) ?? null })),
    );
  }

  async #spendOf(budgets: readonly Budget[]): Promise<Map<string, ExactSpend | null>> {
    const opened = await openBudgets(this.#deps, this.#organizationId, budgets);
    for (const one of opened) this.#opened.set(stateOf(one.budget), one);
    return spendOfAll(this.#deps, opened, this.today);
  }

  /** Returns budgets with their forecasts, in order.
   *  @param budgets results of `spent` */
  forecasts(budgets: readonly SpentBudget[]): Promise<(SpentBudget & { forecast: number | null })[]> {
    return mapConcurrently(budgets, atOnce, async (one) => ({
      ...one,
      // Without the spend, the forecast would wait for it once more.
      forecast: one.spend && (await this.#forecastOf(one.budget)),
    }));
  }

  #forecastOf(budget: Budget): Promise<number | null> | null {
    const state = stateOf(budget);
    const opened = this.#opened.get(state);
    if (!opened) return null;
    const forecast = this.#forecasts.get(state) ?? orUnavailable(forecastOf(this.#deps, opened, this.today));
    this.#forecasts.set(state, forecast);
    return forecast;
  }

  /** Returns the sent alerts of the current period for each budget, in order. */
  async alerts(budgets: readonly Budget[]): Promise<BudgetAlert[][]> {
    const asked = budgets.map((budget) => ({ budget, period: periodOn(budget.period, this.today) }));
    const alerts = await listAlerts(this.#deps.db, asked);
    const byBudget = Map.groupBy(
      [...alerts.values()].filter(({ isSilent }) => !isSilent),
      ({ budgetId }) => budgetId,
    );
    return budgets.map(({ id }) => byBudget.get(id) ?? []);
  }

  /** Returns budgets with all figures, in order. */
  async viewed(budgets: readonly Budget[]): Promise<BudgetView[]> {
    const figures = await this.forecasts(await this.spent(budgets));
    const alerts = await this.alerts(budgets);
    return figures.map((one, index) => ({ ...one, alerts: alerts[index] ?? [] }));
  }
}

/** Identifies a state of a budget: after a change, its figures differ. */
function stateOf({ id, updatedAt }: Budget): string {
  return `${id} ${updatedAt.getTime()}`;
}
