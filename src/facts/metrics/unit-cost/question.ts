import { lastElapsedDay } from '../../../kit/time/compared-days.ts';
import type { Day } from '../../../kit/time/period.ts';
import { resolveFilters, type RangeArgs } from '../../costs/breakdown/question.ts';
import type { CostQuery } from '../../costs/query.ts';
import { resolveRange, type Granularity } from '../../costs/question.ts';
import { parseKey, type Metric } from '../metric.ts';
import { parseLabelFilters, type Labels } from '../values.ts';

/** Parameters of `unitCost`, by their GraphQL names. Absent and null mean the same. */
export interface UnitCostArgs extends Omit<RangeArgs, 'limit'> {
  /** Key of the metric. */
  readonly metric: string;
  readonly granularity?: Granularity | null;
  /** Labels as `NAME:VALUE`. */
  readonly label?: readonly string[] | null;
}

/** A resolved question, without its metric. */
export interface AskedUnitCost {
  readonly query: CostQuery;
  /** Last day of the range, at most today. */
  readonly until: Day;
  readonly granularity: Granularity;
  /** Only quantities with all of these labels. */
  readonly labels: Labels;
}

/** A fully resolved question. Equal questions serialize to equal JSON. */
export interface UnitCostQuestion extends AskedUnitCost {
  readonly metric: Metric;
}

/** Resolves the parameters of `unitCost`.
 *  @returns the key of the metric, and the question
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function resolveUnitCost(args: UnitCostArgs, today: Day): { key: string; asked: AskedUnitCost } {
  const granularity = args.granularity ?? 'monthly';
  const key = parseKey(args.metric, 'metric');
  const range = resolveRange(args, today, granularity === 'monthly');
  const query: CostQuery = {
    range,
    costMetric: args.costMetric ?? 'effective',
    bucket: granularity === 'daily' ? 'day' : 'month',
    dimensions: [],
    ...resolveFilters(args.filters),
  };
  const until = lastElapsedDay(range, today);
  return { key, asked: { query, until, granularity, labels: parseLabelFilters(args.label) } };
}
