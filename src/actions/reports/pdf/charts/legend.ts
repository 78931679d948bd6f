import { colors } from '../look.ts';
import type { Box, Sheet } from '../sheet.ts';

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
