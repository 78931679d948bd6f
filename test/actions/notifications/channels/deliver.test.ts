import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addressRowId, secretRowId } from '../../../../src/actions/notifications/channels/channel.ts';
import { deliver } from '../../../../src/actions/notifications/deliver.ts';
import type { ChannelKind } from '../../../../prisma/generated/client/enums.ts';
import { startWorker } from '../../../../src/jobs/worker.ts';
import { newId } from '../../../../src/kit/ids.ts';
import { openLog } from '../../../../src/kit/log.ts';
import { tasks } from '../../../../src/tasks.ts';
import { aWorld } from '../../../support/world.ts';
import { aChatServer, answers, hangs } from '../chat-server.ts';
import { anomalyAlert } from '../samples.ts';
import { aTeamToNotify } from '../world.ts';
import { isSigned } from './signed.ts';

const start = new Date('2026-11-21T10:00:00.000Z');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A team with channels, and a manual clock unless a worker runs. */
async function aTeamWithChannels(options: { hasQueue?: true } = {}) {
  let now = start;
  const clock = options.hasQueue ? {} : { clock: { now: () => now }, log: openLog('silent') };
  const world = await aWorld({ config: { allowPrivateWebhooks: true, workerConcurrency: 1 }, ...clock, ...options });
  const { deps } = world;
  const team = await aTeamToNotify(deps);
  const createdById = await team.join('ana', 'super_admin');
  const channel = async (name: string, kind: ChannelKind, url: string, more: object = {}) => {
    const id = newId(new Date());
    const sealed = {
      url: deps.secrets.encrypt(url, addressRowId(id)),
      secret: deps.secrets.encrypt(secret, secretRowId(id)),
    };
    const own = { id, organizationId: team.organizationId, createdById, createdAt: start, updatedAt: start };
    await deps.db.channel.create({ data: { ...own, ...sealed, kind, name, nameKey: name, ...more } });
    return id;
  };
  const deliveries = () => deps.db.delivery.findMany({ orderBy: { id: 'asc' } });
  const pass = async (ms = 0) => {
    now = new Date(now.getTime() + ms);
    for (const { id, organizationId } of await deliveries())
      await deliver(deps, { organizationId, deliveryId: id, runAt: now });
    return deliveries();
  };
  return { ...world, team, channel, pass, ana: createdById };
}

