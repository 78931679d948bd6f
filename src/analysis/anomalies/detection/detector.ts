import type { Day } from '../../../kit/time/period.ts';
import { calendarFrom } from '../../series/calendar.ts';
import { adjusted, adoptLevel, emptyHistory, forgetRepaired, record, type Verdict, type History } from './history.ts';
import {
  baselineOf,
  limitsAround,
  unknownLimits,
  weekdayFactors,
  type Baseline,
  type Limits,
  type ComparedDay,
} from './baseline.ts';
import { chargeOn } from './charges.ts';
import { isRecurring } from './recurrence.ts';
import { followDrops, forgetDropsBelow } from './drops.ts';
import { addAlert, closeEpisode, isLevel, lastDayOf, openEpisode, type Episode, type OpenEpisode } from './episodes.ts';
import { leakFrom, worsenedLeak, type Leak } from './leak.ts';
import { holdReturn, returnedTo, thresholdOf, type Replay } from './returns.ts';
import {
  adoptionDays,
  chargeDays,
  idlePart,
  mediumSensitivity,
  repeatTolerance,
  shortHistoryDays,
  type Sensitivity,
} from './settings.ts';

/** Daily costs of one account and service, as known at evaluation time. */
export interface DailyCosts {
  /** The day of the first cost. */
  readonly start: Day;
  /** Cost of each day from `start` on; NaN if unknown. Days with known account data but no such cost are 0: only these
   *  reveal a new service. */
  readonly costs: readonly number[];
  /** Index of the first day to learn from; default 0. Earlier ones only show the seasons of last year. */
  readonly learnFrom?: number;
}

/** Result of a detection. */
export interface Detection {
  /** In order, without overlaps. */
  readonly episodes: readonly Episode[];
  /** Expected cost of each day; NaN while there is too little history. */
  readonly expected: readonly number[];
  /** Limits of each day; for the days of a leak, those of the leak. */
  readonly limits: readonly Limits[];
}

/** Detects days that cost more than expected from the days before. Each day is evaluated only from earlier ones, so a later
 *  day changes nothing about an earlier one except the kind and the last day of an episode that it continues. The newest
 *  days are often incomplete: they are too low, never too high, and are evaluated again when the series is replayed with
 *  their full cost. Falls are not reported, nor are returns from them to the level that was left less than half a year ago,
 *  extrapolated by its own growth. In a drop of more than four weeks, a rise is only reported once two days back down, or two
 *  that stay below the earlier level, show that it is not a return, on the second of them; otherwise rises are reported on
 *  their first day. Takes about 0.2 ms per day.
 *
 *  Also pass the days before those of interest, from which the detector learns: see `learningDays`. */
export function detectAnomalies(series: DailyCosts, sensitivity: Sensitivity = mediumSensitivity): Detection {
  const { start, costs, learnFrom = 0 } = series;
  const history = emptyHistory(calendarFrom(start, costs.length), costs);
  const replay: Replay = {
    history,
    sensitivity,
    episodes: [],
    expected: [],
    limits: [],
    run: [],
    leak: null,
    held: [],
  };
  for (let at = 0; at < learnFrom; at += 1) waitForHistory(replay, at, unknownLimits);
  history.levelStart = learnFrom;
  for (let at = learnFrom; at < costs.length; at += 1) replayDay(replay, at);
  const { minimumImpact } = sensitivity;
  const episodes = replay.episodes.map((episode) => closeEpisode(episode, start, costs, minimumImpact));
  return { episodes, expected: replay.expected, limits: replay.limits };
}

function replayDay(replay: Replay, at: number): void {
  const { history, sensitivity } = replay;
  const arrival = arrivalOn(history, at, sensitivity.minimumImpact);
  if (arrival !== null) {
    history.levelStart = at;
    history.drops = [];
    replay.run = [];
    replay.leak = null;
    reportArrival(replay, at, arrival);
  } else if (at - history.levelStart < shortHistoryDays && !wasAdopted(replay)) {
    waitForHistory(replay, at, unknownLimits);
  } else {
    evaluateDay(replay, at);
  }
}

/** Reports a new service, or a monthly charge that is much higher than the one before. */
function reportArrival(replay: Replay, at: number, arrival: Arrival): void {
  const { history, episodes, sensitivity } = replay;
  const before = lastCharge(history, at, sensitivity.minimumImpact);
  if (arrival === 'back') return waitForHistory(replay, at, unknownLimits);
  addAlert(episodes, before > 0 ? 'spike' : 'new_service', at).expected.set(at, before);
  waitForHistory(replay, at, { low: 0, high: before + sensitivity.minimumImpact }, before > 0 ? before : NaN);
}

/** Returns the newest cost of the last month that reaches the minimum impact; 0 without one. */
function lastCharge({ costs }: History, at: number, minimumImpact: number): number {
  const month = costs.slice(Math.max(0, at - chargeDays), at);
  return month.findLast((cost) => cost >= minimumImpact) ?? 0;
}

/** Returns whether the level was adopted after a week: then it is known well enough to continue the evaluation, unlike the
 *  first one. */
function wasAdopted({ history }: Replay): boolean {
  return history.levelStart > 0 && !Number.isNaN(history.base[history.levelStart] ?? NaN);
}

/** Records a day without evaluating it. The first week of a new service belongs to its episode: there was no expectation for
 *  it. */
function waitForHistory({ history, episodes, expected, limits }: Replay, at: number, own: Limits, known = NaN): void {
  const episode = episodes.at(-1);
  const isNew = episode?.kind === 'new_service' && episode.detected === history.levelStart;
  const isFirstWeek = isNew && at - history.levelStart < adoptionDays;
  if (isFirstWeek && (history.costs[at] ?? 0) > 0) episode.expected.set(at, 0);
  expected.push(isFirstWeek ? 0 : known);
  limits.push(own);
  record(history, { base: NaN, charge: 0, verdict: 'ordinary' });
}

