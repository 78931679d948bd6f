import type { Mail } from '../../kit/mail/mail.ts';
import { formatPercent } from '../../kit/format.ts';
import type { Bar, Fact, Meter } from './figures.ts';
import { page } from './page.ts';
import type { Tone } from './style.ts';

/** What a mail says, before it is text and HTML. Nothing in it is HTML. */
export interface Content {
  readonly to: string;
  readonly subject: string;
  /** Stands above the text; the subject by default. */
  readonly heading?: string;
  /** What kind of message it is and how grave, above the heading. */
  readonly badge?: { readonly tone: Tone; readonly label: string };
  /** The most important sentence, above the figures. */
  readonly lead?: string;
  readonly meter?: Meter | undefined;
  readonly facts?: readonly Fact[];
  readonly bars?: readonly Bar[] | undefined;
  readonly paragraphs: readonly string[];
  /** What to do, and the address that it is done at. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Said smaller, below the action. */
  readonly notes: readonly string[];
  /** Why this person gets it. */
  readonly reason: string;
}

const columns = 72;

/** Writes a mail in both forms.
 *  @param publicUrl of the server that writes */
export function layOut(content: Content, publicUrl: string): Mail {
  const { to, subject } = content;
  return { to, subject, text: plainText(content, publicUrl), html: page(content, publicUrl) };
}

/** A name that people gave, put where mail programs turn what looks like an address into a link: an invisible space after
 *  each dot, colon and slash keeps a name such as `Win at evil.example` from becoming one. */
export function unlinked(name: string): string {
  return name.replace(/([.:/@])(?=\S)/g, '$1\u200b');
}

/** Text of ours with names of others in it, for a mail: like `unlinked`, but figures, dates and times stay as they are. */
export function inert(text: string): string {
  return visible(text)
    .replace(/\s+/g, ' ')
    .replace(/(?<=\d) %/g, '\u00a0%')
    .replace(/([.:/@])(?=\S)(?!(?<=\d.)\d)/g, '$1\u200b');
}

/** Text without the characters that nobody sees: they may turn a line around, or hide a word in another one. */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\s]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '');
}

function plainText(content: Content, publicUrl: string): string {
  const { subject, heading = subject, badge, lead, paragraphs, action, notes, reason } = content;
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  const head = [...(badge ? [badge.label] : []), heading, ...(lead === undefined ? [] : [lead])];
  const blocks = [...head.map(wrap), ...figures(content), ...paragraphs.map(wrap), ...link, ...notes.map(wrap)];
  // Mail programs know "-- " alone on a line as the beginning of a signature.
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

/** A bar of characters.
 *  @param share 0 to 1 */
function ruler(share: number): string {
  const filled = Math.max(0, Math.min(rulerColumns, Math.round(share * rulerColumns)));
  return `[${'#'.repeat(filled)}${'.'.repeat(rulerColumns - filled)}]`;
}

/** Breaks lines between words; a word that is longer than a line stays whole. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
