import type { ExactSpend } from '../../facts/costs/exact.ts';
import type { Deps } from '../../kit/deps.ts';
import { inTurns } from '../../kit/in-turns.ts';
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
  /** Spend by the end of the month, in the budget's currency; null where nothing can be foretold. */
  readonly forecast: number | null;
  /** Thresholds that were told in the running month, the lowest first. */
  readonly alerts: readonly BudgetAlert[];
}

/** Nothing, of what nobody may see any more. */
const nothing: ExactSpend = { amount: 0n, unconverted: new Map(), completeThrough: null };

/** Budgets with their figures of the running month. Everything is read once, then few questions at a time. */
export class BudgetBooks {
  readonly #deps: FigureDeps;
  readonly #organizationId: string;
  readonly #opened = new Map<string, Opened>();
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
    const opened = await openBudgets(this.#deps, this.#organizationId, budgets);
    for (const one of opened) this.#opened.set(one.budget.id, one);
    const spends = await spendOfAll(this.#deps, opened, elapsed(this.month, this.today));
    return budgets.map((budget) => ({ budget, spend: spends.get(budget.id) ?? nothing }));
  }

  /** The same with their forecasts, in their order.
   *  @param budgets what `spent` answered */
  foretold(budgets: readonly SpentBudget[]): Promise<(SpentBudget & { forecast: number | null })[]> {
    return inTurns(budgets, atOnce, async (one) => {
      const opened = this.#opened.get(one.budget.id);
      return { ...one, forecast: opened ? await forecastOf(this.#deps, opened, this.today) : null };
    });
  }

  /** The same with what was told this month, in their order. */
  async told<One extends SpentBudget>(budgets: readonly One[]): Promise<(One & { alerts: BudgetAlert[] })[]> {
    const alerts = await listAlerts(
      this.#deps.db,
      budgets.map(({ budget }) => budget),
      [this.month],
    );
    const byBudget = Map.groupBy(
      alerts.filter(({ isSilent }) => !isSilent),
      ({ budgetId }) => budgetId,
    );
    return budgets.map((one) => ({ ...one, alerts: byBudget.get(one.budget.id) ?? [] }));
  }

  /** Budgets with all of their figures, in their order. */
  async viewed(budgets: readonly Budget[]): Promise<BudgetView[]> {
    return this.told(await this.foretold(await this.spent(budgets)));
  }
}
