import { median } from '../series/stats.ts';
import { trendOf } from './line.ts';

const week = 7;

interface Smoothing {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  /** Fraction of the trend that remains after a day. */
  readonly phi: number;
}

interface State {
  readonly level: number;
  readonly trend: number;
  /** By number of the day, modulo 7. */
  readonly seasons: Float64Array;
  /** Sum of the squared errors so far. */
  readonly squares: number;
}

/** Holt–Winters with an additive week and a damped trend, in the error-correction form of Hyndman et al. 2008.
 *  @param values of each day, with weekdays, without charges and outliers; at least two weeks */
export function holtWintersAhead(values: readonly number[], horizon: number): number[] {
  const days = Float64Array.from(values);
  const first = stateBefore(days);
  const best = minimize((at) => run(days, first, smoothingOf(at)).squares, [-1.5, -3, -2, 2], {
    step: 1,
    evaluations: 160,
  });
  const { phi } = smoothingOf(best);
  const { level, trend, seasons } = run(days, first, smoothingOf(best));
  let damped = 0;
  return Array.from({ length: horizon }, (_, at) => {
    damped += phi ** (at + 1);
    return level + damped * trend + (seasons[(days.length + at) % week] ?? 0);
  });
}

/** Maps unconstrained parameters into their ranges. */
function smoothingOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Smoothing {
  const unit = (raw: number) => 1 / (1 + Math.exp(-raw));
  const alpha = unit(a);
  return { alpha, beta: alpha * unit(b), gamma: (1 - alpha) * unit(c), phi: 0.8 + 0.18 * unit(d) };
}

/** Returns the state before the first day: the medians of the first four weeks. */
function stateBefore(days: Float64Array): State {
  const first = days.subarray(0, 4 * week);
  const level = median(first);
  const seasons = new Float64Array(week).map((_, day) => median(first.filter((__, at) => at % week === day)) - level);
  return { level, trend: 0, seasons, squares: 0 };
}

function run(days: Float64Array, before: State, { alpha, beta, gamma, phi }: Smoothing): State {
  let { level, trend, squares } = before;
  const seasons = before.seasons.slice();
  for (let at = 0; at < days.length; at++) {
    const season = seasons[at % week] ?? 0;
    const error = (days[at] ?? 0) - (level + phi * trend + season);
    squares += error * error;
    level += phi * trend + alpha * error;
    trend = phi * trend + beta * error;
    seasons[at % week] = season + gamma * error;
  }
  return { level, trend, seasons, squares };
}

/** The Theta method (Assimakopoulos and Nikolopoulos 2000), equivalent to exponential smoothing with half the trend as its
 *  drift (Hyndman and Billah 2003); uses a robust trend.
 *  @param values of each day, without weekdays, charges and outliers
 *  @param trend see `trendOf` */
export function thetaAhead(values: readonly number[], horizon: number, trend = trendOf(values)): number[] {
  const alphaOf = ([raw = 0]: readonly number[]) => 1 / (1 + Math.exp(-raw));
  const best = minimize((at) => smooth(values, alphaOf(at)).squares, [-1.5], { step: 1, evaluations: 30 });
  const alpha = alphaOf(best);
  const { level } = smooth(values, alpha);
  const lag = (1 - (1 - alpha) ** values.length) / alpha;
  return Array.from({ length: horizon }, (_, step) => level + (trend / 2) * (step + lag));
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

/** A point with its cost. */
interface Vertex {
  readonly at: readonly number[];
  readonly cost: number;
}

/** Minimizes a function without derivatives (Nelder and Mead 1965, with their coefficients). Deterministic.
 *  @param start first guess; the other vertices are a step away from it in one direction each
 *  @returns the best point seen */
export function minimize(
  costOf: (at: readonly number[]) => number,
  start: readonly number[],
  { step, evaluations }: { step: number; evaluations: number },
): readonly number[] {
  let left = evaluations;
  const vertexAt = (at: readonly number[]): Vertex => {
    left--;
    return { at, cost: costOf(at) };
  };
  const corners = [start, ...start.map((_, moved) => start.map((value, axis) => value + (axis === moved ? step : 0)))];
  const simplex = corners.map(vertexAt);
  for (;;) {
    simplex.sort((a, b) => a.cost - b.cost);
    const [best, worst, second] = [simplex[0], simplex.at(-1), simplex.at(-2)];
    if (!best || !worst || !second) return start;
    if (left <= 0 || worst.cost - best.cost <= 1e-9 * Math.abs(best.cost)) return best.at;
    const others = simplex.slice(0, -1);
    const centre = start.map((_, axis) => others.reduce((sum, { at }) => sum + (at[axis] ?? 0), 0) / others.length);
    const beyond = (factor: number) =>
      vertexAt(centre.map((value, axis) => value + factor * ((worst.at[axis] ?? 0) - value)));
    const better = improved(beyond, { best, second, worst });
    simplex[simplex.length - 1] = better ?? worst;
    if (!better) shrink(simplex, best, vertexAt);
  }
}

/** Returns a better point than the worst, on the line from it through the centroid of the others. */
function improved(
  beyond: (factor: number) => Vertex,
  { best, second, worst }: { best: Vertex; second: Vertex; worst: Vertex },
): Vertex | null {
  const reflected = beyond(-1);
  if (reflected.cost < best.cost) {
    const expanded = beyond(-2);
    return expanded.cost < reflected.cost ? expanded : reflected;
  }
  if (reflected.cost < second.cost) return reflected;
  const contracted = beyond(reflected.cost < worst.cost ? -0.5 : 0.5);
  return contracted.cost < Math.min(reflected.cost, worst.cost) ? contracted : null;
}

function halfway(from: readonly number[], to: readonly number[]): number[] {
  return from.map((value, axis) => (value + (to[axis] ?? 0)) / 2);
}

/** Moves every vertex halfway towards the best. */
function shrink(simplex: Vertex[], best: Vertex, vertexAt: (at: readonly number[]) => Vertex): void {
  for (const [rank, { at }] of simplex.entries()) if (rank > 0) simplex[rank] = vertexAt(halfway(best.at, at));
}
