import type { CostHistory } from '../../facts/costs/history.ts';
import { linkedFactor } from '../../facts/costs/history-links.ts';
import { microsToNumber, roundAmount } from '../../kit/money.ts';
import { addDays } from '../../kit/period.ts';
import type { DailySeries } from '../series/series.ts';
import { backtestWeeks } from './calibration.ts';
import { trainingDays } from './model.ts';

/** What the accuracy of half a year is worked out from: backtests of half a year, each with the intervals that backtests of the
 *  half year before it gave, each of those made from a year. */
export const historyDays = trainingDays + 2 * 7 * backtestWeeks + 1;

/** The costs of a history as models see them: comparable with those of the last day, though more accounts came. */
export function seriesOf({ start, costs, links }: CostHistory): DailySeries {
  const values = costs.map((cost, at) =>
    cost === null ? NaN : microsToNumber(roundAmount(cost)) * linkedFactor(links, addDays(start, at)),
  );
  return { start, values };
}
