import { preferenceOf, type ChannelPreferences } from './preferences.ts';
import { z } from 'zod';
import type { Bar, Fact, Meter } from '../../tenancy/mail/figures.ts';
import type { Tone } from '../../tenancy/mail/style.ts';

/** Delivery channel of a copy. */
export type Channel = 'email' | 'slack';

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
  /** An email address in lower case; for Slack, the id of the user who owns the webhook. */
  readonly recipient: string;
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

/** Returns the copies to send, one per address and webhook. Members get what they have access to and opted in to; external
 *  addresses get what they were added to.
 *  @param members all members addressed by the recipients, in any way */
export function copiesFor(kind: AnnouncementKind, recipients: Recipients, members: readonly MemberToNotify[]): Copy[] {
  const copies = [...mails(kind, recipients, members), ...posts(kind, recipients, members)];
  return [...new Map(copies.map((copy) => [`${copy.channel} ${copy.recipient}`, copy])).values()];
}

function mails(kind: AnnouncementKind, recipients: Recipients, members: readonly MemberToNotify[]): Copy[] {
  const byAddress = new Map(members.map((member) => [member.email, member]));
  const wantsIt = (member: MemberToNotify) =>
    member.emailPreferences[preferenceOf[kind]] && holds(member.accountIds, recipients.about.accountIds);
  const personal = notifiedPersonally(recipients, members).filter(wantsIt);
  const named = [
    ...personal.map((member) => ({ address: member.email, through: [] })),
    ...recipients.addresses.map((address) => ({ address, through: [] })),
    ...personal.flatMap((member) => member.additionalEmails.map((address) => ({ address, through: [member.userId] }))),
  ];
  const copies = new Map<string, Copy>();
  for (const { address: spelled, through } of named) {
    const address = spelled.trim().toLowerCase();
    const member = byAddress.get(address);
    if (copies.has(address) || (member && !wantsIt(member))) continue;
    const userIds = [...new Set([...through, ...(member ? [member.userId] : [])])];
    copies.set(address, { channel: 'email', recipient: address, userIds });
  }
  return [...copies.values()];
}

function posts(kind: AnnouncementKind, recipients: Recipients, members: readonly MemberToNotify[]): Copy[] {
  const { everyone, slackOf, about } = recipients;
  return members
    .filter((member) => member.userId === slackOf || (everyone !== undefined && member.mayChoose))
    .filter((member) => member.hasWebhook && member.slackPreferences[preferenceOf[kind]])
    .filter((member) => holds(member.accountIds, about.accountIds))
    .map(({ userId }) => ({ channel: 'slack', recipient: userId, userIds: [userId] }));
}

function notifiedPersonally({ owner, everyone }: Recipients, members: readonly MemberToNotify[]): MemberToNotify[] {
  return members.filter((member) => member.userId === owner || (everyone !== undefined && member.mayChoose));
}

/** Kinds of announcements. Each has its own preference. */
export type AnnouncementKind = 'budget_alert' | 'anomaly_alert' | 'alert_rule' | 'report';

/** An announcement before it is formatted as an email or chat message. All texts are plain: user-chosen names are escaped
 *  when a message is written. */
export interface Announcement {
  readonly kind: AnnouncementKind;
  /** Permanent identity of the announcement, such as `budget:<id>:2026-11:80`: no recipient gets the same one twice. */
  readonly subjectKey: string;
  readonly tone: Tone;
  /** One line: the email subject and the heading of both. */
  readonly title: string;
  /** The most important sentence. */
  readonly lead: string;
  /** Figures, formatted. */
  readonly facts: readonly Fact[];
  /** Usage relative to a limit. */
  readonly meter?: Meter | undefined;
  /** Parts of a whole, largest first. */
  readonly bars?: readonly Bar[] | undefined;
  readonly paragraphs: readonly string[];
  /** Link to details. */
  readonly action: {
    readonly label: string;
    /** Path below `PUBLIC_URL`, such as `/budgets/<id>`. */
    readonly path: string;
  };
  /** A report whose file goes with the message: attached to an email, or as a signed link. */
  readonly attachment?: { readonly reportId: string } | undefined;
  /** Why this reader receives it, as a full sentence. */
  readonly reason: string;
}

/** Recipients. Each address gets one copy, even if it is reached in several ways. */
export interface Recipients {
  /** The owning user, at their account's address and the additional ones of their preferences. */
  readonly owner: string | null;
  /** Additional addresses. A member's address gets only what that member has access to and opted in to. */
  readonly addresses: readonly string[];
  /** The user whose webhook also gets a copy. */
  readonly slackOf: string | null;
  /** Each opted-in member with access to the account, by email and webhook. */
  readonly everyone?: { readonly accountId: string } | undefined;
  /** Covered accounts: members without access to all of them get no copy. Null: all accounts of the organization. */
  readonly about: { readonly accountIds: readonly string[] | null };
}

const text = z.string();

/** Schema of an announcement as stored with a delivery. */
export const announcementSchema = z.object({
  kind: z.enum(['budget_alert', 'anomaly_alert', 'alert_rule', 'report']),
  subjectKey: text,
  tone: z.enum(['good', 'info', 'warning', 'critical']),
  title: text,
  lead: text,
  facts: z.array(z.object({ label: text, value: text })),
  meter: z.object({ percent: z.number(), thresholds: z.array(z.number()) }).optional(),
  bars: z.array(z.object({ label: text, value: text, share: z.number() })).optional(),
  paragraphs: z.array(text),
  action: z.object({ label: text, path: text }),
  attachment: z.object({ reportId: text }).optional(),
  reason: text,
}) satisfies z.ZodType<Announcement>;
