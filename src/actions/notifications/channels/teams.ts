import type { Config } from '../../../kit/config/config.ts';
import { formatBytes, formatInstant, formatPercent } from '../../../kit/text/format.ts';
import { visible } from '../../../tenancy/mail/names.ts';
import type { DeliveredFile } from '../../reports/download.ts';
import { cut, type SlackContent } from '../slack.ts';

// Adaptive Cards for the Workflows of Microsoft Teams: https://adaptivecards.io/explorer/. All texts are text runs, which
// have no markup, so that names need no escaping.

/** Limits that keep a message below the 28 KB of Teams. */
const teamsLimits = {
  title: 200,
  text: 1_000,
  label: 100,
  value: 300,
  facts: 20,
  bars: 10,
  paragraphs: 5,
} as const;

const colors = { good: 'Good', info: 'Accent', warning: 'Warning', critical: 'Attention' } as const;

interface Run {
  readonly text: string;
  readonly [option: string]: unknown;
}

/** Builds the message of an announcement for a Teams workflow: an Adaptive Card.
 *  @param file of the announcement's report, as a signed link */
export function teamsMessage(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  announcement: SlackContent,
  file: DeliveredFile | null = null,
): object {
  const { label, tone, title, lead, facts, meter, bars = [], paragraphs, action, reason } = announcement;
  const body = [
    line([{ text: title, size: 'Large', weight: 'Bolder', color: colors[tone] }], teamsLimits.title),
    line([{ text: lead }]),
    ...(meter ? [line([{ text: `${formatPercent(meter.percent)} used`, weight: 'Bolder' }])] : []),
    ...facts.slice(0, teamsLimits.facts).map(({ label: name, value }) => fact(name, value)),
    ...bars.slice(0, teamsLimits.bars).map(({ label: name, value }) => fact(value, name)),
    ...paragraphs.slice(0, teamsLimits.paragraphs).map((text) => line([{ text }])),
    ...(file ? [line([{ text: fileText(file), isSubtle: true }])] : []),
    line([{ text: `${label} · ${reason}`, isSubtle: true, size: 'Small' }]),
  ];
  const actions = [
    open(action.label, `${publicUrl}${action.path}`),
    ...(file ? [open('Download the file', file.link.url)] : []),
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    fallbackText: cut(plain(`${title}: ${lead}`), teamsLimits.text),
    body,
    actions,
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function fact(label: string, value: string) {
  const name = cut(plain(label), teamsLimits.label);
  return {
    ...line([{ text: `${name}  `, weight: 'Bolder' }, { text: cut(plain(value), teamsLimits.value) }]),
    spacing: 'Small',
  };
}

function line(runs: readonly Run[], most: number = teamsLimits.text) {
  const inlines = runs.map((run) => ({ type: 'TextRun', ...run, text: cut(plain(run.text), most) }));
  return { type: 'RichTextBlock', inlines };
}

function open(title: string, url: string) {
  return { type: 'Action.OpenUrl', title, url };
}

function fileText({ name, sizeBytes, link }: DeliveredFile): string {
  const until = formatInstant(link.expiresAt);
  return `${name} (${formatBytes(sizeBytes)}). The link works without signing in until ${until}.`;
}

/** Puts text on one line. Keeps spaces at the end, which separate a label from its value. */
function plain(text: string): string {
  return visible(text).replace(/[\r\n\t]+/g, ' ');
}
