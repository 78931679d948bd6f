import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '../support/clouds/s3.ts';
import type { ChildName } from '../support/server.ts';
import type { Attack, Context } from './attack.ts';
import { Installation, onInstallation } from './installation.ts';
import { killProcess, postmasterOf, processesOf } from './processes.ts';
import { RestatedBill } from './syncs.ts';

const victims = ['server', 'worker', 'loader', 'connector', 'engine', 'postmaster', 'backend', 'machine'] as const;
type Victim = (typeof victims)[number];

/** Kills every kind of process with SIGKILL at random moments while months are restated, and expects each month to come
 *  wholly from one delivery, nothing to be left behind, and each sync to end. */
export const kill: Attack = async (context) => {
  const s3 = await startS3();
  try {
    const site = new Installation(context, { FOCUS_ENDPOINTS: s3.url });
    await onInstallation(site, async () => {
      await site.start();
      await site.startWorker();
      await site.register();
      const bill = new RestatedBill(context, site, { lines: context.isShort ? 400 : 4_000, s3 });
      await bill.connect();
      await rounds(context, site, bill);
    });
  } finally {
    await s3.stop();
  }
};

/** Maximum kills per sync, which may then finish. */
const mostKillsPerSync = 3;

async function rounds(context: Context, site: Installation, bill: RestatedBill): Promise<void> {
  const { findings, random } = context;
  await bill.restate();
  const begun = performance.now();
  await bill.finish();
  const syncMs = performance.now() - begun;
  let next = random.below(victims.length);
  for (let round = 0; round === 0 || context.hasTime(); round++) {
    await bill.restate();
    const kills = context.isShort ? victims.length : 1 + random.below(mostKillsPerSync);
    for (let count = 0; count < kills; count++) {
      // Moments spread over the whole sync and slightly beyond.
      await bill.watch(1.1 * syncMs * random.next());
      const victim = victims[next++ % victims.length] ?? 'server';
      context.show(`kill ${findings.countOf('kills') + 1}: ${victim}`);
      if (isChild(victim)) await untilRunning(site, victim, syncMs);
      if (!(await killOne(site, victim))) continue;
      findings.count('kills');
      findings.count(`kills of ${victim}`);
      await recover(context, site, bill);
    }
    // Every fourth sync is retried by the server itself, which waits for 10 or 60 s.
    await bill.finish(round % 4 !== 3 || context.isShort);
    await site.checkRemains();
  }
}

/** Returns whether the victim was running. */
async function killOne(site: Installation, victim: Victim): Promise<boolean> {
  switch (victim) {
    case 'server':
      await site.server?.kill(false);
      return true;
    case 'worker':
      await site.worker?.kill(false);
      return true;
    case 'loader':
    case 'connector':
    case 'engine':
      return killChildren(site, victim);
    case 'postmaster': {
      const pid = postmasterOf(site.dataDir);
      return pid !== null && killProcess(pid);
    }
    case 'backend': {
      const backend = processesOf(site.dataDir).find(({ command }) => command.startsWith('postgres: costkeep'));
      return backend !== undefined && killProcess(backend.pid);
    }
    case 'machine': {
      for (const { pid } of processesOf(site.base)) killProcess(pid);
      await Promise.all([site.server?.kill(false), site.worker?.kill(false)]);
      return true;
    }
    default:
      return victim satisfies never;
  }
}

const children = ['loader', 'connector', 'engine'] as const satisfies readonly Victim[];

function isChild(victim: Victim): victim is (typeof children)[number] {
  return children.some((name) => name === victim);
}

/** Waits for a process that a sync starts; gives up after a time. */
async function untilRunning(site: Installation, name: ChildName, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (![site.server, site.worker].some((each) => each?.hasChild(name)) && performance.now() < end) await sleep(10);
}

function killChildren({ server, worker }: Installation, name: ChildName): boolean {
  return [server, worker].map((each) => each?.killChild(name) ?? 0).some((count) => count > 0);
}

/** Restarts the killed processes, and measures how long it takes until months are readable again. */
async function recover({ findings }: Context, site: Installation, bill: RestatedBill): Promise<void> {
  const begun = performance.now();
  await site.restart();
  while (!(await bill.checkMonths([bill.cost - 1, bill.cost]))) {
    if (performance.now() - begun > 90_000)
      throw new Error(`costs cannot be read 90 s after a kill; the server said: ${site.server?.said().slice(-2_000)}`);
    await bill.watch(0);
  }
  findings.measure('recoveries', performance.now() - begun);
}
