import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFilesLimit } from '../../src/kit/process/open-files.ts';
import { percentile } from '../bench/measure.ts';
import { monthlyCosts } from './restated-bill.ts';
import type { Attack, Context } from './attack.ts';
import { Installation, onInstallation } from './installation.ts';
import { RestatedBill } from './syncs.ts';

/** Descriptors besides those of idle connections, in the server and in the crowd. */
const otherFiles = 700;
const readers = 4;
/** Highest ratio of the p99 of reads under load to their p99 without it. */
const mostRatio = 3;

const reads = [
  '/org',
  '/accounts',
  '/budgets',
  '/costs/by-service?start_date=2026-03-01&end_date=2026-04-30',
  monthlyCosts,
];

/** Adds slow clients, idle connections and floods of sign-ins to reads, which must not become much slower. */
export const load: Attack = async (context) => {
  // The default: floods of sign-ins are refused.
  await onInstallation(new Installation(context, { RATE_LIMIT_AUTH: '20' }), async (site) => {
    await site.start();
    await site.register();
    await new RestatedBill(context, site, { lines: 4_000 }).connect();
    await read(context, site, 1_000);
    const all = { calm: [] as number[], crowded: [] as number[] };
    for (let round = 0; round === 0 || context.hasTime(); round++) {
      context.show(`round ${round + 1}: without load`);
      all.calm.push(...(await read(context, site, context.isShort ? 1_000 : 10_000)));
      context.show(`round ${round + 1}: under load`);
      all.crowded.push(...(await readBesideCrowd(context, site)));
    }
    compare(context, all);
    await expectRecovery(context, site);
  });
};

/** Reads for a time, and returns the durations in milliseconds. */
async function read({ findings, random }: Context, site: Installation, ms: number): Promise<number[]> {
  const end = performance.now() + ms;
  const durations: number[] = [];
  const work = async () => {
    while (performance.now() < end) {
      const at = random.pick(reads);
      const answer = await site.ask(at);
      if (answer.status !== 200) findings.fault(`${at} answered ${answer.status}: ${answer.text}`);
      durations.push(answer.ms);
      await sleep(5);
    }
  };
  await Promise.all(Array.from({ length: readers }, work));
  return durations;
}

async function readBesideCrowd(context: Context, site: Installation): Promise<number[]> {
  const { findings, isShort } = context;
  const most = (openFilesLimit() ?? Infinity) - otherFiles;
  const wanted = isShort ? 200 : 5_000;
  const idle = Math.max(0, Math.min(wanted, most));
  if (idle < wanted) findings.skip(`the limit of open files leaves ${idle} of ${wanted} idle connections`);
  const slow = isShort ? 20 : 200;
  const crowd = fork(new URL('./crowd-process.ts', import.meta.url), [site.url, slow, idle, 8].map(String), {
    execArgv: [],
  });
  try {
    await once(crowd, 'message');
    const durations = await read(context, site, isShort ? 2_000 : 20_000);
    await count(context, crowd, { slow, idle });
    return durations;
  } finally {
    const gone = once(crowd, 'exit');
    crowd.kill('SIGKILL');
    await gone;
  }
}

/** Statuses of a locked account, too many attempts from one address, and too many concurrent attempts of one user. */
const refusals = new Set(['423', '429', '503']);

interface Counts {
  readonly lostConnections: number;
  /** By status, or error. */
  readonly logins: Readonly<Record<string, number>>;
}

async function count({ findings }: Context, crowd: ChildProcess, made: { slow: number; idle: number }): Promise<void> {
  crowd.send('counts');
  const [counts] = (await once(crowd, 'message')) as [Counts];
  findings.count('slow clients', made.slow);
  findings.count('idle connections', made.idle);
  findings.count('of these, closed by the server', counts.lostConnections);
  for (const [end, number] of Object.entries(counts.logins)) {
    findings.count('attempts to sign in', number);
    if (refusals.has(end)) findings.count(`of these, refused with ${end}`, number);
    else if (end !== '401') findings.fault(`${number} attempts to sign in ended with ${end}`);
  }
}

function compare({ findings, isShort }: Context, { calm, crowded }: { calm: number[]; crowded: number[] }): void {
  const [own, beside] = [percentile(calm, 0.99), percentile(crowded, 0.99)];
  findings.count('reads without load', calm.length);
  findings.measure('p99 of reads without load', own);
  findings.count('reads under load', crowded.length);
  findings.measure('p99 of reads under load', beside);
  if (!isShort && beside > mostRatio * own)
    findings.fault(`p99 of reads is ${beside.toFixed(0)} ms under load, ${own.toFixed(0)} ms without it`);
}

/** Expects the server to be ready after the load. */
async function expectRecovery({ findings }: Context, site: Installation): Promise<void> {
  await sleep(500);
  const { status, text } = await site.request('/ready');
  if (status !== 200) findings.fault(`/ready answered ${status} after the load: ${text}`);
}
