import { describe, expect, it } from 'vitest';
import { rotateChannels } from '../../../../src/actions/notifications/channels/change.ts';
import { addressRowId, secretRowId } from '../../../../src/actions/notifications/channels/channel.ts';
import { openSecrets } from '../../../../src/kit/secrets/crypto.ts';
import { aTeam, conflict, failure, forbidden, invalid, type Team } from '../../../tenancy/team.ts';
import { aChatServer, answers } from '../chat-server.ts';
import { isSigned } from './signed.ts';

const url = 'https://hooks.slack.com/services/T000/B000/secretsecret';
const ops = { name: 'Ops', kind: 'slack', url };
const unknown = '01900000-0000-7000-8000-000000000000';

async function made(team: Team, body: object): Promise<string> {
  const answer = await team.rest('ben', 'POST', '/channels', body);
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

describe('channels of the organization', () => {
  it('are created, changed and deleted by Admins, and audited, without ever showing the URL', async () => {
    const team = await aTeam();
    const created = await team.rest('ben', 'POST', '/channels', ops);
    const { id } = created.body as { id: string };
    expect(created).toEqual({
      status: 201,
      body: {
        id,
        name: 'Ops',
        kind: 'slack',
        enabled: true,
        anomaly_alerts: false,
        last_delivery: null,
        secret: null,
        created_by: expect.any(String),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    });
    const change = { name: 'Operations', anomaly_alerts: true, url: `${url}2` };
    expect((await team.rest('ana', 'PATCH', `/channels/${id}`, change)).body).toMatchObject({
      name: 'Operations',
      anomaly_alerts: true,
    });
    const listed = await team.rest('dan', 'GET', '/channels');
    expect(listed.body).toMatchObject({ data: [{ id, name: 'Operations' }], pagination: { total: 1 } });
    expect(JSON.stringify([created, listed, await team.recorded()])).not.toContain('secretsecret');
    expect((await team.rest('ben', 'DELETE', `/channels/${id}`)).status).toBe(204);
    expect(await team.rest('ben', 'GET', `/channels/${id}`)).toMatchObject(failure(404, 'NOT_FOUND'));
    const details = { name: 'Operations', kind: 'slack', enabled: true, anomaly_alerts: true };
    expect((await team.recorded()).map((entry) => [entry.action, entry.resourceType, entry.details])).toEqual([
      ['channel_created', 'channel', { ...details, name: 'Ops', anomaly_alerts: false }],
      ['channel_updated', 'channel', { ...details, changed: ['name', 'url', 'anomaly_alerts'] }],
      ['channel_deleted', 'channel', details],
    ]);
  });

  it('can be changed only by Admins with access to all accounts', async () => {
    const team = await aTeam();
    const id = await made(team, ops);
    await team.join('eve', 'admin', [team.accounts.one]);
    for (const [who, words] of [
      ['cleo', 'role member'],
      ['dan', 'role viewer'],
      ['eve', 'access to some only'],
    ] as const) {
      expect(await team.rest(who, 'POST', '/channels', { ...ops, name: 'Mine' })).toMatchObject(forbidden(words));
      expect(await team.rest(who, 'PATCH', `/channels/${id}`, { enabled: false })).toMatchObject(forbidden(words));
      expect(await team.rest(who, 'POST', `/channels/${id}/test`)).toMatchObject(forbidden(words));
      expect(await team.rest(who, 'DELETE', `/channels/${id}`)).toMatchObject(forbidden(words));
    }
    expect((await team.rest('eve', 'GET', '/channels')).body).toMatchObject({ data: [{ id, last_delivery: null }] });
  });

  it('have names that are unique ignoring case', async () => {
    const team = await aTeam();
    await made(team, ops);
    const id = await made(team, { ...ops, name: 'Finance' });
    const taken = conflict(
      /^name "OPS" is the name of another channel; names are case-insensitive; choose another name$/,
    );
    expect(await team.rest('ben', 'POST', '/channels', { ...ops, name: 'OPS' })).toMatchObject(taken);
    expect(await team.rest('ben', 'PATCH', `/channels/${id}`, { name: 'OPS' })).toMatchObject(taken);
    expect((await team.rest('ben', 'PATCH', `/channels/${id}`, { name: 'FINANCE' })).status).toBe(200);
  });

  const refused = [
    [{ kind: 'slack', url }, 'name is required'],
    [{ name: 'Ops', url }, 'kind is required'],
    [{ name: 'Ops', kind: 'slack' }, 'url is required'],
    [{ ...ops, kind: 'irc' }, 'kind must be one of slack, teams, webhook'],
    [{ ...ops, url: 'http://hooks.slack.com/x' }, 'url must be an https URL'],
    [{ ...ops, url: 'https://10.0.0.1/x' }, 'url must name a host'],
    [{ ...ops, url: 'https://chat.example.com:8443/x' }, 'url must use port 443'],
    [{ ...ops, secret: 'whsec_x' }, 'secret'],
  ] as const;

  it.each(refused)('are not created from %j', async (body, words) => {
    const team = await aTeam();
    expect(await team.rest('ben', 'POST', '/channels', body)).toMatchObject(invalid(words));
  });

  it('keep their kind', async () => {
    const team = await aTeam();
    const id = await made(team, ops);
    expect(await team.rest('ben', 'PATCH', `/channels/${id}`, { kind: 'teams' })).toMatchObject(invalid('kind'));
    expect(await team.rest('ben', 'PATCH', `/channels/${id}`, {})).toMatchObject(invalid('nothing to change'));
  });

  it('are at most 50', async () => {
    const team = await aTeam();
    const now = new Date();
    const { id: createdById } = await team.db.user.findFirstOrThrow();
    const own = { organizationId: team.organizationId, createdById, createdAt: now, updatedAt: now };
    const names = Array.from({ length: 50 }, (_, index) => `${index}`);
    const data = names.map((name) => ({ ...own, name, nameKey: name, kind: 'slack' as const, url: Buffer.from('x') }));
    await team.db.channel.createMany({ data });
    expect(await team.rest('ben', 'POST', '/channels', ops)).toMatchObject(invalid('at most 50 channels'));
  });

  it('belong to one organization', async () => {
    const team = await aTeam();
    const id = await made(team, ops);
    const zoe = await team.register('zoe');
    team.tokens['zoe'] = zoe.accessToken;
    expect((await team.rest('zoe', 'GET', '/channels')).body).toMatchObject({ data: [] });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/secret'],
    ] as const)
      expect(await team.rest('zoe', method, `/channels/${id}${path}`)).toMatchObject(failure(404, 'NOT_FOUND'));
    const budget = { name: 'Cloud', amount: 5, channel_ids: [id] };
    expect(await team.rest('zoe', 'POST', '/budgets', budget)).toMatchObject(invalid('is not a channel of'));
  });
});

