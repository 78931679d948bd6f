import type { Config } from '../../kit/config/config.ts';
import { formatBytes, formatInstant } from '../../kit/text/format.ts';
import type { Mail } from '../../kit/mail/mail.ts';
import { layOut } from '../../tenancy/mail/layout.ts';
import { inert, visible } from '../../tenancy/mail/names.ts';
import type { DeliveredFile } from '../reports/download.ts';
import type { AnnouncementKind } from './announcement.ts';
import type { DueDelivery } from './store.ts';

/** Labels of each kind of message. */
const kindLabels = {
  budget_alert: 'Budget alert',
  anomaly_alert: 'Cost anomaly',
  alert_rule: 'Alert rule',
  report: 'Report',
} as const satisfies Record<AnnouncementKind, string>;

/** Returns the kind and organization of a delivery, because readers can belong to several organizations. */
export function labelOf({
  announcement,
  organizationName,
}: Pick<DueDelivery, 'announcement' | 'organizationName'>): string {
  return `${kindLabels[announcement.kind]} · ${organizationName}`;
}

const subjectCharacters = 180;

/** Builds the email of a delivery. Names are escaped, so that they are neither markup nor links.
 *  @param file of the delivery's report: attached, otherwise downloaded through the email's action */
export function letterOf(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  delivery: DueDelivery,
  file: DeliveredFile | null = null,
): Mail {
  const { recipient: to, announcement, userIds } = delivery;
  const { tone, title, lead, facts, meter, bars, paragraphs, action, reason } = announcement;
  const named = <T extends { label: string; value: string }>(list: readonly T[]) =>
    list.map((one) => ({ ...one, label: inert(one.label), value: inert(one.value) }));
  const content = {
    to,
    subject: subjectOf(title),
    heading: inert(title),
    badge: { tone, label: inert(labelOf(delivery)) },
    lead: inert(lead),
    meter,
    facts: named(facts),
    bars: bars && named(bars),
    paragraphs: paragraphs.map(inert),
    action:
      file && !file.attachment
        ? { label: 'Download the file', url: file.link.url }
        : { label: action.label, url: `${publicUrl}${action.path}` },
    notes: file ? [fileNote(file)] : [],
    reason: userIds.length > 0 ? `${inert(reason)} ${choice}` : inert(reason),
  };
  return { ...layOut(content, publicUrl), ...(file?.attachment && { attachments: [file.attachment] }) };
}

function fileNote({ name, sizeBytes, attachment, link }: DeliveredFile): string {
  const size = formatBytes(sizeBytes);
  return attachment
    ? `Attached: ${name} (${size}).`
    : `${name} (${size}) is too large to attach. The link works without signing in until ${formatInstant(link.expiresAt)}.`;
}

const choice = 'Choose your notifications and channels in Costkeep under Notifications.';

/** Builds a one-line subject, truncated between characters. */
function subjectOf(title: string): string {
  const line = visible(title).replace(/\s+/g, ' ');
  return line.length > subjectCharacters
    ? `${line.slice(0, subjectCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : line;
}
