import { preferenceOf, type ChannelPreferences } from './preferences.ts';
import type { AnnouncementKind, Recipients } from './announcement.ts';

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
