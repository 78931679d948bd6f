import { addDays } from '../../kit/time/period.ts';
import type { DailySeries } from '../series/calendar.ts';
import { accuracyOf, type ForecastAccuracy } from './accuracy.ts';
import { forecastCost, type CostForecast } from './forecast.ts';
import { enoughDays, knownDaysOf, predict, trainingOf, type ForecastModel } from './model.ts';

// Work for worker threads: each task fits a model dozens of times.

/** A series up to its last complete day, with the model to use. */
export interface ForecastInput {
  readonly series: DailySeries;
  readonly model: ForecastModel;
}

/** The same with the number of days to forecast. */
export interface AheadInput extends ForecastInput {
  readonly days: number;
}

/** Forecasts with intervals: about 200 ms. */
export function forecastSeries({ series, model }: ForecastInput): CostForecast {
  return forecastCost(series, model, lastDayOf(series));
}

/** Forecasts the days after each of many series, without intervals: about 10 ms each. */
export function forecastManySeries(inputs: readonly AheadInput[]): DaysAhead[] {
  return inputs.map(({ series, model, days }) => ({
    costs: predict(series, model, days),
    lowHistory: knownDaysOf(trainingOf(series)) < enoughDays,
  }));
}

/** A model's forecast for the days after a series. */
export interface DaysAhead {
  readonly costs: readonly number[];
  /** Whether there are fewer than 28 known days. */
  readonly lowHistory: boolean;
}

/** Evaluates a model's accuracy: about 400 ms. */
export function judge({ series, model }: ForecastInput): ForecastAccuracy {
  return accuracyOf(series, model, lastDayOf(series));
}

function lastDayOf({ start, values }: DailySeries) {
  return addDays(start, values.length - 1);
}
