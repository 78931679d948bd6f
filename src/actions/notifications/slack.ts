import type { IncomingWebhookSendArguments } from '@slack/webhook';
import type { Config } from '../../kit/config/config.ts';
import { formatBytes, formatInstant, formatPercent } from '../../kit/text/format.ts';
import { visible } from '../../tenancy/mail/names.ts';
import type { Tone } from '../../tenancy/mail/style.ts';
import type { Bar, Fact, Meter } from '../../tenancy/mail/figures.ts';
import type { DeliveredFile } from '../reports/download.ts';
import type { Announcement } from './announcement.ts';

type Blocks = NonNullable<IncomingWebhookSendArguments['blocks']>;
type Block = Blocks[number];

/** Limits of Block Kit, in characters and items; longer content is visibly truncated. */
export const slackLimits = {
  header: 150,
  text: 3_000,
  field: 2_000,
  fields: 10,
  blocks: 50,
  fallback: 3_000,
  button: 75,
} as const;

const signs = { good: '🟢', info: '🔵', warning: '🟠', critical: '🔴' } as const satisfies Record<Tone, string>;

/** Content of a chat message. */
export type SlackContent = Omit<Announcement, 'kind' | 'subjectKey'> & {
  /** Its kind in a word or two, and its organization. */
  readonly label: string;
};

/** Builds the chat message of an announcement: Block Kit, with a fallback text. Names are escaped, so that they are neither
 *  links, mentions, emoji nor formatting.
 *  @param file of the announcement's report, as a signed link: incoming webhooks do not accept files */
export function slackMessage(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  announcement: SlackContent,
  file: DeliveredFile | null = null,
): IncomingWebhookSendArguments {
  const { label, tone, title, lead, facts, meter, bars, paragraphs, action, reason } = announcement;
  const blocks: Block[] = [
    { type: 'header', text: plain(`${signs[tone]} ${title}`, slackLimits.header) },
    ...sections([lead].map(escaped)),
    ...sections(meter ? [meterText(meter)] : []),
    ...factBlocks(facts),
    ...sections([barsText(bars ?? []), ...paragraphs.map(escaped)]),
  ];
  const close: Block[] = [
    ...(file ? sections([fileText(file)]) : []),
    {
      type: 'actions',
      elements: [
        button(action.label, `${publicUrl}${action.path}`),
        ...(file ? [button('Download the file', file.link.url)] : []),
      ],
    },
    { type: 'context', elements: [mrkdwn(`*${escaped(label)}* · ${escaped(reason)}`, slackLimits.text)] },
  ];
  return {
    text: cutEscaped(`${escaped(title)}: ${escaped(lead)}`, slackLimits.fallback),
    blocks: [...blocks.slice(0, slackLimits.blocks - close.length), ...close],
    unfurl_links: false,
    unfurl_media: false,
  };
}

function button(label: string, url: string) {
  return { type: 'button' as const, text: plain(label, slackLimits.button), url };
}

function fileText({ name, sizeBytes, link }: DeliveredFile): string {
  const until = formatInstant(link.expiresAt);
  return escaped(`${name} (${formatBytes(sizeBytes)}). The link works without signing in until ${until}.`);
}

/** Escapes text for mrkdwn: `&`, `<` and `>` as documented by Slack; formatting and emoji characters have no escape and are
 *  replaced by lookalikes. */
export function escaped(text: string): string {
  return visible(text)
    .replaceAll('*', '∗')
    .replaceAll('~', '∼')
    .replaceAll('`', 'ˋ')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, 'ˍ')
    .replace(/:(?=[\w+'-]+:)/g, ':\u200b')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function factBlocks(facts: readonly Fact[]): Block[] {
  const fields = facts.map(({ label, value }) => mrkdwn(`*${escaped(label)}*\n${escaped(value)}`, slackLimits.field));
  const blocks: Block[] = [];
  for (let from = 0; from < fields.length; from += slackLimits.fields)
    blocks.push({ type: 'section', fields: fields.slice(from, from + slackLimits.fields) });
  return blocks;
}

const cells = 15;

function meterText({ percent, thresholds }: Meter): string {
  const marks =
    thresholds.length > 0 ? `, alerts at ${thresholds.map((threshold) => formatPercent(threshold)).join(', ')}` : '';
  return `${bar(percent / 100)}  *${formatPercent(percent)}* used${marks}`;
}

function barsText(bars: readonly Bar[]): string {
  return bars.map(({ label, value, share }) => `${bar(share)}  *${escaped(value)}*  ${escaped(label)}`).join('\n');
}

function bar(share: number): string {
  const filled = Math.max(0, Math.min(cells, Math.round(share * cells)));
  return '▰'.repeat(filled) + '▱'.repeat(cells - filled);
}

/** Builds a block for each non-empty text; Slack rejects messages with an empty one. */
function sections(texts: readonly string[]): Block[] {
  const filled = texts.filter((text) => text.trim() !== '');
  return filled.map((text) => ({ type: 'section', text: mrkdwn(text, slackLimits.text) }));
}

/** Builds a text with markup; `verbatim` prevents automatic links to addresses and channels. */
function mrkdwn(text: string, most: number) {
  return { type: 'mrkdwn' as const, text: cutEscaped(text, most), verbatim: true };
}

function plain(text: string, most: number) {
  return { type: 'plain_text' as const, text: cut(visible(text).replace(/\s+/g, ' '), most), emoji: false };
}

/** Truncates text without splitting characters. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Truncates escaped text without splitting entities. */
function cutEscaped(text: string, most: number): string {
  return cut(text, most).replace(/&[a-z]{0,3}…$/, '…');
}
