import { addDays, type Day } from '../../../kit/time/period.ts';
import { adoptionDays, mergeDays } from './settings.ts';

/** `spike`: too high for some days; `step`: at a higher level for a week or more; `leak`: a slow rise over weeks;
 *  `new_service`: the first cost of a service. */
export type AnomalyKind = 'spike' | 'step' | 'leak' | 'new_service';

/** A day of an episode; money in the currency of the costs. */
export interface EpisodeDay {
  readonly date: Day;
  readonly cost: number;
  readonly expected: number;
}

/** Consecutive alerts that belong together. */
export interface Episode {
  readonly startDate: Day;
  /** Last day, inclusive. */
  readonly endDate: Day;
  /** The day whose cost revealed it: `startDate`; for a leak the last of the seven days that show it; in a long drop the day
   *  that shows that a rise is not a return. */
  readonly detectedOn: Day;
  readonly kind: AnomalyKind;
  /** The days that were too high, in order; normal days in between are omitted. */
  readonly days: readonly EpisodeDay[];
  /** Total excess over the expectation; more than 0. */
  readonly impact: number;
  readonly severity: Severity;
}

/** An episode in progress, by day index. */
export interface OpenEpisode {
  kind: AnomalyKind;
  readonly detected: number;
  /** Expected cost of each high day. */
  readonly expected: Map<number, number>;
}

/** Adds an alert to the last episode if it is close enough, else starts a new one.
 *  @param first first day of the leak or of the run of high days; default: `at` */
export function addAlert(episodes: OpenEpisode[], kind: AnomalyKind, at: number, first = at): OpenEpisode {
  const last = episodes.at(-1);
  if (last !== undefined && first - lastDayOf(last) <= mergeDays) {
    if (kind !== 'spike') last.kind = kind;
    return last;
  }
  return openEpisode(episodes, kind, at);
}

/** Starts a new episode. */
export function openEpisode(episodes: OpenEpisode[], kind: AnomalyKind, at: number): OpenEpisode {
  const opened: OpenEpisode = { kind, detected: at, expected: new Map() };
  episodes.push(opened);
  return opened;
}

/** Returns the index of the last high day. */
export function lastDayOf(episode: OpenEpisode): number {
  return Math.max(...episode.expected.keys());
}

/** Converts an open episode to its result.
 *  @param start the day with index 0 */
export function closeEpisode(
  episode: OpenEpisode,
  start: Day,
  costs: readonly number[],
  minimumImpact: number,
): Episode {
  const numbers = [...episode.expected.keys()].sort((a, b) => a - b);
  const days = numbers.map((number) => ({
    date: addDays(start, number),
    cost: costs[number] ?? 0,
    expected: episode.expected.get(number) ?? 0,
  }));
  const expected = days.reduce((sum, day) => sum + day.expected, 0);
  const impact = days.reduce((sum, day) => sum + day.cost - day.expected, 0);
  const dates = { startDate: days[0]?.date ?? start, endDate: days.at(-1)?.date ?? start };
  const severity = severityOf(impact, expected, minimumImpact);
  return { ...dates, detectedOn: addDays(start, episode.detected), kind: episode.kind, days, impact, severity };
}

/** Returns whether a run of high days is long enough to be a level. */
export function isLevel(run: readonly boolean[]): boolean {
  const flagged = run.filter(Boolean).length;
  return run.length >= adoptionDays && flagged > adoptionDays / 2;
}

/** Severity of an anomaly. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';

const impactSteps = [10, 100, 1000];
const ratioSteps = [0.5, 2];
const severities = ['low', 'medium', 'medium', 'high', 'critical', 'critical'] as const;

/** Computes the severity. One point each for an impact of 10, 100 and 1,000 times the minimum ($100, $1,000 and $10,000),
 *  and for an excess of 50% and of 200%. 0 points: low, 1 or 2: medium, 3: high, more: critical.
 *  @param impact total excess over the expectation
 *  @param expected total expected cost; 0 for a new service
 *  @param minimumImpact minimum impact of an alerted day */
export function severityOf(impact: number, expected: number, minimumImpact: number): Severity {
  const ratio = expected > 0 ? impact / expected : Infinity;
  const points =
    impactSteps.filter((step) => impact >= step * minimumImpact).length +
    ratioSteps.filter((step) => ratio >= step).length;
  return severities[points] ?? 'critical';
}
