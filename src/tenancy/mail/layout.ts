import type { Mail } from '../../kit/mail/mail.ts';
import { formatPercent } from '../../kit/text/format.ts';
import { type Bar, barsHtml, type Fact, factsHtml, type Meter, meterHtml } from './figures.ts';
import { colors, darkColors, font, type Tone, toneColors } from './style.ts';
import { escapeHtml } from '../../kit/text/html.ts';
import { htmlOf, unmarked } from './names.ts';

/** The content of an email before rendering as text and HTML. Contains no HTML. */
interface Content {
  readonly to: string;
  readonly subject: string;
  /** Heading above the text; default: the subject. */
  readonly heading?: string;
  /** Kind and severity, above the heading. */
  readonly badge?: { readonly tone: Tone; readonly label: string };
  /** The key message, above the figures. */
  readonly lead?: string;
  readonly meter?: Meter | undefined;
  readonly facts?: readonly Fact[];
  readonly bars?: readonly Bar[] | undefined;
  readonly paragraphs: readonly string[];
  /** Call to action and its URL. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Small print below the action. */
  readonly notes: readonly string[];
  /** Why this person receives the email. */
  readonly reason: string;
}

const columns = 72;

/** Renders an email as text and HTML.
 *  @param publicUrl public URL of this server */
export function layOut(content: Content, publicUrl: string): Mail {
  const { to, subject } = content;
  return { to, subject, text: plainText(content, publicUrl), html: page(content, publicUrl) };
}

function plainText(content: Content, publicUrl: string): string {
  const { subject, heading = subject, badge, lead, paragraphs, action, notes, reason } = content;
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  const head = [...(badge ? [badge.label] : []), heading, ...(lead === undefined ? [] : [lead])];
  const blocks = [...head.map(wrap), ...figures(content), ...paragraphs.map(wrap), ...link, ...notes.map(wrap)];
  // Mail clients treat a line with only "-- " as the start of a signature.
  return `${blocks.join('\n\n')}\n\n-- \nCostkeep, ${publicUrl}\n${wrap(reason)}\n`;
}

function figures({ meter, facts = [], bars = [] }: Content): string[] {
  const marks = meter?.thresholds.length
    ? `, alerts at ${meter.thresholds.map((threshold) => formatPercent(threshold)).join(', ')}`
    : '';
  return [
    ...(meter ? [`${ruler(meter.percent / 100)} ${formatPercent(meter.percent)} used${marks}`] : []),
    ...(facts.length > 0 ? [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(bars.length > 0
      ? [bars.map(({ label, value, share }) => `${ruler(share)} ${value}  ${label}`).join('\n')]
      : []),
  ];
}

const rulerColumns = 20;

/** Renders a text bar.
 *  @param share 0 to 1 */
function ruler(share: number): string {
  const filled = Math.max(0, Math.min(rulerColumns, Math.round(share * rulerColumns)));
  return `[${'#'.repeat(filled)}${'.'.repeat(rulerColumns - filled)}]`;
}

/** Wraps lines between words; a word longer than a line stays whole. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** Renders the email as an HTML document. All interpolated text is escaped. */
function page(content: Content, publicUrl: string): string {
  const { subject, heading = subject, lead, paragraphs, notes, reason } = content;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(unmarked(heading))}</title>
<style>${darkColors}
</style>
</head>
<body class="shade" style="margin: 0; padding: 0; background: ${colors.shade}; ${font}">
${preview(lead ?? paragraphs[0] ?? '')}
<table role="presentation" class="shade" width="100%" cellpadding="0" cellspacing="0" style="background: ${colors.shade}">
<tr><td class="outer" align="center" style="padding: 32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; text-align: left; overflow-wrap: anywhere">
<tr><td class="ink" style="padding: 0 4px 16px; color: ${colors.ink}; font-size: 18px; font-weight: 700">Costkeep</td></tr>
<tr><td class="paper${edgeClass(content)}" style="padding: 28px 28px 12px; background: ${colors.paper}; border: 1px solid ${colors.line};${edge(content)} border-radius: 12px">
${kindOfMessage(content)}<h1 class="ink" style="margin: 0 0 16px; color: ${colors.ink}; font-size: 22px; line-height: 1.3">${htmlOf(heading)}</h1>
${figuresHtml(content)}${paragraphs.map((text) => paragraph(text, 'ink', 16)).join('\n')}
${content.action ? actionHtml(content.action, notes.length > 0) : ''}
${notes.map((text) => paragraph(text, 'soft', 14)).join('\n')}
</td></tr>
<tr><td class="soft" style="padding: 16px 4px 0; color: ${colors.soft}; font-size: 12px; line-height: 1.5">
${htmlOf(reason)}<br><a class="link" href="${escapeHtml(publicUrl)}" style="color: ${colors.link}">${escapeHtml(publicUrl)}</a>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** A line in the tone's color at the top of alerts. */
function edge({ badge }: Content): string {
  return badge ? ` border-top: 4px solid ${toneColors[badge.tone].strong};` : '';
}

function edgeClass({ badge }: Content): string {
  return badge ? ` edge-${badge.tone}` : '';
}

function kindOfMessage({ badge }: Content): string {
  if (!badge) return '';
  const style = `margin: 0 0 8px; color: ${toneColors[badge.tone].text}; font-size: 13px; font-weight: 700; line-height: 1.4`;
  return `<p class="tone-${badge.tone}" style="${style}">${htmlOf(badge.label)}</p>\n`;
}

function figuresHtml({ lead, badge, meter, facts = [], bars = [] }: Content): string {
  const tone = badge?.tone ?? 'info';
  const parts = [
    ...(lead === undefined ? [] : [paragraph(lead, 'ink', 16)]),
    ...(meter ? [meterHtml(meter, tone)] : []),
    ...(facts.length > 0 ? [factsHtml(facts)] : []),
    ...(bars.length > 0 ? [barsHtml(bars, tone)] : []),
  ];
  return parts.map((part) => `${part}\n`).join('');
}

/** Preview text that mail clients show next to the subject; the filler keeps the following text out of it. */
function preview(text: string): string {
  const hidden = 'display: none; max-height: 0; overflow: hidden; mso-hide: all';
  return `<div style="${hidden}">${htmlOf(text)}${'&nbsp;&zwnj;'.repeat(60)}</div>`;
}

function paragraph(text: string, color: 'ink' | 'soft', px: number): string {
  const style = `margin: 0 0 16px; color: ${colors[color]}; font-size: ${px}px; line-height: 1.5`;
  return `<p class="${color}" style="${style}">${htmlOf(text)}</p>`;
}

/** @param isFollowed whether notes follow, separated by a line */
function actionHtml({ label, url }: { label: string; url: string }, isFollowed: boolean): string {
  const button = 'display: inline-block; padding: 12px 24px; color: #ffffff; font-weight: 600; text-decoration: none';
  const apart = isFollowed ? ` padding: 0 0 20px; border-bottom: 1px solid ${colors.line}` : '';
  const address = `color: ${colors.link}; font-size: 13px; line-height: 1.5; word-break: break-all`;
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin: 8px 0 20px">
<tr><td bgcolor="${colors.link}" style="background: ${colors.link}; border-radius: 8px; font-size: 16px">
<a href="${escapeHtml(url)}" style="${button}">${escapeHtml(label)}</a>
</td></tr>
</table>
<p class="soft" style="margin: 0 0 4px; color: ${colors.soft}; font-size: 13px">Or open this address:</p>
<p class="line" style="margin: 0 0 20px;${apart}">
<a class="link" href="${escapeHtml(url)}" style="${address}">${escapeHtml(url)}</a>
</p>`;
}
