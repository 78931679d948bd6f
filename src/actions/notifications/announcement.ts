import { z } from 'zod';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import { can } from '../../tenancy/auth/permissions.ts';
import type { Tone } from '../../tenancy/mail/style.ts';

const channelSchema = z.object({
  budget_alerts: z.boolean(),
  anomaly_alerts: z.boolean(),
  alert_rules: z.boolean(),
  reports: z.boolean(),
});

/** One channel's preferences, as the API spells them. */
export type ChannelPreferences = Readonly<z.output<typeof channelSchema>>;

/** The preference of each kind of announcement. */
export const preferenceOf = {
  budget_alert: 'budget_alerts',
  anomaly_alert: 'anomaly_alerts',
  alert_rule: 'alert_rules',
  report: 'reports',
} as const satisfies Record<AnnouncementKind, keyof ChannelPreferences>;

/** Returns a channel's effective preferences: defaults are on. Viewers cannot set preferences: they are notified as owners and
 *  named recipients, but not about anomalies.
 *  @param json as stored; null if nothing was ever set */
export function channelPreferences(json: unknown, role: Role): ChannelPreferences {
  const {
    budget_alerts = true,
    anomaly_alerts = true,
    alert_rules = true,
    reports = true,
  } = channelSchema.partial().parse(json ?? {});
  const mayChoose = can(role, 'notifications.write');
  return { budget_alerts, anomaly_alerts: anomaly_alerts && mayChoose, alert_rules, reports };
}

/** Delivery methods of copies. */
export const deliveryChannels = ['email', 'slack', 'teams', 'webhook'] as const;

/** Delivery method of a copy. */
export type Channel = (typeof deliveryChannels)[number];

/** A member, with what determines whether they are notified. */
export interface MemberToNotify {
  readonly userId: string;
  /** Lower case. */
  readonly email: string;
  /** Null: every account. */
  readonly accountIds: readonly string[] | null;
  /** Whether the role can set preferences, and so opt in to announcements for everyone. */
  readonly mayChoose: boolean;
  readonly emailPreferences: ChannelPreferences;
  readonly slackPreferences: ChannelPreferences;
  readonly additionalEmails: readonly string[];
  readonly hasWebhook: boolean;
}

/** One copy of an announcement. */
export interface Copy {
  readonly channel: Channel;
  /** An email address in lower case; the id of a channel of the organization; otherwise the id of the user who owns the
   *  webhook. */
  readonly recipient: string;
  /** The channel of the organization; null for an email or a member's webhook. */
  readonly channelId: string | null;
  /** Users on whose access the copy depends: it is sent only while each of them is a member with access to its accounts. */
  readonly userIds: readonly string[];
}

/** Returns whether a member has access to all accounts of an announcement.
 *  @param member accounts of the member; null: every account
 *  @param about accounts of the announcement; null: every account */
export function holds(member: readonly string[] | null, about: readonly string[] | null): boolean {
  if (member === null) return true;
  return about !== null && about.every((id) => member.includes(id));
}

/** Recipients. Each address gets one copy, even if it is reached in several ways. */
export interface Recipients {
  /** The owning user, at their account's address and the additional ones of their preferences. */
  readonly owner: string | null;
  /** Additional addresses. A member's address gets only what that member has access to and opted in to. */
  readonly addresses: readonly string[];
  /** The user whose webhook also gets a copy. */
  readonly slackOf: string | null;
  /** Channels of the organization. */
  readonly channelIds: readonly string[];
  /** Each opted-in member with access to the account, by email and webhook, and each channel that receives anomalies. */
  readonly everyone?: { readonly accountId: string } | undefined;
  /** Covered accounts: members without access to all of them get no copy. Null: all accounts of the organization. */
  readonly about: { readonly accountIds: readonly string[] | null };
}

const text = z.string();

/** An announcement before it is formatted as an email or chat message, as stored with a delivery. All texts are plain:
 *  user-chosen names are escaped when a message is written. */
export const announcementSchema = z.object({
  /** Each kind has its own preference. */
  kind: z.enum(['budget_alert', 'anomaly_alert', 'alert_rule', 'report']),
  /** Permanent identity of the announcement, such as `budget:<id>:2026-11:80`: no recipient gets the same one twice. */
  subjectKey: text,
  tone: z.enum(['good', 'info', 'warning', 'critical']) satisfies z.ZodType<Tone>,
  /** One line: the email subject and the heading of both. */
  title: text,
  /** The most important sentence. */
  lead: text,
  /** Figures, formatted. */
  facts: z.array(z.object({ label: text, value: text })).readonly(),
  /** Usage relative to a limit. */
  meter: z.object({ percent: z.number(), thresholds: z.array(z.number()).readonly() }).optional(),
  /** Parts of a whole, largest first. */
  bars: z
    .array(z.object({ label: text, value: text, share: z.number() }))
    .readonly()
    .optional(),
  paragraphs: z.array(text).readonly(),
  /** Link to details, with a path below `PUBLIC_URL`, such as `/budgets/<id>`. */
  action: z.object({ label: text, path: text }),
  /** A report whose file goes with the message: attached to an email, or as a signed link. */
  attachment: z.object({ reportId: text }).optional(),
  /** Why this reader receives it, as a full sentence. */
  reason: text,
});

export type Announcement = z.input<typeof announcementSchema>;
export type AnnouncementKind = Announcement['kind'];
