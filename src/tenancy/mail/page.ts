import { escapeHtml } from '../../kit/html.ts';
import { barsHtml, factsHtml, meterHtml } from './figures.ts';
import type { Content } from './layout.ts';
import { colors, darkColors, font, toneColors } from './style.ts';

/** The mail as an HTML document. Whatever is written in it was escaped. */
export function page(content: Content, publicUrl: string): string {
  const { subject, heading = subject, lead, paragraphs, notes, reason } = content;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(heading)}</title>
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
${kindOfMessage(content)}<h1 class="ink" style="margin: 0 0 16px; color: ${colors.ink}; font-size: 22px; line-height: 1.3">${escapeHtml(heading)}</h1>
${figures(content)}${paragraphs.map((text) => paragraph(text, 'ink', 16)).join('\n')}
${content.action ? action(content.action, notes.length > 0) : ''}
${notes.map((text) => paragraph(text, 'soft', 14)).join('\n')}
</td></tr>
<tr><td class="soft" style="padding: 16px 4px 0; color: ${colors.soft}; font-size: 12px; line-height: 1.5">
${escapeHtml(reason)}<br><a class="link" href="${escapeHtml(publicUrl)}" style="color: ${colors.link}">${escapeHtml(publicUrl)}</a>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** A line in the colour of its tone on top of what alerts. */
function edge({ badge }: Content): string {
  return badge ? ` border-top: 4px solid ${toneColors[badge.tone].strong};` : '';
}

function edgeClass({ badge }: Content): string {
  return badge ? ` edge-${badge.tone}` : '';
}

function kindOfMessage({ badge }: Content): string {
  if (!badge) return '';
  const style = `margin: 0 0 8px; color: ${toneColors[badge.tone].text}; font-size: 13px; font-weight: 700; line-height: 1.4`;
  return `<p class="tone-${badge.tone}" style="${style}">${escapeHtml(badge.label)}</p>\n`;
}

function figures({ lead, badge, meter, facts = [], bars = [] }: Content): string {
  const tone = badge?.tone ?? 'info';
  const parts = [
    ...(lead === undefined ? [] : [paragraph(lead, 'ink', 16)]),
    ...(meter ? [meterHtml(meter, tone)] : []),
    ...(facts.length > 0 ? [factsHtml(facts)] : []),
    ...(bars.length > 0 ? [barsHtml(bars, tone)] : []),
  ];
  return parts.map((part) => `${part}\n`).join('');
}

/** What lists of mails show beside the subject; the filler keeps them from showing what follows. */
function preview(text: string): string {
  const hidden = 'display: none; max-height: 0; overflow: hidden; mso-hide: all';
  return `<div style="${hidden}">${escapeHtml(text)}${'&nbsp;&zwnj;'.repeat(60)}</div>`;
}

function paragraph(text: string, color: 'ink' | 'soft', px: number): string {
  const style = `margin: 0 0 16px; color: ${colors[color]}; font-size: ${px}px; line-height: 1.5`;
  return `<p class="${color}" style="${style}">${escapeHtml(text)}</p>`;
}

/** @param isFollowed whether notes follow, from which a line sets it apart */
function action({ label, url }: { label: string; url: string }, isFollowed: boolean): string {
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
