import { describe, expect, it } from 'vitest';
import { announce } from '../../../src/actions/notifications/announce.ts';
import type { Announcement, Recipients } from '../../../src/actions/notifications/announcement.ts';
import { webhookRowId } from '../../../src/actions/notifications/preferences-store.ts';
import { aTeam, invalid } from '../../tenancy/team.ts';
import { anomalyAlert, budgetAlert, reportReady } from './samples.ts';

/** The team with Eve, who has access to the first account only, a channel, and messages to people and to the channel. */
async function aTeamWithMessages() {
  const team = await aTeam();
  await team.join('eve', 'member', [team.accounts.one]);
  const idOf = async (name: string) => (await team.db.user.findFirstOrThrow({ where: { name } })).id;
  const [cleo, eve] = [await idOf('cleo'), await idOf('eve')];
  const { organizationId } = team;
  const owner = { organizationId, userId: cleo };
  await team.db.notificationPreferences.create({
    data: {
      ...owner,
      email: {},
      slack: {},
      additionalEmails: [],
      webhook: team.deps.secrets.encrypt('https://chat.example/x', webhookRowId(owner)),
      updatedAt: new Date(),
    },
  });
  const hook = { name: 'Hook', kind: 'webhook', url: 'https://hooks.slack.com/services/T/B/x' };
  const channel = (await team.rest('ben', 'POST', '/channels', hook)).body as { id: string };
  const notify = async (announcement: Announcement, recipients: Partial<Recipients>) => {
    const all = { owner: null, addresses: [], slackOf: null, channelIds: [], about: { accountIds: null } };
    team.passMs(1000);
    await team.db.$transaction((db) =>
      announce(db, team.deps, organizationId, { announcement, recipients: { ...all, ...recipients } }),
    );
  };
  const { one, two } = team.accounts;
  await notify(budgetAlert, { owner: cleo, slackOf: cleo, channelIds: [channel.id] });
  await notify(anomalyAlert, { addresses: ['boss@example.org'], owner: eve, about: { accountIds: [one] } });
  await notify({ ...reportReady, subjectKey: 'report:r2' }, { owner: eve, about: { accountIds: [one] } });
  await team.db.delivery.updateMany({
    where: { subjectKey: 'report:r2' },
    data: { content: { announcement: reportReady, about: { accountIds: [one, two] }, userIds: [eve] } },
  });
  const list = async (name: string, query = '') => {
    const { body } = await team.rest(name, 'GET', `/notifications${query}`);
    return (body as { data: { recipient: string | null; kind: string; channel: string }[] }).data.map(
      ({ recipient, kind, channel: of }) => `${kind} ${of} ${recipient}`,
    );
  };
  return { ...team, list, channel };
}

const toCleo = ['budget_alert email cleo@example.com', 'budget_alert slack cleo'];
const toEve = 'anomaly_alert email eve@example.com';

describe('the list of notifications', () => {
  it('shows Admins all messages of the organization, newest first', async () => {
    const team = await aTeamWithMessages();
    const found = await team.list('ben');
    expect(found[0]).toBe('report email eve@example.com');
    expect(found.toSorted()).toEqual(
      [
        ...toCleo,
        toEve,
        'anomaly_alert email boss@example.org',
        'budget_alert webhook Hook',
        'report email eve@example.com',
      ].toSorted(),
    );
    const { body } = await team.rest('ben', 'GET', '/notifications?channel=webhook');
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          kind: 'budget_alert',
          channel: 'webhook',
          recipient: 'Hook',
          title: 'Budget “Production” has reached 100 %',
          path: '/budgets/b1',
          status: 'pending',
          attempts: 0,
          error: null,
          created_at: expect.any(String),
          sent_at: null,
        },
      ],
      pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 },
    });
  });

  it('shows other members their own messages about accounts in their scope', async () => {
    const team = await aTeamWithMessages();
    expect((await team.list('cleo')).toSorted()).toEqual(toCleo);
    expect(await team.list('eve')).toEqual([toEve]);
    expect(await team.list('dan')).toEqual([]);
    const zoe = await team.register('zoe');
    team.tokens['zoe'] = zoe.accessToken;
    expect(await team.list('zoe')).toEqual([]);
  });

  it('shows restricted Admins only their own messages, too', async () => {
    const team = await aTeamWithMessages();
    await team.join('fay', 'admin', [team.accounts.one, team.accounts.two]);
    expect(await team.list('fay')).toEqual([]);
  });

  it('can be filtered, sorted and paged', async () => {
    const team = await aTeamWithMessages();
    await team.db.delivery.updateMany({
      where: { kind: 'report' },
      data: { status: 'failed', attempts: 3, lastError: 'No such mailbox' },
    });
    await team.db.delivery.updateMany({
      where: { channel: 'slack' },
      data: { status: 'sent', sentAt: new Date(), lastError: 'The chat server returned 500' },
    });
    expect((await team.rest('ben', 'GET', '/notifications?status=failed')).body).toMatchObject({
      data: [{ kind: 'report', attempts: 3, error: 'No such mailbox' }],
    });
    expect((await team.rest('ben', 'GET', '/notifications?status=sent')).body).toMatchObject({
      data: [{ error: null }],
    });
    expect(await team.list('ben', '?kind=report,anomaly_alert&channel=email')).toHaveLength(3);
    expect(await team.list('ben', '?sort_by=created_at&per_page=1&page=6')).toEqual(['report email eve@example.com']);
    expect(await team.rest('ben', 'GET', '/notifications?status=lost')).toMatchObject(invalid('status'));
    const query = '{ notifications(status: [SENT]) { data { channel status } pagination { total } } }';
    expect((await team.gql('ben', query)).body).toEqual({
      data: { notifications: { data: [{ channel: 'SLACK', status: 'SENT' }], pagination: { total: 1 } } },
    });
  });

  it('keeps messages of deleted channels', async () => {
    const team = await aTeamWithMessages();
    expect((await team.rest('ben', 'DELETE', `/channels/${team.channel.id}`)).status).toBe(204);
    expect(await team.list('ben', '?channel=webhook')).toEqual(['budget_alert webhook null']);
  });
});
