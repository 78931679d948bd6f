import type { TimeChart } from '../../document.ts';
import { dayText, shortText } from '../figures.ts';
import { colors, seriesColor } from '../typeface.ts';
import type { Box, Sheet } from '../sheet.ts';

import { drawLegend, labelled, type Scale, scaleOf } from './scale.ts';

const label = { size: 7.5, color: colors.soft } as const;

/** Draws values over days or months: stacked columns or lines. */
export function drawTime(sheet: Sheet, box: Box, chart: TimeChart): void {
  const keys = chart.series.map((each, index) => ({ label: each.label, color: seriesColor(index, each.label) }));
  const legend = keys.length > 1 ? drawLegend(sheet, box, keys) + 8 : 0;
  const scale = scaleOf(...bounds(chart));
  const texts = scale.ticks.map((tick) => shortText(tick, chart.unit));
  const gutter = Math.max(...texts.map((text) => sheet.width(text, label))) + 8;
  const plot = {
    x: box.x + gutter,
    y: box.y + legend + 4,
    width: box.width - gutter,
    height: box.height - legend - 22,
  };
  drawGrid(sheet, plot, { scale, texts, left: box.x });
  if (chart.kind === 'stacked') drawColumns(sheet, plot, chart, scale);
  else drawLines(sheet, plot, chart, scale);
  drawDays(sheet, plot, chart);
}

function bounds({ kind, series, points }: TimeChart): [least: number, greatest: number] {
  let [least, greatest] = [0, 0];
  for (const index of points.keys()) {
    const values = series.map((each) => each.values[index] ?? 0);
    if (kind === 'lines') {
      least = Math.min(least, ...values);
      greatest = Math.max(greatest, ...values);
    } else {
      least = Math.min(least, sumOf(values, -1));
      greatest = Math.max(greatest, sumOf(values, 1));
    }
  }
  return [least, greatest];
}

function sumOf(values: readonly number[], sign: number): number {
  return values.reduce((sum, value) => sum + (value * sign > 0 ? value : 0), 0);
}

function heightOf(value: number, { min, max }: Scale, plot: Box): number {
  return plot.y + plot.height * (1 - (value - min) / (max - min));
}

function drawGrid(
  sheet: Sheet,
  plot: Box,
  { scale, texts, left }: { scale: Scale; texts: readonly string[]; left: number },
): void {
  for (const [index, tick] of scale.ticks.entries()) {
    const y = heightOf(tick, scale, plot);
    const color = tick === 0 ? colors.faint : colors.line;
    sheet.rule({ x: plot.x, y }, { x: plot.x + plot.width, y }, { color, width: tick === 0 ? 0.8 : 0.5 });
    const room = { x: left, y: y + 2.6, width: plot.x - left - 6, align: 'right' } as const;
    sheet.line(texts[index] ?? '', room, label);
  }
}

/** Draws stacked columns: credits below the axis, spend above. */
function drawColumns(sheet: Sheet, plot: Box, { points, series }: TimeChart, scale: Scale): void {
  const step = plot.width / points.length;
  const gap = points.length <= 100 ? Math.min(step * 0.28, 6) : 0;
  // Columns without a gap overlap slightly, so that no hairline shows between them.
  const width = Math.min(gap > 0 ? step - gap : step + 0.15, 34);
  for (const index of points.keys()) {
    const x = plot.x + index * step + Math.max(0, (step - width) / 2);
    let [up, down] = [0, 0];
    for (const [order, { label: name, values }] of series.entries()) {
      const value = values[index] ?? 0;
      if (value === 0) continue;
      const from = value > 0 ? up : down;
      if (value > 0) up += value;
      else down += value;
      const [a, b] = [heightOf(from, scale, plot), heightOf(from + value, scale, plot)];
      sheet.block({ x, y: Math.min(a, b), width, height: Math.abs(a - b) }, seriesColor(order, name));
    }
  }
}

function drawLines(sheet: Sheet, plot: Box, { points, series }: TimeChart, scale: Scale): void {
  const { document } = sheet;
  const step = plot.width / points.length;
  // The largest is drawn last, on top of the others.
  for (const [order, { label: name, values }] of [...series.entries()].toReversed()) {
    const color = seriesColor(order, name);
    let isDown = false;
    for (const index of points.keys()) {
      const value = values[index] ?? null;
      const [x, y] = [plot.x + (index + 0.5) * step, value === null ? 0 : heightOf(value, scale, plot)];
      if (value === null) isDown = false;
      else if (isDown) document.lineTo(x, y);
      else {
        document.moveTo(x, y);
        isDown = true;
      }
    }
    document.lineWidth(1.5).lineJoin('round').lineCap('round').stroke(color);
    if (points.length <= 31) drawDots(sheet, plot, { values, step, scale, color });
  }
}

/** Draws a dot for each value: one between two unknown ones would not be visible as a line. */
function drawDots(
  { document }: Sheet,
  plot: Box,
  { values, step, scale, color }: { values: readonly (number | null)[]; step: number; scale: Scale; color: string },
): void {
  for (const [index, value] of values.entries()) {
    if (value !== null) document.circle(plot.x + (index + 0.5) * step, heightOf(value, scale, plot), 1.9).fill(color);
  }
}

function drawDays(sheet: Sheet, plot: Box, { points }: TimeChart): void {
  const step = plot.width / points.length;
  const named = labelled(points, Math.floor(plot.width / 44));
  const isMonthly = points.length > 62 || points[0]?.length === 7;
  for (const index of named) {
    const text = dayText(points[index] ?? '', isMonthly ? 'month' : 'day');
    const width = sheet.width(text, label);
    const middle = plot.x + (index + 0.5) * step;
    const x = Math.min(Math.max(plot.x, middle - width / 2), plot.x + plot.width - width);
    sheet.line(text, { x, y: plot.y + plot.height + 13 }, label);
  }
}
