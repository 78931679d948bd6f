import { addDays, type Day } from '../../kit/time/period.ts';
import { accuracyOf, type ForecastAccuracy } from './accuracy.ts';
import { changedCurves, curvesOf, sumOfCurves, type DividedSeries, type KnownChange } from './divided-series.ts';
import { forecastCost, type CostForecast } from './forecast.ts';
import { enoughDays, knownDaysOf, trainingOf, type ForecastModel } from './model.ts';

// Work for worker threads: each task fits a model to each part dozens of times.

/** Costs up to their last complete day, with the model to use. */
export interface ForecastInput {
  readonly costs: DividedSeries;
  readonly model: ForecastModel;
  readonly changes: readonly KnownChange[];
}

/** A forecast input with the number of days to forecast. */
export interface AheadInput extends ForecastInput {
  readonly days: number;
}

/** A model's forecast for the days after a series. */
export interface DaysAhead {
  readonly costs: readonly number[];
  /** Whether there are fewer than 28 known days. */
  readonly lowHistory: boolean;
}

/** Forecasts with intervals: about 70 ms for each part. */
export function forecastSeries({ costs, model, changes }: ForecastInput): CostForecast {
  return forecastCost(costs, model, lastDayOf(costs), changes);
}

/** Forecasts the days after a series, without intervals: about 3 ms for each part. */
export function forecastAhead({ costs, model, changes, days }: AheadInput): DaysAhead {
  return {
    costs: sumOfCurves(changedCurves(curvesOf(costs, model, days), changes)),
    lowHistory: knownDaysOf(trainingOf(costs.whole)) < enoughDays,
  };
}

/** Evaluates a model's accuracy: about 140 ms for each part. */
export function evaluate({ costs, model }: Omit<ForecastInput, 'changes'>): ForecastAccuracy {
  return accuracyOf(costs, model, lastDayOf(costs));
}

function lastDayOf({ whole: { start, values } }: DividedSeries): Day {
  return addDays(start, values.length - 1);
}
