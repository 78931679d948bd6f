import { forecastModels } from '../../../src/analysis/forecast/model.ts';
import { mean } from '../../../src/analysis/series/stats.ts';
import { printTable } from '../measure.ts';
import { forecastSeeds, measureForecasts, type ForecastRow } from './forecast.ts';
import { goalRows, type Goal } from '../goals.ts';

/** Prints the results of models and rivals for each set, and which goals are met. */
export function reportForecasts(options: { seeds?: readonly number[] | undefined; every?: number } = {}): void {
  const rows = measureForecasts(options);
  printTable(`Forecasts of 60 days, seeds ${(options.seeds ?? forecastSeeds).join(', ')}`, rows.map(shown));
  printTable('Goals of forecasts', goalRows(goalsOf(rows)));
}

function shown(row: ForecastRow): Record<string, string | number> {
  const { set, series, model, mase, toNaive, totalErrorMean, totalErrorMedian, days80, days95 } = row;
  return {
    set: `${set}, ${series}`,
    model,
    MASE: mase,
    'vs. last week': toNaive,
    'Σ60 error mean %': totalErrorMean,
    'median %': totalErrorMedian,
    'days in 80%': days80,
    'in 95%': days95,
    MSIS: row.msis,
    'Σ30 in 80%': row.total30in80,
    'in 95 ': row.total30in95,
    '± %': row.halfWidth30,
    'Σ60 in 80%': row.total60in80,
    'in 95': row.total60in95,
    'p95 CPU ms': row.p95Ms,
  };
}

const mostMase = { seasonal: { NN5: 0.86, real: 1.2 }, linear: { NN5: 0.9, real: 1.25 } } as const;
/** Families of sets whose intervals are evaluated. Generated costs include events to come: without
 *  these, more costs than the nominal share would be inside the intervals. */
const families = {
  generated: ['standard, with events to come'],
  business: ['business'],
  NN5: ['NN5'],
  real: ['real'],
} as const;
/** Sets whose errors are evaluated: no forecast predicts an event or its size. */
const comparedSets = new Set(['standard', 'hard', 'NN5', 'real']);

/** Coverage of the intervals of a family: of days, and of sums of 30 and 60 days. */
function coverageGoals(family: string, rows: readonly ForecastRow[]): Goal[] {
  if (rows.length === 0) return [];
  const average = (pick: (row: ForecastRow) => number) => mean(rows.map(pick));
  const sums80 = average((row) => (row.total30in80 + row.total60in80) / 2);
  const sums95 = average((row) => (row.total30in95 + row.total60in95) / 2);
  return [
    { what: `days in the 80% interval, ${family}`, figure: average(({ days80 }) => days80), least: 78, most: 85 },
    { what: `days in the 95% interval, ${family}`, figure: average(({ days95 }) => days95), least: 93, most: 98 },
    { what: `Σ30 and Σ60 in the 80% interval, ${family}`, figure: sums80, least: 77, most: 85 },
    { what: `Σ30 and Σ60 in the 95% interval, ${family}`, figure: sums95, least: 92, most: 98 },
  ];
}

function goalsOf(rows: readonly ForecastRow[]): Goal[] {
  return forecastModels.flatMap((model) => {
    const own = rows.filter((row) => row.model === model && comparedSets.has(row.set));
    const of = (set: string) => own.filter((row) => row.set === set);
    const generatedSets = [...of('standard'), ...of('hard')];
    return [
      {
        what: 'error on generated costs, relative to repeating the last week',
        figure: mean(generatedSets.map(({ toNaive }) => toNaive)),
        most: 0.67,
      },
      ...(['NN5', 'real'] as const).flatMap((set) =>
        of(set).map(({ mase }) => ({ what: `MASE ${set}`, figure: mase, most: mostMase[model][set] })),
      ),
      {
        what: 'highest error on any set, relative to repeating the last week',
        figure: Math.max(...own.map(({ toNaive }) => toNaive)),
        most: 0.99,
      },
      ...of('standard').flatMap(({ totalErrorMean, totalErrorMedian }) => [
        { what: 'Σ60 error, standard, mean %', figure: totalErrorMean, most: 4.5 },
        { what: 'Σ60 error, standard, median %', figure: totalErrorMedian, most: 2.5 },
      ]),
      ...Object.entries(families).flatMap(([family, sets]) =>
        coverageGoals(
          family,
          sets.flatMap((set) => rows.filter((row) => row.model === model && row.set === set)),
        ),
      ),
      { what: 'intervals below 0 or not nested', figure: rows.reduce((sum, { odd }) => sum + odd, 0), most: 0 },
      {
        what: 'p95 CPU ms of a series with all backtests',
        figure: Math.max(...own.map(({ p95Ms }) => p95Ms)),
        most: 500,
      },
    ].map((goal) => ({ ...goal, what: `${model}: ${goal.what}` }));
  });
}
