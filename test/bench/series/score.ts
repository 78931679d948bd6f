import type { EventKind, LabelledEvent } from './events.ts';
import type { CostSeries } from './generator.ts';

const daysPerMonth = 30;
/** An event of less than this a day is out of scope: neither missed nor false. */
const scopeDollars = 10;
/** Until how many days after it began an event may still be told. */
const toleranceDays: Readonly<Record<EventKind, number>> = {
  spike: 2,
  step: 14,
  leak: 45,
  new_service: 7,
  drop: 0,
  return: 0,
};
/** Days after a drop, or after the return from it, on which an alert may be of it. */
const shadowDays = 60;
/** From the least part that is alerted on, chance explains an alert. */
const noiseRatio = 1.25;
/** Alerts so many days apart are the same, as episodes are merged. */
const sameDays = 2;

/** An alert of one series: the days it tells of, and the day whose bill told it. */
export interface Alert {
  readonly from: number;
  readonly to: number;
  readonly told: number;
}

/** What is told of the same series, had it no drops, or no monthly fees. */
export interface Elsewhere {
  readonly withoutDrops: readonly Alert[];
  readonly withoutFees: readonly Alert[];
}

/** What came of one event in scope. `delay`: days from its first day to the alert; null when it was missed. */
export interface Outcome {
  readonly event: LabelledEvent;
  readonly delay: number | null;
}

/** How alerts met events. */
export interface Score {
  readonly outcomes: readonly Outcome[];
  /** Alerts that told of an event. */
  readonly right: number;
  /** Alerts that told of nothing, or again of what had been told and was over. */
  readonly wrong: number;
  /** Alerts that told again of what still unfolded. */
  readonly repeated: number;
  /** Of the wrong ones, those that a drop or the return from it caused: within 60 days of it, and not told of the same series
   *  without drops, nor on a day that noise alone made 25 % dearer. */
  readonly ofDrops: number;
  /** Of the wrong ones, those that a monthly fee from its third time on caused: they hold its day, and are not told of the same
   *  series without fees. */
  readonly ofFees: number;
  readonly months: number;
}

const alerted = new Set<EventKind>(['spike', 'step', 'leak', 'new_service']);

/** Scores the alerts of one series against what happened in it.
 *  @param judgedFrom number of the first day that is judged: what began or was told before does not count */
export function scoreSeries(
  series: CostSeries,
  alerts: readonly Alert[],
  judgedFrom: number,
  elsewhere: Elsewhere,
): Score {
  const events = series.events.filter(({ kind }) => alerted.has(kind));
  const delays = new Map<LabelledEvent, number>();
  // Nobody can know a monthly charge before it came twice.
  const unknown = new Set(series.fees.slice(0, 2));
  let right = 0;
  let repeated = 0;
  const wrong: Alert[] = [];
  for (const alert of alerts.filter(({ told }) => told >= judgedFrom)) {
    const event = events.find((each) => meets(each, alert));
    if (event !== undefined && delays.has(event)) {
      if (alert.from <= unfolds(event)) repeated += 1;
      else wrong.push(alert);
    } else if (event !== undefined) {
      if (event.start >= judgedFrom && isInScope(series, event)) right += 1;
      delays.set(event, Math.max(0, alert.told - event.start));
    } else if (!unknown.has(alert.from)) wrong.push(alert);
  }
  const inScope = events.filter((event) => event.start >= judgedFrom && isInScope(series, event));
  return {
    outcomes: inScope.map((event) => ({ event, delay: delays.get(event) ?? null })),
    right,
    repeated,
    wrong: wrong.length,
    ofDrops: wrong.filter((alert) => isOfDrop(series, alert, elsewhere)).length,
    ofFees: wrong.filter((alert) => isOfFee(series, alert, elsewhere)).length,
    months: (series.costs.length - judgedFrom) / daysPerMonth,
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

/** True when noise or a job alone made the only day that it tells of a quarter dearer than it was meant to be. */
function isOfNoise({ costs, meant }: CostSeries, { from, to }: Alert): boolean {
  return from === to && (costs[from] ?? 0) >= noiseRatio * (meant[from] ?? 0);
}

function isOfFee({ fees }: CostSeries, { from, to, told }: Alert, { withoutFees }: Elsewhere): boolean {
  return fees.slice(2).some((day) => day >= from && day <= to) && !has(withoutFees, { from, to, told });
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

/** Spikes by their lowest day, what stays by its lasting excess, and what the series ends before not at all. Fees are no part
 *  of an event. */
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

/** What a score comes to. `falseAlerts`: of 100 series in a month. NaN where there was nothing to judge by. */
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
