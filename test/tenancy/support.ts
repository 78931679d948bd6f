import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig, type Environment } from '../../src/kit/config/config.ts';
import { openSecrets } from '../../src/kit/secrets/crypto.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { openLog } from '../../src/kit/log.ts';
import type { Mail } from '../../src/kit/mail/mail.ts';
import { login } from '../../src/tenancy/login/login.ts';
import { register } from '../../src/tenancy/login/register.ts';
import { isLogin, type Login, type LoginAnswer } from '../../src/tenancy/sessions/open.ts';
import { freshDatabase } from '../support/database.ts';
import { factWorld } from '../support/facts.ts';
import { recordingQueue, runJobs, type QueuedJob } from '../support/jobs.ts';
import { cheapHashes } from '../support/world.ts';

/** The clock's initial time; expectations depend on it. */
export const start = new Date('2026-11-21T10:00:00.000Z');
export const origin = { ipAddress: '203.0.113.7', userAgent: 'vitest' };
export const password = 'plum kite orbit';

const key = Buffer.alloc(32, 1).toString('base64');

/** Users and organizations in a database of their own, with a manual clock. */
export async function tenancyWorld(environment: Environment = {}) {
  const { prisma, pool, connection, stop } = await freshDatabase();
  // Each test closes its own connections, which would otherwise add up.
  onTestFinished(stop);
  let now = start;
  const config = { ...readConfig({ JWT_KEY: key, ENCRYPTION_KEY: key, ...environment }), passwordCost: cheapHashes };
  const jobs: QueuedJob[] = [];
  const mails: Mail[] = [];
  const deps: Deps = {
    db: prisma,
    pool,
    connection,
    clock: { now: () => now },
    log: openLog('silent'),
    config,
    queue: recordingQueue(jobs),
    mailer: { send: async (mail) => void mails.push(mail) },
    secrets: openSecrets(config.encryptionKeys),
    ...factWorld(),
  };
  return {
    deps,
    jobs,
    /** Runs the queued jobs, and returns all mails sent so far. */
    async mails() {
      await runJobs(deps, jobs);
      return mails;
    },
    passMs(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    /** Registers a user without a second factor. */
    register: async (name: string) =>
      whole(
        await register(deps, origin, { email: `${name}@example.com`, password, name, organizationName: `${name} Inc` }),
      ),
    /** Logs in a user without a second factor. */
    login: async (name: string) => whole(await login(deps, origin, { email: `${name}@example.com`, password })),
    /** The audit log, oldest first. */
    async audit(organizationId?: string) {
      const entries = await deps.db.auditEntry.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
      return entries.map(({ action, actorEmail, resourceType, details }) => ({
        action,
        actorEmail,
        resourceType,
        details,
      }));
    },
  };
}

function whole(answer: LoginAnswer): Login {
  if (!isLogin(answer)) throw new Error('A second factor was asked for');
  return answer;
}

/** Serves the world over HTTP, and returns a client. */
export async function serve(deps: Deps) {
  const server = createApp(deps).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      cookie: response.headers.get('set-cookie')?.split(';')[0],
      text,
      body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null,
    };
  };
}
