import { median } from '../series/stats.ts';
import type { Curve } from './line.ts';
import { minimize } from './nelder-mead.ts';

const week = 7;

interface Smoothing {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  /** How much of the trend is left after a day. */
  readonly phi: number;
}

interface State {
  readonly level: number;
  readonly trend: number;
  /** Of the seven days after the last. */
  readonly seasons: readonly number[];
  readonly squares: number;
}

/** Holt–Winters with an additive week and a damped trend, in the error-correction form of Hyndman et al. 2008.
 *  @param values of each day, with weekdays, without charges and outliers; at least two weeks */
export function holtWintersAhead(values: readonly number[], horizon: number): Curve {
  const best = minimize((at) => run(values, smoothingOf(at)).squares, [-1.5, -3, -2, 2], { step: 1, evaluations: 160 });
  const smoothing = smoothingOf(best);
  const { level, trend, seasons, squares } = run(values, smoothing);
  const { alpha, beta, gamma, phi } = smoothing;
  const variance = squares / Math.max(1, values.length - week);
  const points: number[] = [];
  const errors: number[] = [];
  let damped = 0;
  let spread = 1;
  for (let step = 1; step <= horizon; step++) {
    errors.push(Math.sqrt(variance * spread));
    damped += phi ** step;
    points.push(level + damped * trend + (seasons[(step - 1) % week] ?? 0));
    spread += (alpha + beta * damped + (step % week === 0 ? gamma : 0)) ** 2;
  }
  return { values: points, errors };
}

/** Keeps each parameter in its range, whatever is tried. */
function smoothingOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Smoothing {
  const unit = (raw: number) => 1 / (1 + Math.exp(-raw));
  const alpha = unit(a);
  return { alpha, beta: alpha * unit(b), gamma: (1 - alpha) * unit(c), phi: 0.8 + 0.18 * unit(d) };
}

function run(values: readonly number[], { alpha, beta, gamma, phi }: Smoothing): State {
  const first = values.slice(0, 4 * week);
  let level = median(first);
  let trend = 0;
  const seasons = Array.from({ length: week }, (_, day) => median(first.filter((__, at) => at % week === day)) - level);
  let squares = 0;
  for (let at = 0; at < values.length; at++) {
    const season = seasons[at % week] ?? 0;
    const error = (values[at] ?? 0) - (level + phi * trend + season);
    squares += error * error;
    level += phi * trend + alpha * error;
    trend = phi * trend + beta * error;
    seasons[at % week] = season + gamma * error;
  }
  const turned = seasons.map((_, day) => seasons[(values.length + day) % week] ?? 0);
  return { level, trend, seasons: turned, squares };
}
