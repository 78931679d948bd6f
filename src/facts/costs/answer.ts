import type { Day, Month } from '../../kit/period.ts';
import type { CostCell } from './cell.ts';
import type { CostMetric, CostQuery } from './query.ts';
import type { CostQuestion, DailyGroup, Granularity } from './question.ts';
import type { CostAccount, Ledger } from './store.ts';

/** Cost in a currency without an exchange rate. */
export interface UnconvertedCost {
  readonly currency: string;
  readonly cost: number;
}

/** A period of a summary, its last day inclusive. */
export interface PeriodCost {
  readonly periodStart: Day;
  readonly periodEnd: Day;
  readonly cost: number;
}

/** What every cost answer says. Money is in `currency`, rounded to 6 decimals. */
export interface CostAnswer {
  readonly startDate: Day;
  /** The last day, inclusive. */
  readonly endDate: Day;
  readonly currency: string;
  readonly costMetric: CostMetric;
  readonly totalCost: number;
  /** The last day up to which the bills of all accounts used are complete. */
  readonly completeThrough: Day | null;
  /** Costs without an exchange rate, which no other figure holds. */
  readonly unconverted: readonly UnconvertedCost[];
}

/** A group's cost and its share of the total in percent. */
interface Share {
  readonly cost: number;
  readonly percentage: number | null;
}

/** Total spend per period. */
export interface CostsSummary extends CostAnswer {
  readonly granularity: Granularity;
  readonly periods: readonly PeriodCost[];
}

/** One row of spend by service. */
export interface ServiceCost extends Share {
  readonly service: string;
  readonly serviceCategory: string;
  readonly provider: string;
}

/** One row of spend by account. */
export interface AccountCost extends Share {
  readonly accountId: string;
  readonly accountName: string;
  readonly provider: string;
  readonly subAccounts: readonly SubAccountCost[];
}

/** A sub-account's part of an account's spend. */
export interface SubAccountCost {
  readonly subAccountId: string;
  readonly subAccountName: string;
  readonly cost: number;
}

/** One row of spend by region. */
export interface RegionCost extends Share {
  readonly region: string;
  readonly provider: string;
}

/** One row of spend by tag. */
export interface TagCost extends Share {
  /** Null: the charges without the key. */
  readonly tagValue: string | null;
}

/** An answer whose rows are groups, the largest cost first. */
export interface GroupedCosts<Group> extends CostAnswer {
  readonly groups: readonly Group[];
}

/** A day's part of a group: the fields of what it is grouped by are set, the others null. */
export interface DayGroup {
  readonly service: string | null;
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly region: string | null;
  readonly provider: string | null;
  readonly cost: number;
}

/** A day of the daily series. */
export interface DayCost {
  readonly date: Day;
  readonly cost: number;
  /** Null when the series is not grouped. */
  readonly groups: readonly DayGroup[] | null;
}

/** Spend per day. */
export interface CostsDaily extends CostAnswer {
  readonly groupBy: DailyGroup | null;
  readonly days: readonly DayCost[];
}

/** A month beside the one before it. */
export interface MonthCost {
  readonly month: Month;
  readonly cost: number;
  readonly previousCost: number;
  readonly change: number;
  readonly changePercent: number | null;
  /** True while the month is running. */
  readonly partial: boolean;
}

/** Spend per month, with the change from the month before. */
export interface CostsTrend extends CostAnswer {
  readonly months: readonly MonthCost[];
}

/** What an answer is made of. Pure: the same facts are the same answer. */
export interface AnswerFacts {
  readonly question: CostQuestion;
  /** What the cells answer. */
  readonly query: CostQuery;
  readonly ledger: Ledger;
  /** The accounts of the ledger that the question asks. */
  readonly accounts: readonly CostAccount[];
  readonly cells: readonly CostCell[];
  /** Names of sub-accounts by `subAccountKey`, where the answer shows them. */
  readonly subAccountNames: ReadonlyMap<string, string>;
}
