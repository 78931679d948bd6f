import type { Day } from '../../kit/period.ts';
import { calendarFrom } from '../series/calendar.ts';
import { adjusted } from './adjusted.ts';
import { baselineOf, type Baseline } from './baseline.ts';
import { chargeOn, type MonthlyCharge } from './charges.ts';
import { addAlert, closeEpisode, isLevel, type Episode, type OpenEpisode } from './episodes.ts';
import { adoptLevel, emptyHistory, forgetRepaired, record, type History, type Verdict } from './history.ts';
import { leakFrom } from './leak.ts';
import { arrivalOn } from './new-service.ts';
import { isRecurring } from './recurrence.ts';
import { adoptionDays, mediumSensitivity, shortHistoryDays, type Sensitivity } from './settings.ts';
import { weekdayFactors } from './weekdays.ts';

/** Daily costs of one account and service, as known when they are judged. */
export interface DailyCosts {
  /** The day of the first cost. */
  readonly start: Day;
  /** Money of each day from then on; NaN where no cost is known. Days on which an account that was known had no such cost are
   *  0: a new service can be told by them alone. */
  readonly costs: readonly number[];
}

/** What a series' costs tell. */
export interface Detection {
  /** In order; none overlaps another. */
  readonly episodes: readonly Episode[];
  /** Expected cost of each day; NaN while too little is known. */
  readonly expected: readonly number[];
}

/** Finds days that cost more than the days before let expect. Each day is judged by those before it alone, so a later day
 *  changes nothing of an earlier one, but for the kind and the last day of the episode it goes on with. The newest days are
 *  often incomplete: they are too low, never too high, and are judged again when the series is replayed with all of their
 *  cost. Falls are never told, nor returns from them within six weeks, or from a month and more without any cost. About 0.2 ms a day.
 *
 *  Give it 100 days more than those whose episodes are asked for: it learns from them. */
export function detectAnomalies(series: DailyCosts, sensitivity: Sensitivity = mediumSensitivity): Detection {
  const { start, costs } = series;
  const history = emptyHistory(calendarFrom(start, costs.length), costs);
  const replay: Replay = { history, sensitivity, episodes: [], expected: [], run: [] };
  for (let at = 0; at < costs.length; at += 1) replayDay(replay, at);
  const { minimumImpact } = sensitivity;
  const episodes = replay.episodes.map((episode) => closeEpisode(episode, start, costs, minimumImpact));
  return { episodes, expected: replay.expected };
}

interface Replay {
  readonly history: History;
  readonly sensitivity: Sensitivity;
  readonly episodes: OpenEpisode[];
  readonly expected: number[];
  /** The days in a row, to the newest, that are at a higher level: true for those that are too high alone. */
  run: boolean[];
}

function replayDay(replay: Replay, at: number): void {
  const { history, sensitivity } = replay;
  const arrival = arrivalOn(history, at, sensitivity.minimumImpact);
  if (arrival === 'new') addAlert(replay.episodes, 'new_service', at).expected.set(at, 0);
  if (arrival !== null) {
    history.levelStart = at;
    replay.run = [];
    waitForHistory(replay, at);
  } else if (at - history.levelStart < shortHistoryDays && !wasAdopted(replay)) {
    waitForHistory(replay, at);
  } else {
    judge(replay, at);
  }
}

/** A level that was adopted after a week is known well enough to go on judging; a first one is not. */
function wasAdopted({ history }: Replay): boolean {
  return history.levelStart > 0 && !Number.isNaN(history.base[history.levelStart] ?? NaN);
}

/** The first week of a new service belongs to its episode: nothing was expected of it. */
function waitForHistory({ history, episodes, expected }: Replay, at: number): void {
  const episode = episodes.at(-1);
  const isNew = episode?.kind === 'new_service' && episode.detected === history.levelStart;
  const isFirstWeek = isNew && at - history.levelStart < adoptionDays;
  if (isFirstWeek && (history.costs[at] ?? 0) > 0) episode.expected.set(at, 0);
  expected.push(isFirstWeek ? 0 : NaN);
  record(history, { base: NaN, charge: 0, verdict: 'ordinary' });
}

function judge(replay: Replay, at: number): void {
  const { history, sensitivity, episodes } = replay;
  const baseline = baselineOf(history, weekdayFactors(history));
  const base = baseline.level * (baseline.factors[history.days[at]?.weekday ?? 0] ?? 1);
  const charge = chargeOn(history, at, { base, sigma: baseline.sigma });
  const expected = base + charge.known;
  const excess = (history.costs[at] ?? NaN) - expected;
  const threshold = thresholdOf(baseline, base, expected, sensitivity);
  const usual = Math.max(
    0,
    baseline.returnLevel * Math.max(1, baseline.factors[history.days[at]?.weekday ?? 0] ?? 1) - base,
  );
  const verdict = verdictOf(replay, { at, excess, charge, threshold, usual });
  replay.expected.push(expected);
  record(history, { base, charge: charge.known, verdict });
  if (verdict === 'alerted') addAlert(episodes, 'spike', at, at - replay.run.length).expected.set(at, expected);
  replay.run =
    excess >= Math.max(threshold, sensitivity.minimumImpact) / 2 ? [...replay.run, verdict === 'alerted'] : [];
  if (isLevel(replay.run)) adopt(replay, at, baseline.level);
  else lookForLeak(replay, at, baseline);
  forgetRepaired(history, adjusted(history, baseline.factors, { from: at - adoptionDays + 1 }));
}

/** The excess from which a day is unusual. It is too high from the least impact on. */
function thresholdOf({ sigma, usualExcess }: Baseline, base: number, expected: number, least: Sensitivity): number {
  return Math.max(Math.max(least.sigmas * sigma, usualMargin * usualExcess) * base, least.minimumRatio * expected);
}

/** How far beyond the usual excess an excess must be to be unusual. */
const usualMargin = 2.2;

interface Judged {
  readonly at: number;
  readonly excess: number;
  readonly charge: MonthlyCharge;
  readonly threshold: number;
  /** What of the excess may be the return from a drop, if the week has another shape after it. */
  readonly usual: number;
}

/** What goes on from an alerted day is no repetition of something else. */
function verdictOf({ history, episodes, run, sensitivity }: Replay, judged: Judged): Verdict {
  if (!(judged.excess >= judged.threshold)) return 'ordinary';
  if (judged.excess < sensitivity.minimumImpact) return 'small';
  if (judged.usual > 0 && judged.excess - judged.usual < judged.threshold) return 'returned';
  if (run.includes(true)) return 'alerted';

  return isRecurring(history, episodes, judged) ? 'muted' : 'alerted';
}

/** A week too high is the level from now on: told once, and not again. */
function adopt(replay: Replay, at: number, level: number): void {
  adoptLevel(replay.history, at - replay.run.length + 1, level);
  const episode = replay.episodes.at(-1);
  if (episode?.kind === 'spike') episode.kind = 'step';
  replay.run = [];
}

function lookForLeak(replay: Replay, at: number, baseline: Baseline): void {
  const { history, sensitivity, episodes } = replay;
  const level = leakFrom(history, baseline, sensitivity);
  if (level === null) return;
  const first = at - adoptionDays + 1;
  const episode = addAlert(episodes, 'leak', at, first);
  for (let day = first; day <= at; day += 1) {
    const expected = level * (baseline.factors[history.days[day]?.weekday ?? 0] ?? 1) + (history.charge[day] ?? 0);
    if ((history.costs[day] ?? 0) > expected && !episode.expected.has(day)) episode.expected.set(day, expected);
  }
  adoptLevel(history, first, level);
}
