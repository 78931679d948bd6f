import type { Day } from '../../kit/period.ts';
import { detectAnomalies, type Detection } from './detector.ts';
import { mediumSensitivity } from './settings.ts';

/** One series to be judged. */
export interface ReplayInput {
  readonly start: Day;
  /** NaN where no cost is known. */
  readonly costs: readonly number[];
  /** Money a day below which nothing is told, in the currency of the costs. */
  readonly minimumImpact: number;
}

/** Replays the detector over several series: done in a thread, where it keeps nobody waiting. */
export function replaySeries(batch: readonly ReplayInput[]): Detection[] {
  return batch.map(({ start, costs, minimumImpact }) =>
    detectAnomalies({ start, costs }, { ...mediumSensitivity, minimumImpact }),
  );
}
