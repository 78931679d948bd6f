import fs from 'node:fs';
import path from 'node:path';
import { mountTmpfs, type Tmpfs } from '../support/tmpfs.ts';
import type { Attack, Context } from './attack.ts';
import { Installation, newFolder, withinLimit } from './installation.ts';
import { postmasterOf } from './processes.ts';
import { RestatedBill } from './syncs.ts';

const mib = 2 ** 20;
const sizeMiB = 700;

/** Fills the disk while months are restated, makes it read-only, and expects answers, named reasons, and each sync to end
 *  once there is room. */
export const disk: Attack = async (context) => {
  const base = newFolder();
  const folders = { data: path.join(base, 'data'), facts: path.join(base, 'facts') };
  const data = mountTmpfs(folders.data, sizeMiB);
  const facts = data && mountTmpfs(folders.facts, sizeMiB);
  if (!data || !facts) {
    data?.unmount();
    fs.rmSync(base, { recursive: true, force: true });
    return context.findings.skip('disks of a limited size must be mounted, which requires root');
  }
  const site = new Installation(context, { FACTS_URL: folders.facts }, base);
  try {
    await attack(context, site, { data, facts, folders });
  } finally {
    data.setReadOnly(false);
    facts.setReadOnly(false);
    await site.stop();
    data.unmount();
    facts.unmount();
    await site.close();
  }
};

interface Disks {
  readonly data: Tmpfs;
  readonly facts: Tmpfs;
  readonly folders: { readonly data: string; readonly facts: string };
}

async function attack(context: Context, site: Installation, disks: Disks): Promise<void> {
  await site.start();
  await site.register();
  const bill = new RestatedBill(context, site, { lines: context.isShort ? 400 : 4_000 });
  await bill.connect();
  for (let round = 0; round === 0 || context.hasTime(); round++) {
    await fillWhileRunning(context, { site, bill, disks });
    await startOnFull(context, { site, bill, disks });
    await readOnlyFacts(context, { site, bill, disks });
    await startOnReadOnly(context, { site, bill, disks });
    await site.checkRemains();
  }
}

interface Stage {
  readonly site: Installation;
  readonly bill: RestatedBill;
  readonly disks: Disks;
}

/** Resizes the disk to the used space and some free space. */
function fill({ data, folders }: Disks, freeMiB: number): void {
  const { blocks, bavail, bsize } = fs.statfsSync(folders.data);
  data.resize(Math.ceil(((blocks - bavail) * bsize) / mib) + freeMiB);
}

/** Fills the disk at a random moment of a sync, for a random time. */
async function fillWhileRunning(context: Context, { site, bill, disks }: Stage): Promise<void> {
  const { findings, random, isShort } = context;
  await bill.restate();
  await bill.watch(1_000 * random.next());
  const free = random.below(40);
  context.show(`the disk is full, ${free} MiB free`);
  fill(disks, free);
  await bill.watch(isShort ? 1_000 : 5_000 * random.next());
  await bill.syncNow();
  await bill.watch(isShort ? 1_000 : 5_000 * random.next());
  await changeSomething(site);
  if (site.server?.hasEnded()) findings.fault(`the server ended on a full disk: ${site.server.said().slice(-2_000)}`);
  disks.data.resize(sizeMiB);
  const begun = performance.now();
  await site.restart();
  // A full disk is checked every five seconds, and crashed syncs are retried after 10 and 60 s.
  await bill.finish(isShort);
  findings.measure('full disks while a sync ran', performance.now() - begun);
}

/** Expects the server to start on a full disk, or to name the disk. */
async function startOnFull(context: Context, { site, bill, disks }: Stage): Promise<void> {
  context.show('start on a full disk');
  await bill.restate();
  await bill.watch(1_000 * context.random.next());
  await site.stop();
  fill(disks, 1 + context.random.below(64));
  await expectStartOr(
    context,
    site,
    /The disk of .+ is full: .+ is free, and the database needs .+ to start\. Make space/,
  );
  context.findings.count('starts on a full disk');
  disks.data.resize(sizeMiB);
  await site.restart();
  await bill.finish();
}

/** Makes the disk of the fact files read-only for a while. */
async function readOnlyFacts(context: Context, { bill, disks }: Stage): Promise<void> {
  context.show('fact files on a read-only disk');
  if (!disks.facts.setReadOnly(true)) return;
  await bill.restate();
  await bill.watch(context.isShort ? 1_000 : 6_000);
  disks.facts.setReadOnly(false);
  await bill.finish();
  context.findings.count('read-only disks of fact files');
}

/** Expects the server to start on a read-only disk or to name the reason, and to have lost nothing afterwards. */
async function startOnReadOnly(context: Context, { site, bill, disks }: Stage): Promise<void> {
  context.show('start on a read-only disk');
  await site.stop();
  if (!disks.data.setReadOnly(true)) {
    context.findings.fault(`files are open after the stop; PostgreSQL is ${postmasterOf(site.dataDir)}`);
    return;
  }
  await expectStartOr(context, site, /read-only/i);
  context.findings.count('starts on a read-only disk');
  disks.data.setReadOnly(false);
  await site.restart();
  await bill.finish();
}

/** Expects the server to start, or to end and give a reason. */
async function expectStartOr(context: Context, site: Installation, reason: RegExp): Promise<void> {
  const error = await withinLimit(site.start(), 60_000, 'a start on a bad disk').then(
    () => null,
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );
  if (error === null) return site.stop();
  if (!reason.test(error)) context.findings.fault(`a start on a bad disk does not name the reason: ${error}`);
}

/** Makes changes. Any answer is fine except an error without a reason, which `ask` reports. */
async function changeSomething(site: Installation): Promise<void> {
  for (let count = 0; count < 10; count++)
    await site.ask('/annotations', { method: 'POST', body: { start_date: '2026-03-01', text: 'x'.repeat(400) } });
}