describe('an announcement to channels', () => {
  it('is posted in the form that each kind expects', async () => {
    const server = await aChatServer();
    const { team, channel, pass } = await aTeamWithChannels();
    const kinds = ['slack', 'teams', 'webhook'] as const;
    const channelIds: string[] = [];
    for (const kind of kinds) channelIds.push(await channel(kind, kind, `${server.url}/${kind}`));
    await team.notify({ channelIds });
    expect((await pass()).map(({ channel: of, status, channelId }) => [of, status, channelId])).toEqual(
      expect.arrayContaining(kinds.map((kind, index) => [kind, 'sent', channelIds[index]])),
    );
    const of = (kind: string) => server.taken.find(({ path }) => path === `/hooks/${kind}`);
    expect(of('slack')?.body.text).toContain('Budget “Production” has reached 100 %');
    expect(of('teams')?.body).toMatchObject({ type: 'message' });
    const hook = of('webhook');
    const delivery = (await pass()).find(({ channel: kind }) => kind === 'webhook');
    expect(hook?.body).toMatchObject({
      id: delivery?.id,
      type: 'budget_alert',
      created_at: start.toISOString(),
      organization_id: team.organizationId,
      data: {
        severity: 'critical',
        label: 'Budget alert · Plum',
        percent_used: 104,
        link: { label: 'Open the budget', url: expect.stringMatching(/\/budgets\/b1$/) },
        file: null,
      },
    });
    expect(await isSigned(secret, hook?.headers ?? {}, hook?.raw ?? '')).toBe(true);
  });

  it('keeps the id of a webhook message across retries, and signs each attempt again', async () => {
    const seen: unknown[] = [];
    const server = await aChatServer((request, response) => {
      seen.push(request.headers['webhook-id'], request.headers['webhook-timestamp']);
      response.writeHead(503).end();
    });
    const { team, channel, pass, deps } = await aTeamWithChannels();
    const id = await channel('hook', 'webhook', server.url);
    await team.notify({ channelIds: [id] });
    const lastError = 'The receiver returned 503';
    expect(await pass()).toMatchObject([{ status: 'pending', attempts: 1, lastError }]);
    expect(await deps.db.channel.findFirst()).toMatchObject({ lastStatus: 'pending', lastError, lastAttemptAt: start });
    expect(await pass(10_000)).toMatchObject([{ status: 'sent', attempts: 2 }]);
    expect(await deps.db.channel.findFirst()).toMatchObject({ lastStatus: 'sent', lastError: null });
    const { headers = {}, raw = '' } = { ...server.taken[0] };
    const seconds = start.getTime() / 1000;
    expect([...seen, headers['webhook-id'], headers['webhook-timestamp']]).toEqual([
      headers['webhook-id'],
      `${seconds}`,
      (await pass())[0]?.id,
      `${seconds + 10}`,
    ]);
    expect(await isSigned(secret, headers, raw)).toBe(true);
  });

  it('waits as long as the server requests, for all messages to the same channel', async () => {
    const server = await aChatServer(answers(429, '', { 'retry-after': '600' }));
    const { team, channel, pass } = await aTeamWithChannels();
    const id = await channel('ops', 'slack', server.url);
    await team.notify({ channelIds: [id] }, { subjectKey: 'a' });
    await team.notify({ channelIds: [id] }, { subjectKey: 'b' });
    const nextAttemptAt = new Date('2026-11-21T10:10:00.000Z');
    expect(await pass()).toMatchObject([
      { status: 'pending', attempts: 1, nextAttemptAt },
      { status: 'pending', attempts: 0, nextAttemptAt, lastError: null },
    ]);
    await pass(599_999);
    expect(server.asked).toHaveLength(1);
    expect(await pass(1)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
  });

  it.each([404, 410])('fails at once when the webhook is gone with %i', async (status) => {
    const server = await aChatServer(answers(status));
    const { team, channel, pass, deps } = await aTeamWithChannels();
    await team.notify({ channelIds: [await channel('ops', 'teams', server.url)] });
    const lastError = `The chat server returned ${status}`;
    expect(await pass()).toMatchObject([{ status: 'failed', attempts: 1, lastError }]);
    expect(await deps.db.channel.findFirst()).toMatchObject({ lastStatus: 'failed', lastError });
  });

  it('is not queued for disabled channels, and fails for those that were disabled or deleted since', async () => {
    const server = await aChatServer();
    const { team, channel, pass, deps } = await aTeamWithChannels();
    const [off, later, gone] = [
      await channel('off', 'slack', server.url, { enabled: false }),
      await channel('later', 'slack', server.url),
      await channel('gone', 'slack', server.url),
    ];
    await team.notify({ channelIds: [off, later, gone] });
    await deps.db.channel.updateMany({ where: { id: later }, data: { enabled: false } });
    await deps.db.channel.deleteMany({ where: { id: gone } });
    const found = await pass();
    expect(found.map(({ channelId, status, lastError }) => [channelId, status, lastError]).toSorted()).toEqual(
      [
        [later, 'failed', 'The channel is disabled'],
        [gone, 'failed', 'The channel was deleted'],
      ].toSorted(),
    );
    expect(server.asked).toEqual([]);
  });

  it('reaches the channels that receive anomalies, of this organization only, once', async () => {
    const { team, channel, deps } = await aTeamWithChannels();
    const takes = await channel('takes', 'teams', 'http://127.0.0.1:9/', { anomalyAlerts: true });
    await channel('other', 'slack', 'http://127.0.0.1:9/');
    await channel('off', 'slack', 'http://127.0.0.1:9/', { anomalyAlerts: true, enabled: false });
    const about = { accountIds: [team.accounts.one] };
    const everyone = { everyone: { accountId: team.accounts.one }, about };
    const expected = ['email ana@example.com', `teams ${takes}`];
    expect(await team.notify(everyone, anomalyAlert)).toEqual(expected);
    expect(await team.notify(everyone, anomalyAlert)).toEqual(expected);
    await deps.db.channel.updateMany({ where: { id: takes }, data: { anomalyAlerts: false } });
    expect(await team.notify(everyone, { ...anomalyAlert, subjectKey: 'b' })).toEqual(['email ana@example.com']);
  });
});

describe('workers', () => {
  it('deliver to one channel while another hangs', { timeout: 30_000 }, async () => {
    const [bad, good] = [await aChatServer(hangs), await aChatServer()];
    const { team, channel, deps } = await aTeamWithChannels({ hasQueue: true });
    const [slow, fast] = [await channel('slow', 'webhook', bad.url), await channel('fast', 'webhook', good.url)];
    const delivering = tasks.filter(({ name }) => name === 'deliver_channel');
    const worker = await startWorker({ ...deps, config: { ...deps.config, syncCron: null } }, delivering);
    worker.done.catch(() => {});
    onTestFinished(() => worker.stop());
    await team.notify({ channelIds: [slow] }, { subjectKey: 'a' });
    await team.notify({ channelIds: [slow] }, { subjectKey: 'b' });
    await vi.waitFor(() => expect(bad.asked).toHaveLength(1), { timeout: 5_000 });
    await team.notify({ channelIds: [fast] }, { subjectKey: 'c' });
    await vi.waitFor(() => expect(good.taken).toHaveLength(1), { timeout: 5_000 });
    expect(bad.asked).toHaveLength(1);
  });
});
