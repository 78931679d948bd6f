import { colors } from '../typeface.ts';
import type { Box, Sheet } from '../sheet.ts';

/** An axis: round figures from below the least to above the greatest. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  /** Ascending, `min` and `max` among them. */
  readonly ticks: readonly number[];
}

/** The axis of values between two bounds, 0 among them.
 *  @param wanted about so many steps */
export function scaleOf(least: number, greatest: number, wanted = 4): Scale {
  const low = Math.min(0, least);
  const high = Math.max(0, greatest);
  if (low === high) return { min: 0, max: 1, ticks: [0, 1] };
  const step = roundStep((high - low) / wanted);
  // Steps are counted, not added up: so that 0 is 0.
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => clean((first + index) * step));
  return { min: clean(first * step), max: clean(last * step), ticks };
}

/** 1, 2, 2.5 or 5 times a power of ten: the nearest at or above. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const times = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough * (1 - 1e-9)) ?? 10;
  return times * power;
}

function clean(value: number): number {
  return Number(value.toPrecision(12)) + 0;
}

/** Which points of a time axis are named, by index: the starts of months where there are many days, else every so many. */
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

/** What a colour means. */
export interface Key {
  readonly label: string;
  readonly color: string;
}

const style = { size: 8, color: colors.soft } as const;
const rowHeight = 14;
const longest = 150;

/** Draws the meaning of colours in rows.
 *  @returns the height it took */
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
