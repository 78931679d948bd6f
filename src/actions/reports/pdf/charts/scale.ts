import { colors } from '../typeface.ts';
import type { Box, Sheet } from '../sheet.ts';

/** An axis with round ticks from below the minimum to above the maximum. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  /** Ascending, including `min` and `max`. */
  readonly ticks: readonly number[];
}

/** Returns the axis for values between two bounds, including 0.
 *  @param wanted approximate number of steps */
export function scaleOf(least: number, greatest: number, wanted = 4): Scale {
  const low = Math.min(0, least);
  const high = Math.max(0, greatest);
  if (low === high) return { min: 0, max: 1, ticks: [0, 1] };
  const step = roundStep((high - low) / wanted);
  // Multiplied instead of added, so that 0 is exact.
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => clean((first + index) * step));
  return { min: clean(first * step), max: clean(last * step), ticks };
}

/** Returns 1, 2, 2.5 or 5 times a power of ten: the nearest at or above. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const times = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough * (1 - 1e-9)) ?? 10;
  return times * power;
}

function clean(value: number): number {
  return Number(value.toPrecision(12)) + 0;
}

/** Returns the indexes of labelled points on a time axis: the starts of months if there are many days, else at equal
 *  intervals. */
export function labelled(points: readonly string[], most: number): number[] {
  const monthStarts = points.flatMap((point, index) => (point.endsWith('-01') && point.length === 10 ? [index] : []));
  if (points.length > 62 && monthStarts.length > 1) return thinned(monthStarts, most);
  const indices = points.map((_, index) => index);
  if (points.length <= most) return indices;
  const steps = points[0]?.length === 10 ? [2, 3, 5, 7, 10, 14] : [2, 3, 6, 12];
  const step = steps.find((each) => points.length / each <= most) ?? Math.ceil(points.length / most);
  return indices.filter((index) => index % step === 0);
}

function thinned(indices: readonly number[], most: number): number[] {
  const step = [1, 2, 3, 6, 12].find((each) => indices.length / each <= most) ?? Math.ceil(indices.length / most);
  return indices.filter((_, position) => position % step === 0);
}

/** A legend entry. */
export interface Key {
  readonly label: string;
  readonly color: string;
}

const style = { size: 8, color: colors.soft } as const;
const rowHeight = 14;
const longest = 150;

/** Draws a legend in rows.
 *  @returns its height */
export function drawLegend(sheet: Sheet, { x, y, width }: Omit<Box, 'height'>, keys: readonly Key[]): number {
  let [left, top] = [x, y];
  for (const { label, color } of keys) {
    const room = Math.min(longest, sheet.width(label, style) + 0.5);
    if (left > x && left + 12 + room > x + width) [left, top] = [x, top + rowHeight];
    sheet.roundBlock({ x: left, y: top + 2, width: 8, height: 8 }, 2, color);
    sheet.text(label, { x: left + 12, y: top + 9, width: room }, style);
    left += 12 + room + 14;
  }
  return top - y + rowHeight;
}
