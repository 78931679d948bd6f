import { parseAmount, roundAmount, sumAmounts, type Micros } from '../../../kit/money.ts';
import { addDays, daysBetween, laterDay, type Day } from '../../../kit/time/period.ts';
import type { Detection } from '../detection/detector.ts';
import type { AnomalyKind, Episode, Severity } from '../detection/episodes.ts';
import { learningDays, type ServiceSeries } from './series-store.ts';

/** A day of an anomaly's chart. Money rounded to 6 decimals. */
export interface ChartDay {
  readonly date: Day;
  /** Null: unknown. */
  readonly cost: number | null;
  /** Null: too little history for an expectation. */
  readonly expected_cost: number | null;
  /** Bounds of the expected cost: see `Limits`. Null: not evaluated; absent: stored before these existed. */
  readonly expected_low?: number | null;
  readonly expected_high?: number | null;
}

/** An anomaly according to the current bills. */
export interface Finding {
  readonly provider: string;
  readonly service: string;
  readonly currency: string;
  readonly kind: AnomalyKind;
  readonly startDate: Day;
  readonly endDate: Day;
  /** The day whose cost revealed it. */
  readonly detectedOn: Day;
  readonly severity: Severity;
  /** The days that were too high, in order. */
  readonly days: readonly Day[];
  /** The day with the largest excess over its expectation. */
  readonly peak: { readonly date: Day; readonly cost: number; readonly expected: number };
  /** Days before it without an anomaly in its series, latest first: the reference for what is usual. */
  readonly usualDays: readonly Day[];
  /** Actual and expected cost of its days, rounded to 6 decimals. */
  readonly actual: Micros;
  readonly expected: Micros;
  readonly chart: readonly ChartDay[];
}

const chartDaysBefore = 28;
const chartDaysAfter = 14;
/** Number of usual days: whole weeks, so that every weekday has equal weight. */
const usualDayCount = 28;
/** Days to skip before a leak: it has risen for weeks when detected, so these days are not a reference. */
const leakDays = 21;

/** Returns the findings of a series that start in the evaluated days.
 *  @param start the first day of the series
 *  @param since the first evaluated day */
export function findingsOf(series: ServiceSeries, detection: Detection, start: Day, since: Day): Finding[] {
  const flagged = new Set(detection.episodes.flatMap(({ days }) => days.map(({ date }) => date)));
  return detection.episodes
    .filter((episode) => episode.startDate >= since)
    .map((episode) => findingOf(series, detection, episode, { start, flagged }));
}

interface Context {
  readonly start: Day;
  readonly flagged: ReadonlySet<Day>;
}

function findingOf(series: ServiceSeries, detection: Detection, episode: Episode, context: Context): Finding {
  const { start } = context;
  const costOf = (day: Day) => series.costs[daysBetween(start, day)] ?? null;
  const actual = roundAmount(sumAmounts(episode.days.map(({ date }) => parseAmount(costOf(date) ?? '0'))));
  const { kind, startDate, endDate, detectedOn, severity } = episode;
  return {
    provider: series.provider,
    service: series.service,
    currency: series.currency,
    kind,
    startDate,
    endDate,
    detectedOn,
    severity,
    days: episode.days.map(({ date }) => date),
    peak: episode.days.toSorted(
      (a, b) => b.cost - b.expected - (a.cost - a.expected) || (a.date < b.date ? -1 : 1),
    )[0] ?? {
      date: startDate,
      cost: 0,
      expected: 0,
    },
    usualDays: usualDaysOf(episode, series, context),
    actual,
    expected: microsOf(episode.days.reduce((sum, day) => sum + day.expected, 0)),
    chart: chartOf(series, detection, episode, start),
  };
}

function usualDaysOf({ kind, startDate }: Episode, series: ServiceSeries, { start, flagged }: Context): Day[] {
  const last = addDays(startDate, kind === 'leak' ? -leakDays : -1);
  const first = laterDay(start, addDays(startDate, -learningDays));
  const days: Day[] = [];
  for (let day = last; day >= first && days.length < usualDayCount; day = addDays(day, -1))
    if (!flagged.has(day) && (series.costs[daysBetween(start, day)] ?? null) !== null) days.push(day);
  return days;
}

function chartOf({ costs }: ServiceSeries, detection: Detection, episode: Episode, start: Day): ChartDay[] {
  const expected = new Map(episode.days.map((day) => [day.date, day.expected]));
  const first = Math.max(0, daysBetween(start, episode.startDate) - chartDaysBefore);
  const last = Math.min(costs.length - 1, daysBetween(start, episode.endDate) + chartDaysAfter);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const date = addDays(start, first + index);
    const cost = costs[first + index] ?? null;
    const limits = detection.limits[first + index];
    return {
      date,
      cost: cost === null ? null : rounded(Number(cost)),
      expected_cost: knownOf(expected.get(date) ?? detection.expected[first + index]),
      expected_low: knownOf(limits?.low),
      expected_high: knownOf(limits?.high),
    };
  });
}

function knownOf(value = NaN): number | null {
  return Number.isNaN(value) ? null : rounded(value);
}

function microsOf(value: number): Micros {
  return BigInt(Math.round(value * 1_000_000));
}

function rounded(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}

/** Identity of a stored anomaly. */
export interface KeptAnomaly {
  readonly id: string;
  readonly provider: string;
  readonly service: string;
  readonly currency: string;
  readonly startDate: Day;
  readonly endDate: Day;
}

/** Result of matching findings with stored anomalies. */
export interface Matching<Kept> {
  /** Found for the first time. */
  readonly created: readonly Finding[];
  /** Stored anomalies with their current finding. */
  readonly known: readonly { readonly kept: Kept; readonly finding: Finding }[];
  /** No longer found. */
  readonly ended: readonly Kept[];
}

/** Matches findings with stored anomalies. A restatement can move the days of an anomaly: it matches the one of its series
 *  that starts on the same day, or else the first that shares a day with it.
 *  @param kept stored anomalies that start in the evaluated days */
export function matchFindings<Kept extends KeptAnomaly>(
  kept: readonly Kept[],
  findings: readonly Finding[],
): Matching<Kept> {
  const left = new Map(kept.map((row) => [row.id, row]));
  const matched = new Map<Finding, Kept>();
  for (const fits of [startsWith, overlaps]) {
    for (const finding of findings) {
      if (matched.has(finding)) continue;
      const row = [...left.values()].find((each) => isOfSeries(each, finding) && fits(each, finding));
      if (row === undefined) continue;
      matched.set(finding, row);
      left.delete(row.id);
    }
  }
  return {
    created: findings.filter((finding) => !matched.has(finding)),
    known: [...matched].map(([finding, row]) => ({ kept: row, finding })),
    ended: [...left.values()],
  };
}

function isOfSeries(kept: KeptAnomaly, finding: Finding): boolean {
  return kept.provider === finding.provider && kept.service === finding.service && kept.currency === finding.currency;
}

function startsWith(kept: KeptAnomaly, finding: Finding): boolean {
  return kept.startDate === finding.startDate;
}

function overlaps(kept: KeptAnomaly, finding: Finding): boolean {
  return kept.startDate <= finding.endDate && kept.endDate >= finding.startDate;
}