describe('channels of budgets, alert rules and schedules', () => {
  const rule = { name: 'Peak', metric: 'daily_cost', operator: 'gt', threshold: 5 };
  const schedule = { name: 'Weekly', type: 'inventory', format: 'csv', frequency: 'weekly' };
  const kinds = [
    ['/budgets', { name: 'Cloud', amount: 5 }, 'budget “Cloud”'],
    ['/alert-rules', rule, 'alert rule “Peak”'],
    ['/reports/schedules', schedule, 'report schedule “Weekly”'],
  ] as const;

  it.each(kinds)('are chosen in %s, and cannot be deleted while they are', async (path, body, user) => {
    const team = await aTeam();
    const [one, two] = [await made(team, ops), await made(team, { ...ops, name: 'Finance' })];
    const created = await team.rest('ben', 'POST', path, { ...body, channel_ids: [one, two, one] });
    expect(created).toMatchObject({ status: 201, body: { channel_ids: [one, two] } });
    const at = `${path}/${(created.body as { id: string }).id}`;
    expect((await team.rest('ben', 'PATCH', at, { channel_ids: [one] })).body).toMatchObject({ channel_ids: [one] });
    expect((await team.rest('ben', 'PATCH', at, { enabled: undefined, name: 'New' })).status).toBe(200);
    await team.rest('ben', 'PATCH', at, { name: body.name });
    expect(await team.rest('ben', 'DELETE', `/channels/${one}`)).toMatchObject(
      conflict(`The channel is used by ${user}; remove it there first, or disable the channel`),
    );
    expect((await team.rest('ben', 'DELETE', `/channels/${two}`)).status).toBe(204);
    expect((await team.rest('ben', 'PATCH', at, { channel_ids: null })).body).toMatchObject({ channel_ids: [] });
    expect((await team.rest('ben', 'DELETE', `/channels/${one}`)).status).toBe(204);
  });

  it.each(kinds)('must exist and be at most 10 in %s', async (path, body) => {
    const team = await aTeam();
    const one = await made(team, ops);
    expect(await team.rest('ben', 'POST', path, { ...body, channel_ids: [one, unknown] })).toMatchObject(
      invalid(`^channel_ids\\[1\\] "${unknown}" is not a channel of the organization; use an id from GET /channels$`),
    );
    expect(await team.rest('ben', 'POST', path, { ...body, channel_ids: ['ops'] })).toMatchObject(
      invalid(/^channel_ids\[0\] "ops" is not a channel/),
    );
    const many = Array.from({ length: 11 }, () => one);
    expect(await team.rest('ben', 'POST', path, { ...body, channel_ids: many })).toMatchObject(invalid('at most 10'));
  });

  it('are nested in GraphQL', async () => {
    const team = await aTeam();
    const id = await made(team, ops);
    await team.rest('ben', 'POST', '/budgets', { name: 'Cloud', amount: 5, channel_ids: [id] });
    const query = '{ budgets { data { channelIds channels { name kind lastDelivery { status } } } } }';
    expect((await team.gql('cleo', query)).body).toMatchObject({
      data: {
        budgets: { data: [{ channelIds: [id], channels: [{ name: 'Ops', kind: 'SLACK', lastDelivery: null }] }] },
      },
    });
  });
});

