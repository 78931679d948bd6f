import type { DailySeries } from '../series/series.ts';
import { mean } from '../series/stats.ts';
import type { Curve } from './line.ts';
import { horizonDays, predict, trainingOf, type ForecastModel } from './model.ts';

/** What a model said on a day, of the days after it. */
export interface Fit {
  /** Which day of the series it was said on: the last that was known. */
  readonly origin: number;
  /** How many days were known then, of those it was made from. */
  readonly knownDays: number;
  /** Mean cost of the 28 days up to it, credits left out: errors are told as parts of it. */
  readonly scale: number;
  readonly curve: Curve;
}

/** A series and what was said of it on each day. */
export interface Replay {
  readonly series: DailySeries;
  readonly model: ForecastModel;
  /** What was said on a day, from it and the days before it alone. Worked out once for each. */
  readonly fitAt: (origin: number) => Fit;
}

const scaleDays = 28;

/** @param series up to its last complete day */
export function replayOf(series: DailySeries, model: ForecastModel): Replay {
  const fits = new Map<number, Fit>();
  const fitAt = (origin: number): Fit => {
    const made = fits.get(origin) ?? fitOf({ ...series, values: series.values.slice(0, origin + 1) }, model);
    fits.set(origin, made);
    return made;
  };
  return { series, model, fitAt };
}

function fitOf(series: DailySeries, model: ForecastModel): Fit {
  const { values } = trainingOf(series);
  return {
    origin: series.values.length - 1,
    knownDays: values.filter((value) => !Number.isNaN(value)).length,
    scale: mean(values.slice(-scaleDays).map((value) => Math.max(0, value))) || 0,
    curve: predict(series, model),
  };
}

/** By how much the days after a fit were off, as parts of its scale, above or below: of those known by a later day; NaN of
 *  the others.
 *  @param through the later day */
export function errorsOf({ origin, scale, curve }: Fit, values: readonly number[], through: number): number[] {
  return Array.from({ length: horizonDays }, (_, at) => {
    const day = origin + 1 + at;
    const actual = day <= through ? (values[day] ?? NaN) : NaN;
    return (actual - (curve.values[at] ?? NaN)) / scale;
  });
}
