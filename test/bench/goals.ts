/** A result with its target. */
export interface Goal {
  readonly what: string;
  readonly figure: number;
  readonly least?: number;
  readonly most?: number;
}

/** A row per goal: the result, its target, and `ok` or `missed`. A result is compared with its goal at its printed
 *  precision. */
export function goalRows(goals: readonly Goal[]): Record<string, string>[] {
  return goals.map(({ what, figure, least = -Infinity, most = Infinity }) => {
    const reported = Number(figure.toFixed(2));
    const isMet = reported >= least && reported <= most;
    return { goal: what, figure: figure.toFixed(2), target: target(least, most), met: isMet ? 'ok' : 'missed' };
  });
}

function target(least: number, most: number): string {
  if (least === most) return String(least);
  if (least === -Infinity) return `≤ ${most}`;
  return most === Infinity ? `≥ ${least}` : `${least}–${most}`;
}
