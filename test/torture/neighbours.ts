import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { findRedis, startRedis } from '../support/redis.ts';
import type { Attack, Context } from './attack.ts';
import { Installation, onInstallation } from './installation.ts';

/** A server that ours depends on. */
interface Neighbour {
  readonly name: 'Redis' | 'SMTP';
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  start(): Promise<void>;
}

/** Freezes and kills Redis and the mail server, and expects answers meanwhile, and each mail to arrive in the end. */
export const neighbours: Attack = async (context) => {
  const redisProgram = findRedis();
  if (!redisProgram) context.findings.skip('Redis cannot be attacked: redis-server is not installed');
  const redis = redisProgram ? await startRedis(redisProgram) : null;
  const mail = await startMail();
  const env = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, ...(redis ? { REDIS_URL: redis.url } : {}) };
  const all: Neighbour[] = [mail, ...(redis ? [{ ...redis, name: 'Redis' as const }] : [])];
  try {
    await onInstallation(new Installation(context, env), async (site) => {
      await site.start();
      await site.register();
      for (let round = 0; round === 0 || context.hasTime(); round++)
        for (const neighbour of all)
          for (const signal of ['SIGSTOP', 'SIGKILL'] as const) await attack(context, site, { neighbour, signal });
      await expectMails(context, mail.received);
    });
  } finally {
    for (const each of all) {
      await each.signal('SIGCONT');
      await each.signal('SIGKILL');
    }
  }
};

const invited = new Set<string>();

async function attack(
  context: Context,
  site: Installation,
  { neighbour, signal }: { neighbour: Neighbour; signal: 'SIGSTOP' | 'SIGKILL' },
): Promise<void> {
  const { findings, random, isShort } = context;
  const verb = signal === 'SIGSTOP' ? 'frozen' : 'killed';
  context.show(`${neighbour.name} is ${verb}`);
  const end = performance.now() + (isShort ? 1_000 : 3_000 + 12_000 * random.next());
  // In the middle of requests, not between them.
  const first = Array.from({ length: 8 }, () => ask(context, site, `while ${neighbour.name} was being ${verb}`));
  await sleep(random.below(20));
  await neighbour.signal(signal);
  await Promise.all(first);
  while (performance.now() < end) await ask(context, site, `while ${neighbour.name} was ${verb}`);
  if (signal === 'SIGSTOP') await neighbour.signal('SIGCONT');
  else await neighbour.start();
  await ask(context, site, 'afterwards');
  findings.count(`${neighbour.name} ${verb}`);
  await expectReady(context, site);
}

/** Reads, and sends a mail. */
async function ask({ findings }: Context, site: Installation, when: string): Promise<void> {
  const email = `guest-${crypto.randomUUID()}@example.com`;
  const answers = await Promise.all([
    site.ask('/org'),
    site.ask('/org/invite', { method: 'POST', body: { emails: [email], role: 'viewer' } }),
  ]);
  for (const { status, text, ms } of answers) {
    if (status !== 200 && status !== 201) findings.fault(`${when}, a request was answered with ${status}: ${text}`);
    findings.measure(`requests ${when}`, ms);
  }
  if (answers[1].status === 201) invited.add(email);
  await sleep(20);
}

/** Expects the server to be ready again soon. */
async function expectReady({ findings }: Context, site: Installation): Promise<void> {
  const end = performance.now() + 30_000;
  for (;;) {
    const { body, text } = await site.request<{ status: string; checks: Record<string, string> }>('/ready');
    if (Object.values(body?.checks ?? { none: '' }).every((check) => check === 'ok')) return;
    if (performance.now() > end) return findings.fault(`the server does not recover: ${text}`);
    await sleep(200);
  }
}

/** Longest time until each mail has arrived, in milliseconds. Failed deliveries are retried with exponential backoff. */
const mailMs = { full: 240_000, short: 10_000 };

async function expectMails({ findings, show, isShort }: Context, received: ReadonlySet<string>): Promise<void> {
  const begun = performance.now();
  const limit = isShort ? mailMs.short : mailMs.full;
  const missing = () => [...invited].filter((email) => !received.has(email)).length;
  while (missing() > 0 && performance.now() - begun < limit) {
    show(`${missing()} mails are still to arrive`);
    await sleep(500);
  }
  findings.count('mails', invited.size);
  findings.measure('arrival of all mails', performance.now() - begun);
  if (missing() > 0 && !isShort) findings.fault(`${missing()} of ${invited.size} mails did not arrive`);
}

/** A mail server in a process of its own, and the recipients of its mails. */
async function startMail(): Promise<Neighbour & { readonly port: number; readonly received: ReadonlySet<string> }> {
  const received = new Set<string>();
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async () => {
    const started = fork(new URL('./smtp-process.ts', import.meta.url), [String(port)], {
      execArgv: [],
      stdio: 'inherit',
    });
    child = started;
    await once(started, 'message');
    started.on('message', ({ to }: { to: string[] }) => to.forEach((email) => received.add(email)));
  };
  await start();
  return {
    name: 'SMTP',
    port,
    received,
    start,
    async signal(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = signal === 'SIGKILL' ? once(child, 'exit') : null;
      child.kill(signal);
      await gone;
    },
  };
}
