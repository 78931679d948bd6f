import { randomUUID } from 'node:crypto';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import { announce } from '../../../src/actions/notifications/announce.ts';
import type { Announcement, Recipients } from '../../../src/actions/notifications/announcement.ts';
import { webhookRowId } from '../../../src/actions/notifications/preferences-store.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { budgetAlert } from './samples.ts';

/** The organization `Plum`, with members by name and two accounts. */
export async function aTeamToNotify(deps: Deps) {
  const { db } = deps;
  const { id: organizationId } = await db.organization.create({
    data: { name: 'Plum', trustExternalId: randomUUID() },
  });
  const connect = async (name: string) =>
    (await db.account.create({ data: { organizationId, externalId: name, name, provider: 'focus' } })).id;
  const accounts = { one: await connect('one'), two: await connect('two') };
  let joined = 0;

  /** Adds a member.
   *  @param options `webhook`: the URL of their webhook; `chosen`: their preferences as stored */
  const join = async (
    name: string,
    role: Role,
    options: { access?: string[]; webhook?: string; email?: object; slack?: object; additionalEmails?: string[] } = {},
  ) => {
    joined += 1;
    const { access, webhook, email = {}, slack = {}, additionalEmails = [] } = options;
    const user = await db.user.create({ data: { email: `${name}@example.com`, name, passwordHash: 'x' } });
    await db.membership.create({
      data: {
        organizationId,
        userId: user.id,
        role,
        restricted: access !== undefined,
        accountAccess: access ?? [],
        joinedAt: new Date(Date.UTC(2026, 0, joined)),
      },
    });
    const owner = { organizationId, userId: user.id };
    const sealed = webhook === undefined ? null : deps.secrets.encrypt(webhook, webhookRowId(owner));
    const now = deps.clock.now();
    await db.notificationPreferences.create({
      data: { ...owner, email, slack, additionalEmails, webhook: sealed, updatedAt: now },
    });
    return user.id;
  };

  /** Announces in a transaction of its own, and returns the recipients. */
  const notify = async (recipients: Partial<Recipients>, announcement: Partial<Announcement> = {}) => {
    const notified = { ...budgetAlert, ...announcement };
    const all = {
      owner: null,
      addresses: [],
      slackOf: null,
      channelIds: [],
      about: { accountIds: null },
      ...recipients,
    };
    await db.$transaction((within) =>
      announce(within, deps, organizationId, { announcement: notified, recipients: all }),
    );
    return rows(notified.subjectKey);
  };
  const rows = async (subjectKey: string) => {
    const found = await db.delivery.findMany({ where: { organizationId, subjectKey }, orderBy: { id: 'asc' } });
    return found.map(({ channel, recipient }) => `${channel} ${recipient}`).toSorted();
  };
  return { organizationId, accounts, join, notify };
}
