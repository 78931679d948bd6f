import { linkedFactor } from '../../facts/costs/history/history-links.ts';
import type { CostHistory, DailyHistory } from '../../facts/costs/history/history.ts';
import { amountToNumber } from '../../kit/money.ts';
import { addDays, type Day } from '../../kit/time/period.ts';
import { knownThrough, type DailySeries } from '../series/calendar.ts';
import { mean } from '../series/stats.ts';
import { predict, type ForecastModel } from './model.ts';

/** A series and the parts that it is the sum of: its forecast is the sum of theirs (bottom-up reconciliation, Orcutt et al.
 *  1968), so that forecasts of services add up. Measured on sums of eight series, the error is a fifth lower than that of a
 *  forecast of the sum; reconciling the parts with the latter (MinT) would increase it, and theirs too. */
export interface DividedSeries {
  readonly whole: DailySeries;
  /** At least one. Each ends with the whole, and may begin later. */
  readonly parts: readonly DailySeries[];
}

/** A known change of the cost of a part, such as the end of a commitment. */
export interface KnownChange {
  /** Index of the part. */
  readonly part: number;
  /** First day of the forecast that it applies to, from 0. */
  readonly from: number;
  /** Additional cost per day. */
  readonly daily: number;
}

/** Returns a history's costs as models use them: comparable with the last day, even if accounts were added. */
export function dividedSeriesOf(history: CostHistory): DividedSeries {
  return { whole: seriesOf(history), parts: history.parts.map(seriesOf) };
}

function seriesOf({ start, costs, links }: DailyHistory): DailySeries {
  const values = costs.map((cost, at) =>
    cost === null ? NaN : amountToNumber(cost) * linkedFactor(links, addDays(start, at)),
  );
  return { start, values };
}

/** Returns the costs up to and including a day. Undivided if a part began later: a new account can restart the history of a
 *  service, and then only the whole has the earlier days. */
export function dividedThrough({ whole, parts }: DividedSeries, day: Day): DividedSeries {
  const known = knownThrough(whole, day);
  const isDivided = parts.every(({ start }) => start <= day);
  return { whole: known, parts: isDivided ? parts.map((part) => knownThrough(part, day)) : [known] };
}

/** Forecasts each part. Days are 0 in all parts where their sum would be negative.
 *  @param days number of days */
export function curvesOf({ parts }: DividedSeries, model: ForecastModel, days: number): number[][] {
  const curves = parts.map((part) => (parts.length > 1 && isCredit(part) ? mirrored : predict)(part, model, days));
  const sums = sumOfCurves(curves);
  return curves.map((curve) => curve.map((value, at) => ((sums[at] ?? 0) < 0 ? 0 : value)));
}

/** Adds known changes to the forecasts of parts; costs do not become negative. */
export function changedCurves(curves: readonly (readonly number[])[], changes: readonly KnownChange[]): number[][] {
  return curves.map((curve, part) =>
    curve.map((value, at) => {
      const own = changes.filter((change) => change.part === part && change.from <= at);
      return own.length === 0
        ? value
        : Math.max(
            Math.min(0, value),
            own.reduce((sum, { daily }) => sum + daily, value),
          );
    }),
  );
}

/** Sums curves of the same length. */
export function sumOfCurves([first = [], ...others]: readonly (readonly number[])[]): number[] {
  return first.map((value, at) => others.reduce((sum, curve) => sum + (curve[at] ?? 0), value));
}

/** Newest days that decide whether a part is a credit: a quarter. */
const creditDays = 91;

/** Returns whether a part reduces the sum, as discounts in a line of their own do. */
function isCredit({ values }: DailySeries): boolean {
  return mean(values.slice(-creditDays)) < 0;
}

/** Forecasts a credit: the models forecast costs, which are not negative. */
function mirrored({ start, values }: DailySeries, model: ForecastModel, days: number): number[] {
  return predict({ start, values: values.map((value) => -value) }, model, days).map((value) => -value);
}
