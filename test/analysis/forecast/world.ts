import { accuracyOf, type ForecastAccuracy } from '../../../src/analysis/forecast/accuracy.ts';
import { forecastCost, type CostForecast } from '../../../src/analysis/forecast/forecast.ts';
import type { ForecastModel } from '../../../src/analysis/forecast/model.ts';
import type { DailySeries } from '../../../src/analysis/series/calendar.ts';
import { daysIn, monthOf, type Day, type DayRange } from '../../../src/kit/time/period.ts';
import type { LineItem } from '../../support/cube.ts';

/** A charge with an EffectiveCost in dollars. */
export function charge(account: string, date: Day, dollars: number, more: Partial<LineItem> = {}): LineItem {
  const cost = BigInt(Math.round(dollars * 1e6)) * 10n ** 6n;
  return {
    account,
    billingPeriod: monthOf(date),
    date,
    provider: 'aws',
    currency: 'USD',
    category: 'usage',
    service: 'Compute',
    serviceCategory: 'Compute',
    region: 'eu-west-1',
    subAccount: '111',
    tags: {},
    billed: cost,
    effective: cost,
    list: cost,
    contracted: cost,
    ...more,
  };
}

/** Charges for every day of a range. */
export function every(range: DayRange, charges: (day: Day) => LineItem[]): LineItem[] {
  return daysIn(range).flatMap(charges);
}

/** 100 on business days, half of that on weekends. */
export function weekly(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() % 6 === 0 ? 50 : 100;
}

/** Forecasts a series without parts. */
export function forecastOf(whole: DailySeries, model: ForecastModel, asOf: Day): CostForecast {
  return forecastCost({ whole, parts: [whole] }, model, asOf);
}

/** Evaluates the forecasts of a series without parts. */
export function accuracyFor(whole: DailySeries, model: ForecastModel, asOf: Day): ForecastAccuracy {
  return accuracyOf({ whole, parts: [whole] }, model, asOf);
}
