import { detectAnomalies } from '../../../src/analysis/anomalies/detector.ts';
import type { Episode } from '../../../src/analysis/anomalies/episodes.ts';
import { addDays, daysBetween } from '../../../src/kit/period.ts';
import type { EventKind, LabelledEvent } from './events.ts';
import { freshSeeds, generateSeries, type CostSeries, type Mix } from './generator.ts';
import { knownOn } from './late.ts';

/** Days at the end of each series that are judged; those before them are learnt from. */
const judgedDays = 182;
/** Days that a run is given. */
const replayedDays = 282;
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

/** An alert of one series: the days it tells of, and the day whose bill told it. */
export interface Alert {
  readonly from: number;
  readonly to: number;
  readonly told: number;
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
  /** Of the wrong ones, those within a drop or six weeks after one. */
  readonly aroundDrops: number;
  /** Of the wrong ones, those on a monthly fee from its third time on. */
  readonly onFees: number;
  readonly months: number;
}

/** A row of a table. */
export type Row = Readonly<Record<string, string | number>>;

const alerted = new Set<EventKind>(['spike', 'step', 'leak', 'new_service']);

/** Scores the alerts of one series against what happened in it. */
export function scoreSeries(series: CostSeries, alerts: readonly Alert[], judgedFrom: number): Score {
  const events = series.events.filter(({ kind }) => alerted.has(kind));
  const taken = new Set<LabelledEvent>();
  const delays = new Map<LabelledEvent, number>();
  // Nobody can know a monthly charge before it came twice.
  const unknown = new Set(series.fees.slice(0, 2));
  let right = 0;
  let repeated = 0;
  const wrong: Alert[] = [];
  for (const alert of alerts.filter(({ told }) => told >= judgedFrom)) {
    const event = events.find((each) => meets(each, alert));
    if (event !== undefined && taken.has(event) && alert.from <= unfolds(event)) repeated += 1;
    else if (event === undefined && unknown.has(alert.from)) continue;
    else if (event === undefined || taken.has(event)) wrong.push(alert);
    else if (event.start >= judgedFrom && isInScope(series, event)) right += 1;
    if (event !== undefined && !taken.has(event)) delays.set(event, Math.max(0, alert.told - event.start));
    if (event !== undefined) taken.add(event);
  }
  const inScope = events.filter((event) => event.start >= judgedFrom && isInScope(series, event));
  const falls = series.events.filter(({ kind }) => kind === 'drop');
  const known = new Set(series.fees.slice(2));
  return {
    outcomes: inScope.map((event) => ({ event, delay: delays.get(event) ?? null })),
    right,
    repeated,
    wrong: wrong.length,
    aroundDrops: wrong.filter(({ told }) => falls.some(({ start, end }) => told >= start && told <= end + 42)).length,
    onFees: wrong.filter(({ from, to }) => from === to && known.has(from)).length,
    months: (series.costs.length - judgedFrom) / daysPerMonth,
  };
}

function meets({ kind, start, end }: LabelledEvent, alert: Alert): boolean {
  return alert.to >= start && alert.from <= Math.max(end, start + toleranceDays[kind]);
}

/** The last day on which an event unfolds; a step is new for a week. */
function unfolds({ kind, start, end }: LabelledEvent): number {
  return kind === 'step' || kind === 'new_service' ? start + 7 : end;
}

/** Spikes by their lowest day, what stays by its lasting excess, and what the series ends before not at all. */
function isInScope({ costs }: CostSeries, { kind, start, end, factor }: LabelledEvent): boolean {
  const last = kind === 'leak' ? end : kind === 'spike' ? start : start + 3;
  if (last >= costs.length) return false;
  if (kind === 'new_service') return Math.max(...costs.slice(start, start + 4)) >= scopeDollars;
  const height = Math.max(...costs.slice(kind === 'leak' ? end : start, Math.max(end, last) + 1));
  return height * (1 - 1 / factor) >= scopeDollars;
}

/** Alerts of a series whose costs are final. */
export function alertsOf(series: CostSeries): Alert[] {
  return detectAnomalies({ start: series.firstDay, costs: series.costs }).episodes.map((each) => alertOf(series, each));
}

function alertOf({ firstDay }: CostSeries, { startDate, endDate, detectedOn }: Episode): Alert {
  const number = (day: Episode['startDate']) => daysBetween(firstDay, day);
  return { from: number(startDate), to: number(endDate), told: number(detectedOn) };
}

/** What the run of each day tells of a series whose newest days are incomplete. A run sees as many days as are stored, and
 *  forgets those before. */
export function lateRunsOf(series: CostSeries, judgedFrom: number): LateRun[] {
  return Array.from({ length: series.costs.length - judgedFrom }, (_, index) => {
    const asOf = judgedFrom + index;
    const first = Math.max(0, asOf + 1 - replayedDays);
    const start = addDays(series.firstDay, first);
    const { episodes } = detectAnomalies({ start, costs: knownOn(series, asOf).slice(first) });
    return { asOf, alerts: episodes.map((each) => alertOf(series, each)) };
  });
}