describe('a test message', () => {
  it('is posted in the form of the kind, signed for a webhook, and its result is shown', async () => {
    const team = await aTeam({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
    const server = await aChatServer(null, null, null, answers(410), answers(500));
    const at = (kind: string) => ({ name: kind, kind, url: `${server.url}/${kind}` });
    for (const kind of ['slack', 'teams']) {
      const id = await made(team, at(kind));
      expect(await team.rest('ben', 'POST', `/channels/${id}/test`)).toEqual({
        status: 200,
        body: { delivered: true, reason: null },
      });
    }
    const created = await team.rest('ben', 'POST', '/channels', at('webhook'));
    const { id, secret } = created.body as { id: string; secret: string };
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await team.rest('ben', 'GET', `/channels/${id}`)).body).toMatchObject({ secret: null });
    await team.rest('ben', 'POST', `/channels/${id}/test`);
    const [slack, teams, webhook] = server.taken;
    expect(slack?.body.text).toContain('Costkeep can post to this channel');
    expect(teams?.body).toMatchObject({ type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] });
    expect(webhook?.body).toMatchObject({
      id: webhook?.headers['webhook-id'],
      type: 'test',
      organization_id: team.organizationId,
      data: { severity: 'good', title: 'Costkeep can post to this channel', link: { label: 'Open Costkeep' } },
    });
    expect(await isSigned(secret, webhook?.headers ?? {}, webhook?.raw ?? '')).toBe(true);
    expect((await team.rest('ben', 'GET', `/channels/${id}`)).body).toMatchObject({
      last_delivery: { status: 'sent', at: expect.any(String), error: null },
    });
    for (const reason of ['The receiver returned 410', 'The receiver returned 500']) {
      expect((await team.rest('ben', 'POST', `/channels/${id}/test`)).body).toEqual({ delivered: false, reason });
      expect((await team.rest('ben', 'GET', `/channels/${id}`)).body).toMatchObject({
        last_delivery: { status: 'failed', error: reason },
      });
    }
    await team.rest('ben', 'PATCH', `/channels/${id}`, { url: server.url });
    expect((await team.rest('ben', 'GET', `/channels/${id}`)).body).toMatchObject({ last_delivery: null });
  });
});

describe('a signing secret', () => {
  it('is replaced on request, and the previous one no longer signs', async () => {
    const team = await aTeam({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
    const server = await aChatServer();
    const created = await team.rest('ben', 'POST', '/channels', { name: 'Hook', kind: 'webhook', url: server.url });
    const { id, secret: old } = created.body as { id: string; secret: string };
    const renewed = await team.rest('ben', 'POST', `/channels/${id}/secret`);
    const { secret } = renewed.body as { secret: string };
    await team.rest('ben', 'POST', `/channels/${id}/test`);
    const [{ headers, raw } = { headers: {}, raw: '' }] = server.taken;
    expect([await isSigned(secret, headers, raw), await isSigned(old, headers, raw)]).toEqual([true, false]);
    expect((await team.recorded()).at(-1)).toMatchObject({
      action: 'channel_updated',
      details: { changed: ['secret'] },
    });
    const chat = await made(team, { ...ops, url: server.url });
    expect(await team.rest('ben', 'POST', `/channels/${chat}/secret`)).toMatchObject(conflict('kind webhook'));
  });

  it('is re-encrypted with the URL after a key rotation', async () => {
    const [old, young] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const team = await aTeam({ ENCRYPTION_KEY: old.toString('base64') });
    const [hook, chat] = [await made(team, { ...ops, name: 'Hook', kind: 'webhook' }), await made(team, ops)];
    const both = { db: team.db, secrets: openSecrets([young, old]) };
    expect(await rotateChannels(both)).toBe(2);
    expect(await rotateChannels(both)).toBe(0);
    const only = openSecrets([young]);
    const rows = await team.db.channel.findMany({ orderBy: { name: 'asc' } });
    expect(rows.map((row) => [row.id, only.decrypt(row.url, addressRowId(row.id))])).toEqual([
      [hook, url],
      [chat, url],
    ]);
    expect(rows.map((row) => row.secret && only.decrypt(row.secret, secretRowId(row.id)))).toEqual([
      expect.stringMatching(/^whsec_/),
      null,
    ]);
  });
});
