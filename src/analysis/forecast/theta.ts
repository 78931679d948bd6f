import { trendOf, type Curve } from './line.ts';
import { minimize } from './nelder-mead.ts';

/** The Theta method (Assimakopoulos and Nikolopoulos 2000), which is exponential smoothing with half the trend as its drift
 *  (Hyndman and Billah 2003); here the trend is a robust one.
 *  @param values of each day, without weekdays, charges and outliers
 *  @param trend see `trendOf` */
export function thetaAhead(values: readonly number[], horizon: number, trend = trendOf(values)): Curve {
  const alphaOf = ([raw = 0]: readonly number[]) => 1 / (1 + Math.exp(-raw));
  const best = minimize((at) => smooth(values, alphaOf(at)).squares, [-1.5], { step: 1, evaluations: 30 });
  const alpha = alphaOf(best);
  const { level, squares } = smooth(values, alpha);
  const drift = trend / 2;
  const lag = (1 - (1 - alpha) ** values.length) / alpha;
  const variance = squares / Math.max(1, values.length - 1);
  const steps = Array.from({ length: horizon }, (_, step) => step);
  return {
    values: steps.map((step) => level + drift * (step + lag)),
    errors: steps.map((step) => Math.sqrt(variance * (1 + step * alpha ** 2))),
  };
}

function smooth(values: readonly number[], alpha: number): { level: number; squares: number } {
  let level = values[0] ?? 0;
  let squares = 0;
  for (let at = 1; at < values.length; at++) {
    const error = (values[at] ?? 0) - level;
    squares += error * error;
    level += alpha * error;
  }
  return { level, squares };
}
