import { formatPercent } from '../../kit/text/format.ts';
import { escapeHtml } from '../../kit/text/html.ts';
import { htmlOf, unmarked } from './names.ts';
import { colors, type Tone, toneColors } from './style.ts';

/** Usage relative to a limit. */
export interface Meter {
  /** May exceed 100. */
  readonly percent: number;
  /** In percent, marked on the bar. */
  readonly thresholds: readonly number[];
}

/** One part of a whole; `share` 0 to 1. */
export interface Bar {
  readonly label: string;
  readonly value: string;
  readonly share: number;
}

/** A labelled figure. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Minimum distance between marks, as a percentage of the bar's length, that leaves room for their labels. */
const leastGap = 14;

/** Renders a bar filled to the percentage, with the thresholds that have room marked below. Beyond 100 the scale grows to fit. */
export function meterHtml({ percent, thresholds }: Meter, tone: Tone): string {
  const full = Math.max(100, percent, ...thresholds);
  const filled = share(percent, full);
  const fill = `<td class="fill-${tone}" width="${filled}%" bgcolor="${toneColors[tone].strong}" style="width: ${filled}%; height: 12px; font-size: 0; line-height: 0; background: ${toneColors[tone].strong}">&nbsp;</td>`;
  const rest = `<td style="height: 12px; font-size: 0; line-height: 0">&nbsp;</td>`;
  return `<p class="ink" style="margin: 0 0 8px; color: ${colors.ink}; font-size: 28px; font-weight: 700; line-height: 1.2">${escapeHtml(formatPercent(percent))}<span class="soft" style="color: ${colors.soft}; font-size: 14px; font-weight: 400"> used</span></p>
<table role="presentation" class="track" width="100%" cellpadding="0" cellspacing="0" bgcolor="${colors.track}" style="table-layout: fixed; background: ${colors.track}; border-radius: 6px; overflow: hidden">
<tr>${filled > 0 ? fill : ''}${filled < 100 ? rest : ''}</tr>
</table>
${marks(thresholds, full)}`;
}

/** Renders one figure per line: names on the left, values on the right. */
export function factsHtml(facts: readonly Fact[]): string {
  const line = (isLast: boolean) => (isLast ? '' : ` border-bottom: 1px solid ${colors.line};`);
  const rows = facts.map(({ label, value }, index) => {
    const border = line(index === facts.length - 1);
    return `<tr>
<td class="soft line" valign="top" style="padding: 9px 12px 9px 0;${border} color: ${colors.soft}; font-size: 14px; line-height: 1.4; overflow-wrap: break-word${unbroken(label)}">${htmlOf(label)}</td>
<td class="ink line" valign="top" align="right" style="padding: 9px 0;${border} color: ${colors.ink}; font-size: 15px; font-weight: 600; line-height: 1.4; text-align: right${unbroken(value)}">${htmlOf(value)}</td>
</tr>`;
  });
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin: 0 0 20px; border-collapse: collapse">
${rows.join('\n')}
</table>`;
}

/** Renders parts of a whole: name and value above a bar as long as its share. */
export function barsHtml(bars: readonly Bar[], tone: Tone): string {
  const rows = bars.map(({ label, value, share: part }) => {
    const width = Math.max(1, Math.min(100, Math.round(part * 100)));
    return `<tr>
<td class="ink" valign="bottom" style="padding: 8px 12px 4px 0; color: ${colors.ink}; font-size: 14px; line-height: 1.4">${htmlOf(label)}</td>
<td class="ink" valign="bottom" align="right" width="30%" style="padding: 8px 0 4px; color: ${colors.ink}; font-size: 14px; font-weight: 600; line-height: 1.4; text-align: right${unbroken(value)}">${htmlOf(value)}</td>
</tr>
<tr><td colspan="2" style="padding: 0 0 4px">
<table role="presentation" class="track" width="100%" cellpadding="0" cellspacing="0" bgcolor="${colors.track}" style="table-layout: fixed; background: ${colors.track}; border-radius: 3px; overflow: hidden">
<tr><td class="fill-${tone}" width="${width}%" bgcolor="${toneColors[tone].strong}" style="width: ${width}%; height: 6px; font-size: 0; line-height: 0; background: ${toneColors[tone].strong}">&nbsp;</td>${width < 100 ? '<td style="height: 6px; font-size: 0; line-height: 0">&nbsp;</td>' : ''}</tr>
</table>
</td></tr>`;
  });
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin: 0 0 20px; border-collapse: collapse">
${rows.join('\n')}
</table>`;
}

/** Keeps a short value, usually an amount, on one line however narrow the window is; also a short label, which a
 *  long name next to it would squeeze. */
function unbroken(value: string): string {
  return unmarked(value).length <= 16 ? '; white-space: nowrap' : '';
}

function marks(thresholds: readonly number[], full: number): string {
  let at = 0;
  const cells = withRoom(thresholds, full).map((threshold) => {
    const end = share(threshold, full);
    const width = end - at;
    at = end;
    return `<td class="soft mark" align="right" style="width: ${width}%; padding: 4px 4px 0 0; border-right: 2px solid ${colors.soft}; color: ${colors.soft}; font-size: 12px; line-height: 1.2; text-align: right; white-space: nowrap">${escapeHtml(formatPercent(threshold))}</td>`;
  });
  const rest = at < 100 ? '<td style="font-size: 0">&nbsp;</td>' : '';
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 0 0 20px; table-layout: fixed; border-collapse: collapse">
<tr>${cells.join('')}${rest || (cells.length > 0 ? '' : '<td></td>')}</tr>
</table>`;
}

/** Returns the thresholds whose labels have room beside each other, in ascending order; the limit itself takes precedence. */
function withRoom(thresholds: readonly number[], full: number): number[] {
  const limitFirst = thresholds.toSorted((a, b) => Number(b === 100) - Number(a === 100) || a - b);
  const kept: number[] = [];
  for (const threshold of limitFirst) {
    const gaps = [0, ...kept].map((other) => Math.abs(share(threshold, full) - share(other, full)));
    if (Math.min(...gaps) >= leastGap) kept.push(threshold);
  }
  return kept.toSorted((a, b) => a - b);
}

/** A share of the bar's length in whole percent. */
function share(value: number, full: number): number {
  return Math.max(0, Math.min(100, Math.round((value / full) * 100)));
}
