import type { Config } from '../../../kit/config/config.ts';
import type { DeliveredFile } from '../../reports/download.ts';
import type { AnnouncementKind } from '../announcement.ts';
import type { SlackContent } from '../slack.ts';

/** A message to a channel. */
export interface ChannelMessage {
  /** Id of the delivery, the same for every attempt. */
  readonly id: string;
  readonly type: AnnouncementKind | 'test';
  readonly createdAt: Date;
  readonly organizationId: string;
  readonly content: SlackContent;
  readonly file: DeliveredFile | null;
}

/** Builds the body that a webhook of an organization receives, in REST spelling. All texts are plain. */
export function webhookPayload({ publicUrl }: Pick<Config, 'publicUrl'>, message: ChannelMessage): object {
  const { id, type, createdAt, organizationId, content, file } = message;
  const { label, tone, title, lead, facts, meter, bars = [], paragraphs, action, reason } = content;
  return {
    id,
    type,
    created_at: createdAt.toISOString(),
    organization_id: organizationId,
    data: {
      label,
      severity: tone,
      title,
      summary: lead,
      facts,
      percent_used: meter?.percent ?? null,
      parts: bars.map(({ label: name, value, share }) => ({ label: name, value, share })),
      details: paragraphs,
      link: { label: action.label, url: `${publicUrl}${action.path}` },
      file: file && fileOf(file),
      reason,
    },
  };
}

function fileOf({ name, sizeBytes, link }: DeliveredFile): object {
  return { name, size_bytes: Number(sizeBytes), url: link.url, expires_at: link.expiresAt.toISOString() };
}
