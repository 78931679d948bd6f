/** A point and what it costs. */
interface Vertex {
  readonly at: readonly number[];
  readonly cost: number;
}

/** Finds where a function is least, without its derivatives (Nelder and Mead 1965, with their coefficients). Deterministic.
 *  @param start first guess; the others are a step away from it in one direction each
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

/** A better point than the worst, on the line from it through the centre of the others. */
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

/** Draws every corner halfway to the best. */
function shrink(simplex: Vertex[], best: Vertex, vertexAt: (at: readonly number[]) => Vertex): void {
  for (const [rank, { at }] of simplex.entries()) if (rank > 0) simplex[rank] = vertexAt(halfway(best.at, at));
}
