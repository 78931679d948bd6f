import { preferenceOf, type ChannelPreferences } from './preferences.ts';
import { z } from 'zod';
import type { Bar, Fact, Meter } from '../../tenancy/mail/figures.ts';
import type { Tone } from '../../tenancy/mail/style.ts';

/** How a copy goes out. */
export type Channel = 'email' | 'slack';

/** A member, with what decides whether they are told. */
export interface MemberToNotify {
  readonly userId: string;
  /** Lower case. */
  readonly email: string;
  /** Null: every account. */
  readonly accountIds: readonly string[] | null;
  /** May choose what they are told, and so can be opted in to what concerns everyone. */
  readonly mayChoose: boolean;
  readonly emailPreferences: ChannelPreferences;
  readonly slackPreferences: ChannelPreferences;
  readonly additionalEmails: readonly string[];
  readonly hasWebhook: boolean;
}

/** One copy of an announcement. */
export interface Copy {
  readonly channel: Channel;
  /** An address in lower case; of slack the id of the user whose webhook it is. */
  readonly recipient: string;
  /** Users through whom it is sent: it goes out only as long as each is a member who may see what it tells of. */
  readonly userIds: readonly string[];
}

/** Whether a member may see all of what is told of.
 *  @param accountIds of the member and of the thing; null: every account */
export function holds(member: readonly string[] | null, about: readonly string[] | null): boolean {
  if (member === null) return true;
  return about !== null && about.every((id) => member.includes(id));
}

/** Who gets a copy, each address and webhook once. Members get what they may see and want; an address of nobody here gets
 *  what it was named for.
 *  @param members each member whom the recipients name, in whatever way */
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

/** What somebody is told of. Each has a preference of its own. */
export type AnnouncementKind = 'budget_alert' | 'anomaly_alert' | 'alert_rule' | 'report';

/** Something to tell, before it is a mail or a chat message. Every text is plain: names that people gave are made inert where
 *  a message is written, not here. */
export interface Announcement {
  readonly kind: AnnouncementKind;
  /** Names for ever what is told, such as `budget:<id>:2026-11:80`: nobody is told the same twice. */
  readonly subjectKey: string;
  readonly tone: Tone;
  /** One line: the subject of the mail and the heading of both. */
  readonly title: string;
  /** The most important sentence. */
  readonly lead: string;
  /** Figures, formatted. */
  readonly facts: readonly Fact[];
  /** How much of something is used up. */
  readonly meter?: Meter | undefined;
  /** Parts of a whole, the largest first. */
  readonly bars?: readonly Bar[] | undefined;
  readonly paragraphs: readonly string[];
  /** Where to look into it. */
  readonly action: {
    readonly label: string;
    /** Below `PUBLIC_URL`, such as `/budgets/<id>`. */
    readonly path: string;
  };
  /** A report whose file goes with the message: attached to a mail, or as a signed link. */
  readonly attachment?: { readonly reportId: string } | undefined;
  /** Why this reader gets it: a whole sentence. */
  readonly reason: string;
}

/** Who is told. Each address gets one copy, whatever the ways it is reached by. */
export interface Recipients {
  /** The user whose thing it is, by their account's address and the additional ones of their preferences. */
  readonly owner: string | null;
  /** More addresses. One that is a member's gets only what that member may see and wants. */
  readonly addresses: readonly string[];
  /** The user to whose webhook it is posted as well. */
  readonly slackOf: string | null;
  /** Each opted-in member whose scope holds the account, by mail and by their webhook. */
  readonly everyone?: { readonly accountId: string } | undefined;
  /** What it tells of: members whose scope does not hold all of it get none. Null: all accounts of the organization. */
  readonly about: { readonly accountIds: readonly string[] | null };
}

const text = z.string();

/** An announcement as a delivery keeps it. */
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
