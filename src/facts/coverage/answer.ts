import type { Day } from '../../kit/period.ts';
import type { UnconvertedCost } from '../costs/answer.ts';
import type { CommitmentKind, CommitmentPayment } from './program.ts';

/** How charges are paid for. */
export type SplitKind = CommitmentKind | 'spot' | 'on_demand' | 'other';

/** What every answer on coverage says. Money is in `currency`, rounded to 6 decimals. */
export interface CoverageHead {
  readonly startDate: Day;
  /** The last day, inclusive. */
  readonly endDate: Day;
  readonly currency: string;
  /** The last day up to which the bills of all accounts used are complete. */
  readonly completeThrough: Day | null;
  /** Costs without an exchange rate, which no other figure holds. */
  readonly unconverted: readonly UnconvertedCost[];
}

/** A part of the split. */
export interface SplitPart {
  readonly kind: SplitKind;
  readonly cost: number;
  readonly percentage: number | null;
}

/** `/coverage`. */
export interface Coverage extends CoverageHead {
  readonly totalCost: number;
  readonly eligibleCost: number;
  readonly coveredCost: number;
  readonly split: readonly SplitPart[];
  readonly coveragePercent: number | null;
  readonly utilizationPercent: number | null;
  readonly unusedCommitmentCost: number;
}

/** A day of the history. Its parts add up to its cost. */
export interface CoverageDay {
  readonly date: Day;
  readonly reserved: number;
  readonly savingsPlan: number;
  readonly spot: number;
  readonly onDemand: number;
  readonly other: number;
  readonly coveragePercent: number | null;
}

/** `/coverage/daily`. */
export interface CoverageDaily extends CoverageHead {
  readonly totalCost: number;
  readonly days: readonly CoverageDay[];
}

/** A service in a region, and what of its eligible usage is on demand. */
export interface CoverageGap {
  readonly provider: string;
  readonly service: string;
  readonly region: string;
  readonly currency: string;
  readonly onDemandCost: number;
  readonly coveredCost: number;
  readonly coveragePercent: number | null;
  readonly estimatedMonthlySavings: number;
}

/** A commitment that could be bought, and what it would save. Money is in the answer's currency. */
export interface PlannedCommitment {
  readonly accountId: string;
  readonly accountName: string;
  readonly provider: string;
  readonly kind: CommitmentKind;
  readonly product: string;
  readonly services: readonly string[];
  /** Null: good in every region. */
  readonly region: string | null;
  /** Null for everything that the product covers. */
  readonly family: string | null;
  readonly termMonths: number;
  readonly payment: CommitmentPayment;
  readonly hourlyCommitment: number;
  readonly upfrontPayment: number;
  readonly monthlyPayment: number;
  readonly currency: string;
  readonly estimatedMonthlySavings: number;
  readonly savingsPercent: number;
  readonly expectedUtilizationPercent: number;
  readonly coverageAfterPercent: number;
  readonly breakEvenMonths: number;
  readonly sensitivity: { readonly low: number; readonly high: number };
  readonly discountPercent: number;
  readonly discountMethod: 'observed' | 'documented';
  readonly onDemandCostPerHour: number;
  readonly expiringCostPerHour: number;
  readonly flaggedCostPerHour: number;
  readonly historyDays: number;
  readonly hourlyPercent: number;
}

/** `/coverage/planner`. */
export interface CoveragePlanner extends CoverageHead {
  readonly parameters: PlannerParameters;
  readonly recommendations: readonly PlannedCommitment[];
}

/** What the planner goes by. */
export interface PlannerParameters {
  readonly historyDays: number;
  readonly minimumHistoryDays: number;
  readonly assumedDailySwingPercent: number;
  readonly expiringWithinDays: number;
  readonly usageChangePercent: number;
}
