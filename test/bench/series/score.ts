import type { EventKind, LabelledEvent } from './events.ts';
import type { CostSeries } from './generator.ts';

const daysPerMonth = 30;
/** Events below this daily amount are out of scope: neither missed nor false. */
const scopeDollars = 10;
/** The number of days after its start within which an event can be detected. */
const toleranceDays: Readonly<Record<EventKind, number>> = {
  spike: 2,
  step: 14,
  leak: 45,
  new_service: 7,
  drop: 0,
  return: 0,
};
/** Days after a drop, or after the return from it, in which an alert may be caused by it. */
const shadowDays = 60;
/** Noise explains an alert on a day that is this many times as expensive as intended. */
const noiseRatio = 1.25;
/** Alerts within this many days of each other are the same, like merged episodes. */
const sameDays = 2;

/** An alert of one series: its days, and the day of the bill that caused it. */
export interface Alert {
  readonly from: number;
  readonly to: number;
  readonly reported: number;
}

/** The alerts of the same series without drops, or without monthly fees. */
export interface Elsewhere {
  readonly withoutDrops: readonly Alert[];
  readonly withoutFees: readonly Alert[];
}

/** The outcome of one event in scope. `delay`: days from its first day to the alert; null if it was missed. */
export interface Outcome {
  readonly event: LabelledEvent;
  readonly delay: number | null;
}

/** How alerts match events. */
export interface Score {
  readonly outcomes: readonly Outcome[];
  /** Alerts that match an event. */
  readonly right: number;
  /** Alerts that match nothing, or an event that was already reported and is over. */
  readonly wrong: number;
  /** Repeated alerts of an event that is still unfolding. */
  readonly repeated: number;
  /** False alerts caused by a drop or the return from it: within 60 days of it, missing in the same series without
   *  drops, and not on a day that noise alone made 25% more expensive. */
  readonly ofDrops: number;
  /** False alerts caused by the third or a later monthly fee: they include its day, and are missing in the same series
   *  without fees. */
  readonly ofFees: number;
  readonly months: number;
}

const alerted = new Set<EventKind>(['spike', 'step', 'leak', 'new_service']);

/** Scores the alerts of one series against its events. `evaluatedFrom` is the number of the first evaluated day: earlier
 *  events and alerts do not count. */
export function scoreSeries(
  series: CostSeries,
  alerts: readonly Alert[],
  evaluatedFrom: number,
  elsewhere: Elsewhere,
): Score {
  const events = series.events.filter(({ kind }) => alerted.has(kind));
  const delays = new Map<LabelledEvent, number>();
  // A monthly charge cannot be expected before its third occurrence.
  const unknown = new Set(series.fees.slice(0, 2));
  let right = 0;
  let repeated = 0;
  const wrong: Alert[] = [];
  for (const alert of alerts.filter(({ reported }) => reported >= evaluatedFrom)) {
    const event = events.find((each) => meets(each, alert));
    if (event !== undefined && delays.has(event)) {
      if (alert.from <= unfolds(event)) repeated += 1;
      else wrong.push(alert);
    } else if (event !== undefined) {
      if (event.start >= evaluatedFrom && isInScope(series, event)) right += 1;
      delays.set(event, Math.max(0, alert.reported - event.start));
    } else if (!unknown.has(alert.from)) wrong.push(alert);
  }
  const inScope = events.filter((event) => event.start >= evaluatedFrom && isInScope(series, event));
  return {
    outcomes: inScope.map((event) => ({ event, delay: delays.get(event) ?? null })),
    right,
    repeated,
    wrong: wrong.length,
    ofDrops: wrong.filter((alert) => isOfDrop(series, alert, elsewhere)).length,
    ofFees: wrong.filter((alert) => isOfFee(series, alert, elsewhere)).length,
    months: (series.costs.length - evaluatedFrom) / daysPerMonth,
  };
}

function isOfDrop(series: CostSeries, alert: Alert, { withoutDrops }: Elsewhere): boolean {
  if (isOfNoise(series, alert)) return false;
  const { events } = series;
  const falls = events.filter(({ kind }) => kind === 'drop' || kind === 'return');
  return (
    falls.some(({ start, end }) => alert.to >= start && alert.from <= end + shadowDays) && !has(withoutDrops, alert)
  );
}

/** True if noise or a job alone made the only day of the alert 25% more expensive than intended. */
function isOfNoise({ costs, meant }: CostSeries, { from, to }: Alert): boolean {
  return from === to && (costs[from] ?? 0) >= noiseRatio * (meant[from] ?? 0);
}

function isOfFee({ fees }: CostSeries, { from, to, reported }: Alert, { withoutFees }: Elsewhere): boolean {
  return fees.slice(2).some((day) => day >= from && day <= to) && !has(withoutFees, { from, to, reported });
}

function has(alerts: readonly Alert[], { from, to }: Alert): boolean {
  return alerts.some((other) => other.from <= to + sameDays && other.to >= from - sameDays);
}

function meets({ kind, start, end }: LabelledEvent, alert: Alert): boolean {
  return alert.to >= start && alert.from <= Math.max(end, start + toleranceDays[kind]);
}

/** The last day on which an event unfolds; a step is new for a week. */
function unfolds({ kind, start, end }: LabelledEvent): number {
  return kind === 'step' || kind === 'new_service' ? start + 7 : end;
}

/** Whether the daily excess of an event is in scope: on the lowest day of a spike, on the highest day of other events. False
 *  if the series ends before. Fees are not part of an event. */
function isInScope({ withoutFees: usage }: CostSeries, { kind, start, end, factor }: LabelledEvent): boolean {
  const last = kind === 'leak' ? end : kind === 'spike' ? start : start + 3;
  if (last >= usage.length) return false;
  if (kind === 'new_service') return Math.max(...usage.slice(start, start + 4)) >= scopeDollars;
  const days = usage.slice(kind === 'leak' ? end : start, Math.max(end, last) + 1);
  const height = kind === 'spike' ? Math.min(...days) : Math.max(...days);
  return height * (1 - 1 / factor) >= scopeDollars;
}

/** Sums of scores. */
export function sumOf(scores: readonly Score[]): Score {
  const add = (pick: (score: Score) => number) => scores.reduce((sum, score) => sum + pick(score), 0);
  return {
    outcomes: scores.flatMap(({ outcomes }) => outcomes),
    right: add(({ right }) => right),
    wrong: add(({ wrong }) => wrong),
    repeated: add(({ repeated }) => repeated),
    ofDrops: add(({ ofDrops }) => ofDrops),
    ofFees: add(({ ofFees }) => ofFees),
    months: add(({ months }) => months),
  };
}

/** The rates of a score. `falseAlerts`: per 100 series and month. NaN without data. */
export interface Rates {
  readonly precision: number;
  readonly recall: number;
  readonly falseAlerts: number;
}

/** Precision, recall and false alerts of a score. */
export function ratesOf({ outcomes, right, wrong, months }: Score): Rates {
  return {
    precision: right / (right + wrong),
    recall: outcomes.filter(({ delay }) => delay !== null).length / outcomes.length,
    falseAlerts: (100 * wrong) / months,
  };
}
