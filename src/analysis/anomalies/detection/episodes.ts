import { addDays, type Day } from '../../../kit/period.ts';
import { adoptionDays, mergeDays } from './settings.ts';

/** `spike`: too high for some days; `step`: at a higher level for a week or more; `leak`: risen slowly over weeks;
 *  `new_service`: cost from nothing. */
export type AnomalyKind = 'spike' | 'step' | 'leak' | 'new_service';

/** A day of an episode; money in the currency of the costs. */
export interface EpisodeDay {
  readonly date: Day;
  readonly cost: number;
  readonly expected: number;
}

/** Alerts of days that belong together. */
export interface Episode {
  readonly startDate: Day;
  /** The last day of it, inclusive. */
  readonly endDate: Day;
  /** The day whose cost told it: `startDate`, but of a leak the last of the seven days that show it, and in a long drop the day
   *  that shows that a rise is no return from it. */
  readonly detectedOn: Day;
  readonly kind: AnomalyKind;
  /** The days that were too high, in order; days between them that were not are left out. */
  readonly days: readonly EpisodeDay[];
  /** What the days cost beyond what was expected, in all; more than 0. */
  readonly impact: number;
  readonly severity: Severity;
}

/** An episode under way, by the numbers of its days. */
export interface OpenEpisode {
  kind: AnomalyKind;
  readonly detected: number;
  /** Expected cost of each day that was too high. */
  readonly expected: Map<number, number>;
}

/** Adds an alert to the last episode if it is close enough to it, or begins another.
 *  @param first the first day that the alert tells of; `at` for all but leaks */
export function addAlert(episodes: OpenEpisode[], kind: AnomalyKind, at: number, first = at): OpenEpisode {
  const last = episodes.at(-1);
  if (last !== undefined && first - lastDayOf(last) <= mergeDays) {
    if (kind !== 'spike') last.kind = kind;
    return last;
  }
  const opened: OpenEpisode = { kind, detected: at, expected: new Map() };
  episodes.push(opened);
  return opened;
}

/** The number of the last day that was too high. */
export function lastDayOf(episode: OpenEpisode): number {
  return Math.max(...episode.expected.keys());
}

/** An episode as it is told.
 *  @param start the day with number 0 */
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

/** True when a run of days too high is long enough to be the level. */
export function isLevel(run: readonly boolean[]): boolean {
  const flagged = run.filter(Boolean).length;
  return run.length >= adoptionDays && flagged > adoptionDays / 2;
}

/** How much an anomaly matters. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';

const impactSteps = [10, 100, 1000];
const ratioSteps = [0.5, 2];
const severities = ['low', 'medium', 'medium', 'high', 'critical', 'critical'] as const;

/** One point each for an impact of 10, 100 and 1,000 times the least that is alerted ($100, $1,000 and $10,000), and for an
 *  excess of 50 % and of 200 %. No point is low, one or two medium, three high, more critical.
 *  @param impact what was paid beyond the expectation, in all
 *  @param expected what was expected, in all; 0 for a new service
 *  @param minimumImpact the least impact a day that is alerted */
export function severityOf(impact: number, expected: number, minimumImpact: number): Severity {
  const ratio = expected > 0 ? impact / expected : Infinity;
  const points =
    impactSteps.filter((step) => impact >= step * minimumImpact).length +
    ratioSteps.filter((step) => ratio >= step).length;
  return severities[points] ?? 'critical';
}
