import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import {
  holds,
  preferenceOf,
  type Announcement,
  type AnnouncementKind,
  type Copy,
  type MemberToNotify,
  type Recipients,
} from './announcement.ts';
import { channelsToNotify, insertDeliveries, membersToNotify, queueDelivery } from './store.ts';

/** Queues notifications by email, chat and webhook: one delivery per copy, in the caller's transaction, so that they are sent if and
 *  only if it commits. Idempotent: `subjectKey` is delivered to each recipient only once, even with concurrent workers.
 *  @param db the caller's transaction */
export async function announce(
  db: Db,
  deps: Pick<Deps, 'queue' | 'clock'>,
  organizationId: string,
  { announcement, recipients }: { readonly announcement: Announcement; readonly recipients: Recipients },
): Promise<void> {
  const members = await membersToNotify(db, organizationId, recipients);
  const channels = await channelsToNotify(db, organizationId, recipients);
  const copies = [...copiesFor(announcement.kind, recipients, members), ...channels];
  const now = deps.clock.now();
  const deliveries = await insertDeliveries(db, { organizationId, announcement, about: recipients.about, copies, now });
  for (const delivery of deliveries) await queueDelivery(db, deps, delivery, now);
}

/** Returns the copies to send to people, one per address and webhook. Members get what they have access to and opted in to; external
 *  addresses get what they were added to.
 *  @param members all members addressed by the recipients, in any way */
function copiesFor(kind: AnnouncementKind, recipients: Recipients, members: readonly MemberToNotify[]): Copy[] {
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
    copies.set(address, { channel: 'email', recipient: address, channelId: null, userIds });
  }
  return [...copies.values()];
}

function posts(kind: AnnouncementKind, recipients: Recipients, members: readonly MemberToNotify[]): Copy[] {
  const { everyone, slackOf, about } = recipients;
  return members
    .filter((member) => member.userId === slackOf || (everyone !== undefined && member.mayChoose))
    .filter((member) => member.hasWebhook && member.slackPreferences[preferenceOf[kind]])
    .filter((member) => holds(member.accountIds, about.accountIds))
    .map(({ userId }) => ({ channel: 'slack', recipient: userId, channelId: null, userIds: [userId] }));
}

function notifiedPersonally({ owner, everyone }: Recipients, members: readonly MemberToNotify[]): MemberToNotify[] {
  return members.filter((member) => member.userId === owner || (everyone !== undefined && member.mayChoose));
}
