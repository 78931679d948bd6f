import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { backoffMs, deliver } from '../../../src/actions/notifications/deliver.ts';
import { defineTask } from '../../../src/jobs/task.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { openLog } from '../../../src/kit/log.ts';
import { openMailer } from '../../../src/kit/mail/mailer.ts';
import { tasks } from '../../../src/tasks.ts';
import { anSmtpServer } from '../../support/smtp.ts';
import { aWorld } from '../../support/world.ts';
import { aChatServer, answers, breaks, hangs } from './chat-server.ts';
import { aMailProxy } from './mail-proxy.ts';
import { aTeamToNotify } from './world.ts';

const start = new Date('2026-11-21T10:00:00.000Z');

/** A world with a manual clock, in which due deliveries are attempted one after another. */
async function aSlowWorld() {
  let now = start;
  const lines: string[] = [];
  const log = openLog(
    'info',
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  const world = await aWorld({ config: { allowPrivateWebhooks: true }, clock: { now: () => now }, log });
  const { deps } = world;
  const team = await aTeamToNotify(deps);
  const deliveries = () => deps.db.delivery.findMany({ orderBy: { id: 'asc' } });
  /** Advances the clock, then makes the attempts that are due. */
  const pass = async (ms = 0) => {
    now = new Date(now.getTime() + ms);
    for (const { id, organizationId } of await deliveries())
      await deliver(deps, { organizationId, deliveryId: id, runAt: now });
    return deliveries();
  };
  return { ...world, deps, team, pass, lines };
}

describe('delivery of a chat message', () => {
  it('is retried with growing backoff after failures, and succeeds once', async () => {
    const server = await aChatServer(answers(500, 'Oops!'), breaks, answers(503));
    const { team, pass, lines } = await aSlowWorld();
    const ana = await team.join('ana', 'super_admin', { webhook: `${server.url}/secret` });
    await team.notify({ slackOf: ana });
    expect(await pass()).toMatchObject([
      { status: 'pending', attempts: 1, lastError: 'The chat server returned 500', sentAt: null },
    ]);
    expect(await pass(9_999)).toMatchObject([{ attempts: 1 }]);
    expect(await pass(1)).toMatchObject([{ attempts: 2, lastError: 'The chat server closed the connection' }]);
    expect(await pass(29_999)).toMatchObject([{ attempts: 2 }]);
    expect(await pass(1)).toMatchObject([{ attempts: 3, lastError: 'The chat server returned 503' }]);
    expect(await pass(120_000)).toMatchObject([
      { status: 'sent', attempts: 4, sentAt: new Date('2026-11-21T10:02:40.000Z') },
    ]);
    await pass(86_400_000);
    expect(server.taken).toHaveLength(1);
    expect(server.asked).toHaveLength(4);
    const logged = lines.filter((line) => line.includes('"delivery"')).map((line) => JSON.parse(line));
    expect(logged.map(({ attempt, reason }) => [attempt, reason])).toEqual([
      [1, 'The chat server returned 500'],
      [2, 'The chat server closed the connection'],
      [3, 'The chat server returned 503'],
      [4, undefined],
    ]);
    expect(lines.join('')).not.toMatch(/secret|127\.0\.0\.1/);
  });

  it('fails after two days of retries', async () => {
    const { team, pass, deps } = await aSlowWorld();
    const server = await aChatServer(...Array.from({ length: 40 }, () => answers(500)));
    const ana = await team.join('ana', 'super_admin', { webhook: server.url });
    await team.notify({ slackOf: ana });
    for (const wait of [0, ...backoffMs]) await pass(wait);
    expect(await pass(86_400_000)).toMatchObject([
      { status: 'failed', attempts: 12, lastError: 'The chat server returned 500' },
    ]);
    expect(server.asked).toHaveLength(12);
    expect(backoffMs.reduce((sum, wait) => sum + wait, 0) / 3_600_000).toBeCloseTo(47.7, 1);
    expect(await deps.db.notificationPreferences.findFirst()).toMatchObject({ webhookProblem: null });
  });

  it('waits as long as the server requests, for all messages to the same webhook', async () => {
    const server = await aChatServer(answers(429, 'rate_limited', { 'retry-after': '600' }));
    const { team, pass } = await aSlowWorld();
    const ana = await team.join('ana', 'super_admin', { webhook: server.url });
    await team.notify({ slackOf: ana }, { subjectKey: 'a' });
    await team.notify({ slackOf: ana }, { subjectKey: 'b' });
    expect(await pass()).toMatchObject([
      { status: 'pending', attempts: 1, nextAttemptAt: new Date('2026-11-21T10:10:00.000Z') },
      { status: 'pending', attempts: 0, nextAttemptAt: new Date('2026-11-21T10:10:00.000Z'), lastError: null },
    ]);
    await pass(599_999);
    expect(server.asked).toHaveLength(1);
    expect(await pass(1)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
    expect(server.taken).toHaveLength(2);
  });

  it('retries after a redirect, and shows the problem in the preferences meanwhile', async () => {
    const server = await aChatServer(answers(302, '', { location: 'http://127.0.0.1:1/secret' }));
    const { team, pass, deps } = await aSlowWorld();
    const ana = await team.join('ana', 'super_admin', { webhook: server.url });
    await team.notify({ slackOf: ana });
    const problem = 'The chat server returned 302: redirects are not followed';
    expect(await pass()).toMatchObject([{ status: 'pending', attempts: 1, lastError: problem }]);
    expect(await deps.db.notificationPreferences.findFirst()).toMatchObject({ webhookProblem: problem });
    expect(await pass(10_000)).toMatchObject([{ status: 'sent', attempts: 2 }]);
    expect(await deps.db.notificationPreferences.findFirst()).toMatchObject({ webhookProblem: null });
    expect(server.taken).toHaveLength(1);
  });

  it('fails at once when the webhook is gone, and shows that in the preferences', async () => {
    const server = await aChatServer(answers(404, 'no_service'));
    const { team, pass, deps } = await aSlowWorld();
    const ana = await team.join('ana', 'super_admin', { webhook: server.url });
    await team.notify({ slackOf: ana }, { subjectKey: 'a' });
    const lastError = 'The chat server returned 404 (no_service)';
    expect(await pass()).toMatchObject([{ status: 'failed', attempts: 1, lastError }]);
    expect(await deps.db.notificationPreferences.findFirst()).toMatchObject({ webhookProblem: lastError });
    await team.notify({ slackOf: ana }, { subjectKey: 'b' });
    await pass(1_000);
    expect(await deps.db.notificationPreferences.findFirst()).toMatchObject({ webhookProblem: null });
  });

  it('uses the webhook that is set at the time of sending', async () => {
    const { team, pass, deps } = await aSlowWorld();
    const ana = await team.join('ana', 'super_admin', { webhook: 'http://127.0.0.1:9/' });
    await team.notify({ slackOf: ana });
    await deps.db.notificationPreferences.updateMany({ data: { webhook: null } });
    expect(await pass()).toMatchObject([{ status: 'failed', attempts: 0, lastError: 'The webhook was removed' }]);
  });
});

describe('a pending delivery', () => {
  it('is recorded as not sent while emails are only saved', async () => {
    const { deps, team } = await aSlowWorld();
    const ana = await team.join('ana', 'super_admin');
    await team.notify({ owner: ana });
    const saving = { ...deps, mailer: { ...deps.mailer, onlySaves: true } };
    for (const { id, organizationId } of await deps.db.delivery.findMany())
      await deliver(saving, { organizationId, deliveryId: id, runAt: start });
    expect(await deps.db.delivery.findMany()).toMatchObject([
      { status: 'failed', lastError: 'Not sent: email is not configured. The server saved it in its data folder' },
    ]);
  });

  it('fails when its recipient is no longer a member', async () => {
    const { team, pass, deps, mails } = await aSlowWorld();
    const ana = await team.join('ana', 'super_admin', { additionalEmails: ['ops@example.org'] });
    await team.notify({ owner: ana, addresses: ['boss@example.org'] });
    await deps.db.membership.deleteMany({ where: { userId: ana } });
    const found = await pass();
    expect(found.map(({ recipient, status, lastError }) => [recipient, status, lastError]).toSorted()).toEqual([
      ['ana@example.com', 'failed', 'The recipient is no longer a member'],
      ['boss@example.org', 'sent', null],
      ['ops@example.org', 'failed', 'The recipient is no longer a member'],
    ]);
    expect(mails.map(({ to }) => to)).toEqual(['boss@example.org']);
  });

  it('fails when its recipient no longer has access to the account', async () => {
    const { team, pass, deps, mails } = await aSlowWorld();
    const cleo = await team.join('cleo', 'member');
    await team.notify({ owner: cleo, about: { accountIds: [team.accounts.one] } });
    await deps.db.membership.updateMany({ data: { restricted: true, accountAccess: [team.accounts.two] } });
    expect(await pass()).toMatchObject([
      { status: 'failed', lastError: expect.stringContaining('no longer has access') },
    ]);
    expect(mails).toEqual([]);
  });
});

describe('a crash between sending and recording', () => {
  it('resends the email with the same message id', async () => {
    const { team, deps } = await aSlowWorld();
    await team.notify({ addresses: ['boss@example.org'] });
    const { id: deliveryId, organizationId } = await deps.db.delivery.findFirstOrThrow();
    const keys: string[] = [];
    const dying = Promise.withResolvers<void>();
    const sends = (after: Promise<void>) => ({
      ...deps,
      mailer: {
        send: (_mail: unknown, key: string) => {
          keys.push(key);
          return after;
        },
      },
    });
    const input = { organizationId, deliveryId, runAt: start };
    void deliver(sends(dying.promise), input);
    await vi.waitFor(() => expect(keys).toHaveLength(1));
    await deliver(sends(Promise.resolve()), input);
    expect(keys).toEqual([`delivery ${deliveryId}`, `delivery ${deliveryId}`]);
    expect(await deps.db.delivery.findFirst()).toMatchObject({ status: 'sent', attempts: 2 });
  });

  it('records the delivery without resending when the database was unavailable for a moment', async () => {
    const { team, deps, mails } = await aSlowWorld();
    await team.notify({ addresses: ['boss@example.org'] });
    const { id: deliveryId, organizationId } = await deps.db.delivery.findFirstOrThrow();
    let away = 2;
    const db = new Proxy(deps.db, {
      get(target, name) {
        if (name !== '$transaction' || away === 0) return Reflect.get(target, name) as unknown;
        away -= 1;
        return () => Promise.reject(new Error('The database is away'));
      },
    });
    await deliver({ ...deps, db }, { organizationId, deliveryId, runAt: start });
    expect(mails).toHaveLength(1);
    expect(await deps.db.delivery.findFirst()).toMatchObject({ status: 'sent', attempts: 1 });
  });
});

/** Runs jobs in a worker of its own, as in production, with the system clock. */
async function aWorkingWorld(smtpPort: number) {
  const world = await aWorld({ config: { allowPrivateWebhooks: true, workerConcurrency: 1 }, hasQueue: true });
  const log = openLog('silent');
  const smtpUrl = `smtp://127.0.0.1:${smtpPort}`;
  const mailer = openMailer({ ...world.deps.config, smtpUrl }, { clock: world.deps.clock, log });
  const deps: Deps = { ...world.deps, config: { ...world.deps.config, syncCron: null }, mailer };
  const team = await aTeamToNotify(deps);
  const act = vi.fn<() => void>();
  const delivering = tasks.filter(({ name }) => ['deliver_email', 'deliver_slack'].includes(name));
  const work = async () => {
    const worker = await startWorker(deps, [...delivering, defineTask('evaluate_all', async () => act())]);
    worker.done.catch(() => {});
    onTestFinished(() => worker.stop());
  };
  /** Makes every next attempt due now. */
  const hurry = async () => {
    await deps.pool.query(`update deliveries set next_attempt_at = now() - interval '1 day'`);
    await deps.pool.query(`update graphile_worker._private_jobs set run_at = now() where locked_at is null`);
    await deps.pool.query(`select pg_notify('jobs:insert', '{"count":10}')`);
  };
  const statuses = async () => {
    const rows = await deps.db.delivery.findMany({ orderBy: { id: 'asc' } });
    // An attempt is counted when it starts, and has an error when it has failed.
    return rows.map(({ status, attempts, lastError }) =>
      status === 'pending' && lastError ? `failed ${attempts}` : `${status} ${attempts}`,
    );
  };
  return { deps, team, act, work, hurry, statuses };
}

describe('delivery workers', () => {
  it('are not blocked by a chat server that hangs', { timeout: 60_000 }, async () => {
    const smtp = await anSmtpServer();
    const [bad, good] = [await aChatServer(hangs), await aChatServer()];
    const { deps, team, act, work, hurry, statuses } = await aWorkingWorld(smtp.port);
    const ana = await team.join('ana', 'super_admin', { webhook: bad.url });
    const ben = await team.join('ben', 'admin', { webhook: good.url });
    await work();
    for (const subjectKey of ['a', 'b', 'c']) await team.notify({ slackOf: ana }, { subjectKey });
    await vi.waitFor(() => expect(bad.asked).toHaveLength(1), { timeout: 5_000 });
    await team.notify({ slackOf: ben, owner: ana }, { subjectKey: 'd' });
    await deps.queue.add('evaluate_all', {});
    const since = Date.now();
    await vi.waitFor(
      () => {
        expect(good.taken).toHaveLength(1);
        expect(smtp.taken).toHaveLength(1);
        expect(act).toHaveBeenCalledTimes(1);
      },
      { timeout: 5_000 },
    );
    expect(Date.now() - since).toBeLessThan(4_000);
    // One at a time: other messages to the same webhook wait for the timeout of the first one; all others do not.
    expect(bad.asked).toHaveLength(1);
    await vi.waitFor(() => expect(bad.taken).toHaveLength(2), { timeout: 15_000 });
    await vi.waitFor(async () => expect(await statuses()).toContain('failed 1'));
    await hurry();
    await vi.waitFor(() => expect(bad.taken).toHaveLength(3), { timeout: 10_000 });
    await vi.waitFor(async () => expect((await statuses()).every((one) => one.startsWith('sent'))).toBe(true));
    expect(good.taken).toHaveLength(1);
    expect(smtp.taken).toHaveLength(1);
  });

  it('deliver every email once when the mail server breaks connections', { timeout: 60_000 }, async () => {
    const smtp = await anSmtpServer();
    const proxy = await aMailProxy(smtp.port, 'mid-message', 'before-reply', 'mid-message');
    const { team, work, hurry, statuses } = await aWorkingWorld(proxy);
    const ana = await team.join('ana', 'super_admin', { additionalEmails: ['ops@example.org', 'cfo@example.org'] });
    await team.notify({ owner: ana });
    await work();
    await vi.waitFor(async () => expect((await statuses()).every((one) => one === 'failed 1')).toBe(true), {
      timeout: 10_000,
    });
    await hurry();
    await vi.waitFor(async () => expect(await statuses()).toEqual(['sent 2', 'sent 2', 'sent 2']), { timeout: 10_000 });
    // The server accepted one of them twice; the receiver shows it once because of the same Message-ID.
    const shown = new Set(smtp.taken.map(({ to, raw }) => `${to.join()} ${/^Message-ID: (.*)$/im.exec(raw)?.[1]}`));
    expect(smtp.taken).toHaveLength(4);
    expect([...shown].map((one) => one.split(' ')[0]).toSorted()).toEqual([
      'ana@example.com',
      'cfo@example.org',
      'ops@example.org',
    ]);
  });

  it('send chat messages while the mail server hangs', { timeout: 30_000 }, async () => {
    const smtp = await anSmtpServer();
    const proxy = await aMailProxy(smtp.port, 'hang', 'hang', 'hang');
    const chat = await aChatServer();
    const { deps, team, act, work } = await aWorkingWorld(proxy);
    const ana = await team.join('ana', 'super_admin', { webhook: chat.url, additionalEmails: ['ops@example.org'] });
    await work();
    await team.notify({ owner: ana, slackOf: ana });
    await deps.queue.add('evaluate_all', {});
    await vi.waitFor(
      () => {
        expect(chat.taken).toHaveLength(1);
        expect(act).toHaveBeenCalledTimes(1);
      },
      { timeout: 5_000 },
    );
  });

  it('do not retry an email that the server rejects permanently', { timeout: 30_000 }, async () => {
    const smtp = await anSmtpServer({
      onRcptTo({ address }, _session, done) {
        const isKnown = address !== 'gone@example.org';
        done(isKnown ? null : Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
      },
    });
    const { deps, team, work } = await aWorkingWorld(smtp.port);
    await team.notify({ addresses: ['gone@example.org', 'here@example.org'] });
    await work();
    await vi.waitFor(
      async () => {
        const rows = await deps.db.delivery.findMany({ orderBy: { recipient: 'asc' } });
        expect(rows).toMatchObject([
          { recipient: 'gone@example.org', status: 'failed', lastError: expect.stringContaining('No such mailbox') },
          { recipient: 'here@example.org', status: 'sent' },
        ]);
      },
      { timeout: 10_000 },
    );
  });
});