function evaluateDay(replay: Replay, at: number): void {
  const { history, sensitivity, episodes } = replay;
  const baseline = baselineOf(history, weekdayFactors(history));
  const base = baseline.level * (baseline.factors[history.days[at]?.weekday ?? 0] ?? 1);
  const charge = chargeOn(history, at, { base, sigma: baseline.sigma });
  const expected = base + charge.known;
  const excess = (history.costs[at] ?? NaN) - expected;
  const threshold = thresholdOf(baseline, base, expected, sensitivity);
  const compared = {
    at,
    excess,
    charge,
    threshold,
    baseline,
    returned: returnedTo(replay, at, { baseline, charge: charge.known }),
  };
  const verdict = verdictOf(replay, compared);
  replay.expected.push(expected);
  const spread = sensitivity.sigmas * baseline.sigma * base;
  replay.limits.push(limitsAround(expected, { spread, excess: Math.max(threshold, sensitivity.minimumImpact) }));
  record(history, { base, charge: charge.known, verdict });
  if (verdict === 'alerted') addAlert(episodes, 'spike', at, at - replay.run.length).expected.set(at, expected);
  replay.run =
    excess >= Math.max(threshold, sensitivity.minimumImpact) / 2 ? [...replay.run, verdict === 'alerted'] : [];
  holdReturn(replay, verdict, compared);
  if (isLevel(replay.run)) adopt(replay, at, baseline);
  else lookForLeak(replay, at, baseline);
  followDrops(history, baseline.factors);
  forgetRepaired(history, adjusted(history, baseline.factors, { from: at - adoptionDays + 1 }));
}

/** Returns the verdict on a day. One that continues an alert is not a recurrence of something else. */
function verdictOf({ history, episodes, run, sensitivity }: Replay, compared: ComparedDay): Verdict {
  if (!(compared.excess >= compared.threshold)) return 'ordinary';
  if (compared.excess < sensitivity.minimumImpact) return 'small';
  if (compared.returned === 'near' || (compared.returned === 'below' && !run.includes(true))) return 'returned';
  if (run.includes(true)) return 'alerted';

  return isRecurring(history, episodes, compared) ? 'muted' : 'alerted';
}

/** Adopts a week that is too high as the new level: it is reported once and not again. */
function adopt(replay: Replay, at: number, { level, factors }: Baseline): void {
  adoptLevel(replay.history, at - replay.run.length + 1, level);
  forgetDropsBelow(replay.history, factors);
  const episode = replay.episodes.at(-1);
  if (episode?.kind === 'spike') episode.kind = 'step';
  replay.run = [];
  replay.leak = null;
}

/** Reports a leak, and extends the report each time the excess has doubled. */
function lookForLeak(replay: Replay, at: number, baseline: Baseline): void {
  const { history, sensitivity, episodes, leak: reported } = replay;
  const began = leakFrom(history, baseline, sensitivity);
  if (began !== null) {
    const first = at - adoptionDays + 1;
    replay.leak = began;
    reportLeak(replay, addAlert(episodes, 'leak', at, first), { baseline, leak: began, first, at });
    adoptLevel(history, first, began.level);
    forgetDropsBelow(history, baseline.factors);
    return;
  }
  const last = episodes.at(-1);
  const grown = reported && last && worsenedLeak(history, baseline, reported, at - lastDayOf(last));
  if (!grown) return;
  replay.leak = grown;
  const episode = last.kind === 'leak' ? last : openEpisode(episodes, 'leak', at);
  reportLeak(replay, episode, { baseline, leak: grown, first: lastDayOf(last) + 1, at });
}

interface LeakDays {
  readonly baseline: Baseline;
  readonly leak: Leak;
  readonly first: number;
  readonly at: number;
}

/** Adds days above the level that a leak left to an episode. */
function reportLeak(
  { history, sensitivity, limits }: Replay,
  episode: OpenEpisode,
  { baseline, leak: { level, excess }, first, at }: LeakDays,
): void {
  for (let day = first; day <= at; day += 1) {
    const factor = baseline.factors[history.days[day]?.weekday ?? 0] ?? 1;
    const expected = level * factor + (history.charge[day] ?? 0);
    if (!((history.costs[day] ?? 0) > expected) || episode.expected.has(day)) continue;
    episode.expected.set(day, expected);
    const spread = sensitivity.sigmas * baseline.sigma * level * factor;
    limits[day] = limitsAround(expected, { spread, excess: excess * factor });
  }
}

const idleDays = 30;

/** A cost after a month without one: `new`, or `back` if there was as much before. */
export type Arrival = 'new' | 'back';

/** Classifies the first day with a cost after a month without one; null for any other day.
 *  @param minimumImpact minimum cost that counts; a tenth of it counts as nothing */
export function arrivalOn({ costs }: History, at: number, minimumImpact: number): Arrival | null {
  const cost = costs[at] ?? NaN;
  if (at < idleDays || !(cost >= minimumImpact)) return null;
  for (let day = at - idleDays; day < at; day += 1) if ((costs[day] ?? 0) >= minimumImpact * idlePart) return null;
  return costs.slice(0, at).some((earlier) => earlier * repeatTolerance >= cost) ? 'back' : 'new';
}

/** Replays the detector over several series, in a worker thread.
 *  @param batch `minimumImpact`: money per day below which nothing is reported, in the currency of the costs */
export function replaySeries(batch: readonly (DailyCosts & Pick<Sensitivity, 'minimumImpact'>)[]): Detection[] {
  return batch.map(({ minimumImpact, ...series }) => detectAnomalies(series, { ...mediumSensitivity, minimumImpact }));
}
