import { describe, expect, it, onTestFinished } from 'vitest';
import { deleteOldDeliveries } from '../../../src/actions/notifications/store.ts';
import { rotateWebhooks } from '../../../src/actions/notifications/run.ts';
import { postToWebhook } from '../../../src/actions/notifications/webhook/post.ts';
import { webhookRowId } from '../../../src/actions/notifications/preferences-store.ts';
import { deleteAccountReports } from '../../../src/actions/delete-account.ts';
import { openSecrets } from '../../../src/kit/secrets/crypto.ts';
import { openLog } from '../../../src/kit/log.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { aTeam, conflict, forbidden, invalid } from '../../tenancy/team.ts';
import { aWorld, worldOfFile } from '../../support/world.ts';
import { aChatServer, answers, hangs } from './chat-server.ts';
import { aTeamToNotify } from './world.ts';

const all = { budget_alerts: true, anomaly_alerts: true, alert_rules: true, reports: true };
const none = { additional_emails: [], slack_configured: false, slack_problem: null };
const at = '/notifications/preferences';
const hook = 'https://hooks.slack.com/services/T000/B000/secretsecret';

describe('notification preferences', () => {
  it('are all on by default', async () => {
    const team = await aTeam();
    expect(await team.rest('cleo', 'GET', at)).toEqual({ status: 200, body: { email: all, slack: all, ...none } });
  });

  it('can be read but not changed by Viewers', async () => {
    const team = await aTeam();
    const { body } = await team.rest('dan', 'GET', at);
    expect(body).toMatchObject({ email: { ...all, anomaly_alerts: false } });
    expect(await team.rest('dan', 'PATCH', at, { additional_emails: [] })).toMatchObject(forbidden('role viewer'));
    expect(await team.rest('dan', 'POST', '/notifications/slack/webhook', { url: hook })).toMatchObject(
      forbidden('role viewer'),
    );
  });

  it('change only the given fields of the caller, and are audited', async () => {
    const team = await aTeam();
    const changed = await team.rest('cleo', 'PATCH', at, {
      email: { reports: false },
      additional_emails: ['Ops@Example.org', 'ops@example.org'],
    });
    expect(changed).toEqual({
      status: 200,
      body: { email: { ...all, reports: false }, slack: all, ...none, additional_emails: ['ops@example.org'] },
    });
    await team.rest('cleo', 'PATCH', at, { slack: { alert_rules: false, reports: true } });
    expect((await team.rest('cleo', 'GET', at)).body).toEqual({
      email: { ...all, reports: false },
      slack: { ...all, alert_rules: false },
      ...none,
      additional_emails: ['ops@example.org'],
    });
    expect((await team.rest('ben', 'GET', at)).body).toEqual({ email: all, slack: all, ...none });
    expect(await team.recorded()).toEqual([
      {
        action: 'notification_preferences_changed',
        actorEmail: 'cleo@example.com',
        resourceType: 'notification_preferences',
        details: {
          'email.reports': { from: true, to: false },
          additional_emails: { from: [], to: ['ops@example.org'] },
        },
      },
      {
        action: 'notification_preferences_changed',
        actorEmail: 'cleo@example.com',
        resourceType: 'notification_preferences',
        details: { 'slack.alert_rules': { from: true, to: false } },
      },
    ]);
  });

  it('are not audited when nothing changes', async () => {
    const team = await aTeam();
    expect((await team.rest('cleo', 'PATCH', at, { email: { reports: true } })).status).toBe(200);
    expect(await team.recorded()).toEqual([]);
  });

  const refused = [
    [{}, 'The body has nothing to change; send at least one of email, slack, additional_emails'],
    [{ email: {} }, 'send at least one of'],
    [{ email: null }, 'email cannot be null'],
    [{ slack: { reports: null } }, 'slack.reports cannot be null'],
    [{ email: { reports: 'no' } }, 'email.reports'],
    [{ email: { weather: true } }, 'email.weather'],
    [{ additional_emails: null }, 'additional_emails cannot be null'],
    [{ additional_emails: ['ops'] }, 'additional_emails\\[0\\] "ops" must be an address'],
    [{ additional_emails: 'ops@example.org' }, 'additional_emails must be a list'],
    [{ additional_emails: Array.from({ length: 21 }, (_, n) => `a${n}@example.org`) }, 'at most 20'],
  ] as const;

  it('reject invalid values, naming the field', async () => {
    const team = await aTeam();
    for (const [body, message] of refused)
      expect(await team.rest('cleo', 'PATCH', at, body)).toMatchObject(invalid(new RegExp(message)));
  });

  it('belong to one organization, and are deleted with the membership', async () => {
    const team = await aTeam();
    await team.rest('cleo', 'PATCH', at, { email: { reports: false } });
    await team.rest('cleo', 'POST', '/notifications/slack/webhook', { url: hook });
    expect(await team.db.notificationPreferences.count()).toBe(1);
    expect((await team.rest('ana', 'DELETE', `/org/members/${team.id('cleo')}`)).status).toBe(204);
    expect(await team.db.notificationPreferences.count()).toBe(0);
  });

  it('are the same in GraphQL', async () => {
    const team = await aTeam();
    const query = `mutation { updateNotificationPreferences(input: { slack: { budgetAlerts: false } }) {
      email { budgetAlerts } slack { budgetAlerts anomalyAlerts } additionalEmails slackConfigured slackProblem } }`;
    expect((await team.gql('cleo', query)).body).toEqual({
      data: {
        updateNotificationPreferences: {
          email: { budgetAlerts: true },
          slack: { budgetAlerts: false, anomalyAlerts: true },
          additionalEmails: [],
          slackConfigured: false,
          slackProblem: null,
        },
      },
    });
  });

  it('keep each of several concurrent changes', async () => {
    const team = await aTeam();
    const changes = [{ email: { reports: false } }, { email: { alert_rules: false } }, { slack: { reports: false } }];
    await Promise.all(changes.map((change) => team.rest('cleo', 'PATCH', at, change)));
    expect((await team.rest('cleo', 'GET', at)).body).toMatchObject({
      email: { reports: false, alert_rules: false, budget_alerts: true },
      slack: { reports: false },
    });
  });
});