/** What one run tells. */
export interface LateRun {
  readonly asOf: number;
  readonly alerts: readonly Alert[];
}

/** What runs tell together: a day is told on the first run that finds it.
 *  @param again how many of the newest days each run judges; 1 never looks at a day twice */
export function lateAlertsOf(runs: readonly LateRun[], judgedFrom: number, again: number): Alert[] {
  const found: Alert[] = [];
  for (const { asOf, alerts } of runs) {
    for (const { from, to, told } of alerts) {
      const known = found.findIndex((each) => from <= each.to + 2 && to >= each.from - 2);
      const earlier = found[known];
      if (earlier !== undefined) {
        found[known] = { ...earlier, from: Math.min(from, earlier.from), to: Math.max(to, earlier.to) };
      } else if (to > asOf - again && told >= judgedFrom) found.push({ from, to, told: asOf });
    }
  }
  return found;
}

/** Sums of scores. */
export function sumOf(scores: readonly Score[]): Score {
  const add = (pick: (score: Score) => number) => scores.reduce((sum, score) => sum + pick(score), 0);
  return {
    outcomes: scores.flatMap(({ outcomes }) => outcomes),
    right: add(({ right }) => right),
    wrong: add(({ wrong }) => wrong),
    repeated: add(({ repeated }) => repeated),
    aroundDrops: add(({ aroundDrops }) => aroundDrops),
    onFees: add(({ onFees }) => onFees),
    months: add(({ months }) => months),
  };
}

/** The figures of a score, as a row. */
export function rowOf(what: string, { outcomes, right, wrong, repeated, aroundDrops, onFees, months }: Score): Row {
  const found = outcomes.filter(({ delay }) => delay !== null).length;
  const precision = right / (right + wrong);
  const recall = found / outcomes.length;
  return {
    what,
    events: String(outcomes.length),
    precision,
    recall,
    F1: (2 * precision * recall) / (precision + recall),
    'false/100 series-months': (100 * wrong) / months,
    repeats: String(repeated),
    'around drops': String(aroundDrops),
    'on known fees': String(onFees),
  };
}

/** Scores 100 series with final costs. */
export function scoreMix(mix: Mix, seed: number): Score {
  const all = generateSeries({ mix, seed });
  return sumOf(all.map((series) => scoreSeries(series, alertsOf(series), series.costs.length - judgedDays)));
}

/** Scores series whose newest days are incomplete, for each number of days that runs judge again. */
export function scoreLate(seed: number, agains: readonly number[], count = 28): Score[] {
  const all = generateSeries({ mix: 'standard', seed, count });
  const judged = all.map((series) => {
    const judgedFrom = series.costs.length - judgedDays / 2;
    return { series, judgedFrom, runs: lateRunsOf(series, judgedFrom) };
  });
  return agains.map((again) =>
    sumOf(
      judged.map(({ series, judgedFrom, runs }) =>
        scoreSeries(series, lateAlertsOf(runs, judgedFrom, again), judgedFrom),
      ),
    ),
  );
}

/** Precision, recall and false alerts on seeds that nothing was tuned on.
 *  Goals: standard ≥ 0.95, ≥ 0.92, ≤ 1; hard ≥ 0.78, ≥ 0.92, ≤ 6; late data ≥ 0.95, ≥ 0.90; none around drops and fees. */
export function measureAnomalies(seeds: readonly number[] = freshSeeds): Row[] {
  const mixes = (['standard', 'hard'] as const).flatMap((mix) =>
    seeds.map((seed) => rowOf(`${mix} ${seed}`, scoreMix(mix, seed))),
  );
  const [seed = 0] = seeds;
  const agains = [3, 1];
  const late = scoreLate(seed, agains).map((score, index) =>
    rowOf(`late ${seed}, ${agains[index] ?? 0} judged`, score),
  );
  return [...mixes, ...late];
}

/** Recall and days to detect by kind of event, spikes by size. */
export function measureKinds(mix: Mix, seeds: readonly number[] = freshSeeds): Row[] {
  const { outcomes } = sumOf(seeds.map((seed) => scoreMix(mix, seed)));
  const groups = Map.groupBy(outcomes, ({ event }) => groupOf(event));
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, group]) => {
      const delays = group.flatMap(({ delay }) => (delay === null ? [] : [delay])).sort((a, b) => a - b);
      return {
        what: `${mix}: ${what}`,
        events: String(group.length),
        recall: delays.length / group.length,
        'median days to detect': delays[delays.length >> 1] ?? NaN,
        'mean days to detect': delays.reduce((sum, delay) => sum + delay, 0) / delays.length,
      };
    });
}

function groupOf({ kind, factor }: LabelledEvent): string {
  if (kind !== 'spike') return kind;
  return factor < 1.5 ? 'spike ×1.3–1.5' : factor < 2 ? 'spike ×1.5–2' : 'spike ×2–3';
}
