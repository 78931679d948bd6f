import { describe, expect, it, onTestFinished } from 'vitest';
import { jobKinds } from '../../../src/jobs/kinds.ts';
import { openQueue } from '../../../src/jobs/queue.ts';
import { MailRefusedError } from '../../../src/kit/mail/mail.ts';
import { queueMail, sendQueuedMail } from '../../../src/tenancy/mail/queue-mail.ts';
import { start, tenancyWorld } from '../support.ts';

const letter = { to: 'ana@example.com', subject: 'Hello', text: 'token=secret', html: '<p>token=secret</p>' };

/** A world with a real job queue in its database. */
async function queueWorld() {
  const world = await tenancyWorld();
  const queue = await openQueue(world.deps.pool, world.deps.log);
  onTestFinished(() => queue.release());
  const waiting = async () => {
    const { rows } = await world.deps.pool.query<{ payload: Record<string, string> }>(
      'select payload from graphile_worker._private_jobs order by id',
    );
    return rows.map((row) => row.payload);
  };
  return { ...world, deps: { ...world.deps, queue }, waiting };
}

describe('a queued mail', () => {
  it('is queued if and only if its transaction commits', async () => {
    const { deps, waiting } = await queueWorld();
    const act = deps.db.$transaction(async (db) => {
      await queueMail(db, deps, letter, 'reset 1');
      throw new Error('the act failed');
    });
    await expect(act).rejects.toThrow('the act failed');
    expect(await waiting()).toEqual([]);
    await deps.db.$transaction(async (db) => {
      await queueMail(db, deps, letter, 'reset 2');
      expect(await waiting()).toEqual([]);
    });
    expect(await waiting()).toMatchObject([{ key: 'reset 2' }]);
  });

  it('is queued once per key', async () => {
    const { deps, waiting } = await queueWorld();
    await queueMail(deps.db, deps, letter, 'reset 1');
    await queueMail(deps.db, deps, { ...letter, subject: 'Later' }, 'reset 1');
    await queueMail(deps.db, deps, letter, 'reset 2');
    expect(await waiting()).toMatchObject([{ key: 'reset 1' }, { key: 'reset 2' }]);
  });

  it('is encrypted in the queue', async () => {
    const { deps, waiting } = await queueWorld();
    await queueMail(deps.db, deps, letter, 'reset 1');
    const [payload] = await waiting();
    const bytes = Buffer.from(payload?.['sealed'] ?? '', 'base64').toString('latin1');
    expect(JSON.stringify(payload) + bytes).not.toMatch(/secret|ana@/);
  });

  it('is sent unchanged', async () => {
    const { deps, mails } = await tenancyWorld();
    await queueMail(deps.db, deps, letter, 'reset 1');
    expect(await mails()).toEqual([letter]);
  });

  it('is sent only before its link expires', async () => {
    const { deps, mails, passMs } = await tenancyWorld();
    const goodUntil = new Date(start.getTime() + 1000);
    passMs(999);
    await queueMail(deps.db, deps, { ...letter, goodUntil }, 'reset 1');
    expect(await mails()).toHaveLength(1);
    passMs(1);
    await queueMail(deps.db, deps, { ...letter, goodUntil }, 'reset 2');
    expect(await mails()).toHaveLength(1);
  });
});

describe('a mail whose sending fails', () => {
  async function send(failure: Error): Promise<void> {
    const { deps, jobs } = await tenancyWorld();
    await queueMail(deps.db, deps, letter, 'reset 1');
    const mailer = { send: () => Promise.reject(failure) };
    await sendQueuedMail({ ...deps, mailer }, jobKinds.send_mail.payload.parse(jobs[0]?.payload));
  }

  it('fails its job, which is retried', async () => {
    await expect(send(new Error('connect ECONNREFUSED'))).rejects.toThrow('ECONNREFUSED');
  });

  it('completes its job when it was rejected permanently', async () => {
    await expect(send(new MailRefusedError('550 No such user', null))).resolves.toBeUndefined();
  });
});