describe('a webhook', () => {
  it('can be set, replaced and removed, and is never returned', async () => {
    const team = await aTeam();
    const set = (url: unknown) => team.rest('cleo', 'POST', '/notifications/slack/webhook', { url });
    expect(await set(hook)).toEqual({ status: 200, body: { slack_configured: true } });
    expect((await team.rest('cleo', 'GET', at)).body).toMatchObject({ slack_configured: true });
    const { webhook } = await team.db.notificationPreferences.findFirstOrThrow();
    expect(Buffer.from(webhook ?? []).toString('latin1')).not.toContain('slack');
    await set(`${hook}2`);
    expect(await set(null)).toEqual({ status: 200, body: { slack_configured: false } });
    await set(null);
    expect((await team.recorded()).map(({ details }) => details)).toEqual([
      { slack_webhook: 'set' },
      { slack_webhook: 'replaced' },
      { slack_webhook: 'removed' },
    ]);
    expect(JSON.stringify(await team.db.auditEntry.findMany())).not.toContain('secretsecret');
  });

  const unusable = [
    [{ url: 'http://hooks.slack.com/secretsecret' }, 'url must be an https URL'],
    [{ url: 'https://127.0.0.1/secretsecret' }, 'url must name a host such as hooks.slack.com, not an IP address'],
    [{ url: 'https://localhost/secretsecret' }, 'url must name a public host'],
    [{ url: 'https://hooks.slack.com:8443/secretsecret' }, 'url must use port 443, not 8443'],
    [{ url: 'secretsecret' }, 'url must be an https URL'],
    [{ url: ['https://hooks.slack.com/secretsecret'] }, 'url must be'],
    [{ url: { secretsecret: 1 } }, 'url must be'],
    [{}, 'url'],
  ] as const;

  it('is rejected without being repeated when unusable', async () => {
    const team = await aTeam();
    for (const [body, message] of unusable) {
      const answer = await team.rest('cleo', 'POST', '/notifications/slack/webhook', body);
      expect(answer).toMatchObject(invalid(new RegExp(message)));
      expect(JSON.stringify(answer)).not.toContain('secretsecret');
    }
  });

  it('is not repeated in GraphQL when it has the wrong type', async () => {
    const team = await aTeam();
    const literal = await team.gql(
      'cleo',
      'mutation { setSlackWebhook(url: ["https://secretsecret"]) { slackConfigured } }',
    );
    expect(JSON.stringify(literal)).not.toContain('secretsecret');
    const variables = await team.gql('cleo', 'mutation ($u: String) { setSlackWebhook(url: $u) { slackConfigured } }', {
      u: ['https://secretsecret'],
    });
    expect(JSON.stringify(variables)).not.toContain('secretsecret');
  });

  it('cannot be tested when none is set', async () => {
    const team = await aTeam();
    expect(await team.rest('cleo', 'POST', '/notifications/slack/test')).toMatchObject(
      conflict('No chat webhook is set'),
    );
  });

  it('is tested with a message, and reports why that fails', async () => {
    const server = await aChatServer(null, answers(404, 'no_service'), answers(302, '', { location: '/x' }), hangs);
    const team = await aTeam({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
    await team.rest('cleo', 'POST', '/notifications/slack/webhook', { url: `${server.url}/secretsecret` });
    const ask = async () => (await team.rest('cleo', 'POST', '/notifications/slack/test')).body;
    expect(await ask()).toEqual({ delivered: true, reason: null });
    expect(server.taken[0]?.body.text).toContain('Costkeep can post to this channel');
    expect(await ask()).toEqual({ delivered: false, reason: 'The chat server returned 404 (no_service)' });
    expect((await team.rest('cleo', 'GET', at)).body).toMatchObject({
      slack_configured: true,
      slack_problem: 'The chat server returned 404 (no_service)',
    });
    expect(await ask()).toEqual({
      delivered: false,
      reason: 'The chat server returned 302: redirects are not followed',
    });
    await team.rest('cleo', 'POST', '/notifications/slack/webhook', { url: `${server.url}/secretsecret` });
    expect((await team.rest('cleo', 'GET', at)).body).toMatchObject({ slack_problem: null });
    expect(await ask()).toEqual({ delivered: false, reason: 'The chat server did not respond in time' });
  }, 30_000);

  it('is not posted to when its name resolves to a private address', async () => {
    const server = await aChatServer(null);
    const { port } = new URL(server.url);
    // Listed hosts require HTTPS, which this server does not support; unlisted hosts are not connected to.
    const url = `https://localhost:${port}/secretsecret`;
    const team = await aTeam({ WEBHOOK_HOSTS: `localhost:${port}` });
    expect(await team.rest('cleo', 'POST', '/notifications/slack/webhook', { url })).toMatchObject({ status: 200 });
    expect((await team.rest('cleo', 'POST', '/notifications/slack/test')).body).toMatchObject({ delivered: false });
    const clock = { now: () => new Date() };
    expect(await postToWebhook(url, { text: 'x' }, { clock, allowsPrivate: false })).toEqual({
      kind: 'refused',
      reason: 'The webhook was rejected: its host resolves to an address that is not public',
      isWebhookGone: true,
    });
    expect(server.taken).toEqual([]);
  });
});

const files = worldOfFile();

describe('maintenance of notifications', () => {
  it('re-encrypts webhooks after a key rotation', async () => {
    const { deps } = files();
    const [old, young] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const [before, both, only] = [openSecrets([old]), openSecrets([young, old]), openSecrets([young])];
    const team = await aTeamToNotify({ ...deps, secrets: before });
    for (const name of ['ana', 'ben']) await team.join(name, 'admin', { webhook: `https://chat.example/${name}` });
    await team.join('eve', 'member');
    expect(await rotateWebhooks({ db: deps.db, secrets: both })).toBe(2);
    expect(await rotateWebhooks({ db: deps.db, secrets: both })).toBe(0);
    const rows = await deps.db.notificationPreferences.findMany({ where: { webhook: { not: null } } });
    const urls = rows.map((row) => row.webhook && only.decrypt(row.webhook, webhookRowId(row)));
    expect(urls.toSorted()).toEqual(['https://chat.example/ana', 'https://chat.example/ben']);
  });

  it('deletes deliveries after 90 days', async () => {
    const world = await aWorld();
    const { deps } = world;
    const team = await aTeamToNotify(deps);
    const runAt = new Date('2026-11-21T03:57:00.000Z');
    for (const [key, days] of [
      ['new', 89],
      ['old', 91],
    ] as const) {
      await team.notify({ addresses: ['a@example.org'] }, { subjectKey: key });
      const createdAt = new Date(runAt.getTime() - days * 86_400_000);
      await deps.db.delivery.updateMany({ where: { subjectKey: key }, data: { createdAt } });
    }
    await deleteOldDeliveries({ ...deps, log: openLog('silent') }, runAt);
    const left = await deps.db.delivery.findMany();
    expect(left.map(({ subjectKey }) => subjectKey)).toEqual(['new']);
  });

  it('deletes deliveries about a purged account', async () => {
    const team = await aTeam();
    const others = await aTeamToNotify(team.deps);
    await others.notify(
      { addresses: ['a@example.org'], about: { accountIds: [others.accounts.one] } },
      { subjectKey: 'one' },
    );
    await others.notify(
      { addresses: ['a@example.org'], about: { accountIds: [others.accounts.two] } },
      { subjectKey: 'two' },
    );
    const client = await team.deps.pool.connect();
    onTestFinished(() => client.release());
    await client.query('begin');
    await deleteAccountReports(client, orgScope(others.organizationId, null), others.accounts.one);
    await client.query('commit');
    expect((await team.db.delivery.findMany()).map(({ subjectKey }) => subjectKey)).toEqual(['two']);
  });
});
