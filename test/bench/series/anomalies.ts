import { median } from '../../../src/analysis/series/stats.ts';
import { alertsElsewhere, alertsOf } from './alerts.ts';
import { generateBusiness, type BusinessSeries } from './business.ts';
import type { LabelledEvent, Plot } from './events.ts';
import { freshSeeds, generateSeries, type Mix } from './generator.ts';
import type { Goal } from '../goals.ts';
import { lateAlertsOf, lateRunsOf } from './late.ts';
import { ratesOf, scoreSeries, sumOf, type Alert, type Outcome, type Rates, type Score } from './score.ts';

/** Evaluated days at the end of each series; the days before are for training. */
const evaluatedDays = 182;
/** Evaluated days at the end of each series with late data. */
const lateDays = 91;
const lateSeries = 60;

/** A row of a table. */
export type Row = Readonly<Record<string, string | number>>;

/** Measurements shared by all tables. */
export interface AnomalyScores {
  readonly standard: readonly Score[];
  readonly hard: readonly Score[];
  readonly late: readonly Score[];
  /** Series with only drops and returns, of all lengths. */
  readonly drops: readonly Score[];
  /** By style, over all seeds. */
  readonly business: ReadonlyMap<string, Score>;
}

/** Scores both mixes with 100 series per seed, and late data, on seeds not used for tuning. */
export function scoreAnomalies(seeds: readonly number[] = freshSeeds): AnomalyScores {
  return {
    standard: seeds.map((seed) => scoreMix('standard', seed)),
    hard: seeds.map((seed) => scoreMix('hard', seed)),
    late: seeds.slice(0, 1).map((seed) => scoreLate(seed)),
    drops: seeds.map((seed) => scoreMix('standard', seed, 'drops')),
    business: scoreBusiness(seeds),
  };
}

/** Scores ten series of each business style per seed; seasons also in their second year. */
function scoreBusiness(seeds: readonly number[]): Map<string, Score> {
  const scored = seeds.flatMap((seed) => [
    ...generateBusiness(seed, 10, 485).map((series) => [series.style, scoreStyle(series)] as const),
    ...generateBusiness(seed, 10, 760)
      .filter(({ style }) => style === 'campaigns')
      .map((series) => ['campaigns, second year', scoreStyle(series)] as const),
  ]);
  const styles = Map.groupBy(scored, ([style]) => style);
  return new Map([...styles].map(([style, scores]) => [style, sumOf(scores.map(([, score]) => score))]));
}

function scoreStyle({ rises, ...series }: BusinessSeries): Score {
  const { costs, firstDay } = series;
  const isOfRise = ({ from }: Alert) => rises.some(({ start, end }) => from >= start && from <= end);
  const alerts = alertsOf(firstDay, costs).filter((alert) => !isOfRise(alert));
  const asBilled = { ...series, withoutDrops: costs, withoutFees: costs, meant: costs, fees: [] };
  return scoreSeries(asBilled, alerts, costs.length - evaluatedDays, { withoutDrops: alerts, withoutFees: alerts });
}

/** Scores 100 series with final costs. */
function scoreMix(mix: Mix, seed: number, plot: Plot = 'mixed'): Score {
  const all = generateSeries({ mix, seed, plot });
  return sumOf(
    all.map((series) => {
      const alerts = alertsOf(series.firstDay, series.costs);
      return scoreSeries(series, alerts, series.costs.length - evaluatedDays, alertsElsewhere(series));
    }),
  );
}

/** Scores series whose newest days are incomplete, each evaluated on each day of three months. `again` is the number of
 *  newest days that each run reports. */
function scoreLate(seed: number, again = 3, count = lateSeries): Score {
  const all = generateSeries({ mix: 'standard', seed, count });
  return sumOf(
    all.map((series) => {
      const evaluatedFrom = series.costs.length - lateDays;
      const alerts = lateAlertsOf(lateRunsOf(series, evaluatedFrom), evaluatedFrom, again);
      return scoreSeries(series, alerts, evaluatedFrom, alertsElsewhere(series));
    }),
  );
}

