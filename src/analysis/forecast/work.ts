import { addDays } from '../../kit/period.ts';
import type { DailySeries } from '../series/calendar.ts';
import { accuracyOf, type ForecastAccuracy } from './accuracy.ts';
import { forecastCost, type CostForecast } from './forecast.ts';
import { enoughDays, predict, trainingOf, type ForecastModel } from './model.ts';

// What is done in threads: each fits a model dozens of times.

/** A series up to its last complete day, and what is to be said of it. */
export interface ForecastInput {
  readonly series: DailySeries;
  readonly model: ForecastModel;
}

/** Forecasts with their intervals: some 200 ms. */
export function forecastSeries({ series, model }: ForecastInput): CostForecast {
  return forecastCost(series, model, lastDayOf(series));
}

/** Forecasts of many series without intervals, each some 10 ms: the 60 days after each. */
export function forecastManySeries(inputs: readonly ForecastInput[]): DaysAhead[] {
  return inputs.map(({ series, model }) => ({
    costs: predict(series, model).values,
    lowHistory: trainingOf(series).values.filter((value) => !Number.isNaN(value)).length < enoughDays,
  }));
}

/** What a model says of the days after a series. */
export interface DaysAhead {
  readonly costs: readonly number[];
  /** True with fewer than 28 known days. */
  readonly lowHistory: boolean;
}

/** How well a model would have done: some 400 ms. */
export function judge({ series, model }: ForecastInput): ForecastAccuracy {
  return accuracyOf(series, model, lastDayOf(series));
}

function lastDayOf({ start, values }: DailySeries) {
  return addDays(start, values.length - 1);
}
