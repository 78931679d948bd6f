/** A figure and what it is to be. */
export interface Goal {
  readonly what: string;
  readonly figure: number;
  readonly least?: number;
  readonly most?: number;
}

/** A row for each goal: the figure, its target, and whether it is met: `ok` or `missed`. A figure is held against its goal as precisely as it is told. */
export function goalRows(goals: readonly Goal[]): Record<string, string>[] {
  return goals.map(({ what, figure, least = -Infinity, most = Infinity }) => {
    const told = Number(figure.toFixed(2));
    const isMet = told >= least && told <= most;
    return { goal: what, figure: figure.toFixed(2), target: target(least, most), met: isMet ? 'ok' : 'missed' };
  });
}

function target(least: number, most: number): string {
  if (least === most) return String(least);
  if (least === -Infinity) return `≤ ${most}`;
  return most === Infinity ? `≥ ${least}` : `${least}–${most}`;
}