/** Goals per seed, and over all seeds for rare events. */
export function anomalyGoals({ standard, hard, late, drops, business }: AnomalyScores): Goal[] {
  const all = sumOf([...standard, ...hard, ...late]);
  const { outcomes } = sumOf(standard);
  const spikes = outcomes.filter(({ event }) => event.kind === 'spike' && event.factor >= 1.5);
  const leaks = outcomes.filter(({ event }) => event.kind === 'leak');
  return [
    ...rateGoals('standard', standard, { precision: 95, recall: 92, falseAlerts: 1 }),
    ...rateGoals('hard', hard, { precision: 78, recall: 92, falseAlerts: 6 }),
    { what: 'standard: spikes from ×1.5 found, %', figure: 100 * partWithin(spikes, Infinity), least: 97 },
    { what: 'standard: median days to detect them', figure: medianDelay(spikes), most: 0 },
    { what: 'standard: mean days to detect a leak', figure: meanDelay(leaks), most: 10 },
    ...rateGoals('late data', late, { precision: 95, recall: 90 }),
    { what: 'standard, hard, late: alerts that drops and returns caused', figure: all.ofDrops, most: 0 },
    {
      what: 'standard, hard, late: alerts that fees caused from their third occurrence on',
      figure: all.ofFees,
      most: 0,
    },
    { what: 'only drops: alerts that drops and returns caused', figure: sumOf(drops).ofDrops, most: 0 },
    ...[...business].flatMap(([style, score]) => businessGoals(style, score)),
  ];
}

function businessGoals(style: string, score: Score): Goal[] {
  const { recall, falseAlerts } = ratesOf(score);
  const goal = { what: `${style}: false alerts per 100 series-months`, figure: falseAlerts, most: 2 };
  return score.outcomes.length === 0
    ? [goal]
    : [goal, { what: `${style}: recall, %`, figure: 100 * recall, least: 90 }];
}

function rateGoals(
  what: string,
  scores: readonly Score[],
  { precision, recall, falseAlerts }: { precision: number; recall: number; falseAlerts?: number },
): Goal[] {
  const rates = scores.map(ratesOf);
  const lowest = (pick: (rate: Rates) => number) => Math.min(...rates.map((rate) => 100 * pick(rate)));
  const goals: Goal[] = [
    { what: `${what}: precision, worst seed, %`, figure: lowest((rate) => rate.precision), least: precision },
    { what: `${what}: recall, worst seed, %`, figure: lowest((rate) => rate.recall), least: recall },
  ];
  if (falseAlerts === undefined) return goals;
  const figure = Math.max(...rates.map((rate) => rate.falseAlerts));
  return [...goals, { what: `${what}: false alerts per 100 series-months, worst seed`, figure, most: falseAlerts }];
}

function partWithin(outcomes: readonly Outcome[], days: number): number {
  return outcomes.filter(({ delay }) => delay !== null && delay <= days).length / outcomes.length;
}

function meanDelay(outcomes: readonly Outcome[]): number {
  const delays = delaysOf(outcomes);
  return delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
}

function medianDelay(outcomes: readonly Outcome[]): number {
  return median(delaysOf(outcomes));
}

function delaysOf(outcomes: readonly Outcome[]): number[] {
  return outcomes.flatMap(({ delay }) => (delay === null ? [] : [delay]));
}

/** The results of a score, as a row. */
export function rowOf(what: string, score: Score): Row {
  const { precision, recall, falseAlerts } = ratesOf(score);
  return {
    what,
    events: String(score.outcomes.length),
    precision,
    recall,
    F1: (2 * precision * recall) / (precision + recall),
    'false/100 series-months': falseAlerts,
    repeats: String(score.repeated),
    'false after drops': String(score.ofDrops),
    'false on known fees': String(score.ofFees),
  };
}

/** Recall and days to detection by kind of event, with spikes by size. */
export function kindRows(what: string, score: Score): Row[] {
  const groups = Map.groupBy(score.outcomes, ({ event }) => groupOf(event));
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, group]) => {
      return {
        what: `${what}: ${kind}`,
        events: String(group.length),
        recall: partWithin(group, Infinity),
        'same day': partWithin(group, 0),
        'median days to detect': medianDelay(group),
        'mean days to detect': meanDelay(group),
      };
    });
}

function groupOf({ kind, factor }: LabelledEvent): string {
  if (kind !== 'spike') return kind;
  return factor < 1.5 ? 'spike ×1.3–1.5' : factor < 2 ? 'spike ×1.5–2' : 'spike ×2–3';
}
