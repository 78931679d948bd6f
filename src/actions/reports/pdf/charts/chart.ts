import type { Chart, RankChart } from '../../document.ts';
import type { Pages } from '../pages.ts';
import type { Box, Sheet } from '../sheet.ts';
import { drawBars, drawShare, rankHeight } from './rank.ts';
import { drawTime } from './time.ts';

const titleHeight = 24;
/** Height of time charts, in points: they fill the rest of a page before they move to the next. */
const timeHeight = { most: 196, least: 150 } as const;
const below = 26;
/** Gap between two charts side by side, in points. */
const gutter = 28;

/** Draws the charts, one below the other; two rankings with short names are placed side by side. */
export function drawCharts(pages: Pages, charts: readonly Chart[]): void {
  const left = charts.filter(hasContent);
  while (left.length > 0) {
    const [first, second] = left;
    const isPair = isRanking(first) && isRanking(second) && fitsHalf(pages, first) && fitsHalf(pages, second);
    drawRow(pages, left.splice(0, isPair ? 2 : 1));
  }
}

function hasContent(chart: Chart): boolean {
  return isRanking(chart) ? chart.items.length > 0 : chart.points.length > 0 && chart.series.length > 0;
}

function isRanking(chart: Chart | undefined): chart is RankChart {
  return chart !== undefined && 'items' in chart;
}

function fitsHalf({ sheet, width }: Pages, { items }: RankChart): boolean {
  const names = items.map(({ label }) => sheet.width(label, { size: 8.5 }));
  return Math.max(...names) <= ((width - gutter) / 2) * 0.42;
}

function drawRow(pages: Pages, row: readonly Chart[]): void {
  const width = (pages.width - gutter * (row.length - 1)) / row.length;
  const least = Math.max(...row.map((chart) => heightOf(chart, width, timeHeight.least)));
  pages.need(titleHeight + least + 8);
  const tallest = Math.min(timeHeight.most, pages.room - titleHeight - 8);
  const height = Math.max(...row.map((chart) => heightOf(chart, width, tallest)));
  for (const [index, chart] of row.entries()) {
    const x = pages.left + index * (width + gutter);
    pages.sheet.text(chart.title, { x, y: pages.y + 10, width }, { size: 11, weight: 600 });
    drawChart(pages.sheet, { x, y: pages.y + titleHeight, width, height: heightOf(chart, width, tallest) }, chart);
  }
  pages.y += titleHeight + height + below;
}

function heightOf(chart: Chart, width: number, overTime: number): number {
  return isRanking(chart) ? rankHeight(chart, width < 340) : overTime;
}

function drawChart(sheet: Sheet, box: Box, chart: Chart): void {
  switch (chart.kind) {
    case 'bars':
      return drawBars(sheet, box, chart);
    case 'share':
      return drawShare(sheet, box, chart);
    case 'stacked':
    case 'lines':
      return drawTime(sheet, box, chart);
    default:
      chart satisfies never;
  }
}
