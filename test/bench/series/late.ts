import { randomOf } from './random.ts';
import type { CostSeries } from './generator.ts';

/** What of a day is known on the day itself, a day later and two days later: 35–97 %, 90–100 % and 98–100 %; then all. */
const knownAfter = [
  [0.35, 0.97],
  [0.9, 1],
  [0.98, 1],
] as const;

/** The costs as a bill told them on a day: of the newest three days only a part. The same day gives the same parts.
 *  @param asOf number of the newest day that is told */
export function knownOn(series: CostSeries, asOf: number): number[] {
  return series.costs.slice(0, asOf + 1).map((cost, index) => {
    const [low, high] = knownAfter[asOf - index] ?? [1, 1];
    const part = randomOf(`${series.key}/late/${index}/${asOf - index}`).between(low, high);
    return Math.round(cost * part * 100) / 100;
  });
}
