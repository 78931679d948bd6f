import { printTable } from '../measure.ts';
import { anomalyGoals, kindRows, rowOf, scoreAnomalies } from './anomalies.ts';
import { freshSeeds } from './generator.ts';
import { goalRows } from '../goals.ts';
import { sumOf } from './score.ts';

/** Prints the detection results of each mix, and which goals are met. */
export function reportAnomalies(seeds: readonly number[] = freshSeeds): void {
  const scores = scoreAnomalies(seeds);
  printTable('Anomalies, 100 series of 182 evaluated days per seed', [
    ...scores.standard.map((score, index) => rowOf(`standard ${seeds[index] ?? 0}`, score)),
    ...scores.hard.map((score, index) => rowOf(`hard ${seeds[index] ?? 0}`, score)),
    ...scores.drops.map((score, index) => rowOf(`only drops ${seeds[index] ?? 0}`, score)),
    ...scores.late.map((score, index) => rowOf(`late data ${seeds[index] ?? 0}, 91 days`, score)),
  ]);
  printTable(
    'Anomalies of businesses, by style',
    [...scores.business].map(([style, score]) => rowOf(style, score)),
  );
  printTable('Anomalies by kind', [
    ...kindRows('standard', sumOf(scores.standard)),
    ...kindRows('hard', sumOf(scores.hard)),
  ]);
  printTable('Goals of anomalies', goalRows(anomalyGoals(scores)));
}
