import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Context } from './attack.ts';
import { Installation, onInstallation, program } from './installation.ts';
import { aMemoryGroup, type MemoryGroup } from './memory-group.ts';
import { RestatedBill } from './syncs.ts';

/** Runs the server with few open files and little memory, and expects refusals with a reason, and syncs that end. */
export const limits: Attack = async (context) => {
  await onInstallation(new Installation(context), async (site) => {
    await site.start();
    await site.register();
    const bill = new RestatedBill(context, site, { lines: context.isShort ? 400 : 40_000 });
    await bill.connect();
    for (let round = 0; round === 0 || context.hasTime(); round++) {
      await tooFewFiles(context, site);
      await fewFiles(context, site, bill);
      await littleMemory(context, site, bill);
      await site.checkRemains();
    }
  });
};

function withFiles(limit: number): [string, ...string[]] {
  return ['/bin/sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`, program];
}

/** Expects the server not to start, and to name the limit. */
async function tooFewFiles({ findings, show }: Context, site: Installation): Promise<void> {
  for (const limit of [96, 128]) {
    show(`a limit of ${limit} open files`);
    await site.stop();
    const error = await site.start(withFiles(limit)).then(
      () => 'none',
      (thrown: unknown) => String(thrown),
    );
    if (!error.includes(`The limit of open files is ${limit}`))
      findings.fault(`a limit of ${limit} open files is not named: ${error}`);
    findings.count('starts with too low a limit of open files');
  }
}

/** Connects twice as many clients as files may be open, and expects status 200 or 503 or a closed connection, and the sync to
 *  end. */
async function fewFiles(context: Context, site: Installation, bill: RestatedBill): Promise<void> {
  const limit = 192 + context.random.below(128);
  context.show(`a limit of ${limit} open files`);
  await site.stop();
  await site.start(withFiles(limit));
  await bill.restate();
  const sockets = Array.from({ length: 2 * limit }, () => connect(site));
  await sleep(500);
  for (let count = 0; count < 20; count++) {
    const { status, text } = await site.request('/ready');
    // Connections above the number that is answered 503 are closed: status 0.
    if (status !== 0 && status !== 200 && status !== 503) context.findings.fault(`/ready answered ${status}: ${text}`);
    context.findings.count('requests with more clients than the limit of open files');
    await sleep(50);
  }
  for (const socket of sockets) socket.destroy();
  if (site.server?.hasEnded()) context.findings.fault(`the server ended for lack of files: ${site.server.said()}`);
  if (/EMFILE|ENFILE/.test(site.server?.said() ?? ''))
    context.findings.fault(`files ran out inside the server: ${site.server?.said().slice(-2_000)}`);
  await bill.finish();
  context.findings.count('servers with a low limit of open files');
}

function connect({ server }: Installation): net.Socket {
  const { hostname, port } = new URL(server?.url ?? '');
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => {});
  return socket;
}

/** Lets the OOM killer kill processes, and expects no month to be lost. */
async function littleMemory(context: Context, site: Installation, bill: RestatedBill): Promise<void> {
  const group = aMemoryGroup(`costkeep-torture-${process.pid}`);
  if (!group) return context.findings.skip('memory must be limited with a control group, which requires root');
  try {
    await site.stop();
    await site.start(group.command(program));
    await squeeze(context, { site, bill, group });
  } finally {
    await site.stop();
    // The group can be removed shortly after its last process has ended.
    for (let tries = 0; tries < 50 && !removed(group); tries++) await sleep(100);
    await site.start();
  }
  await bill.finish();
}

interface Stage {
  readonly site: Installation;
  readonly bill: RestatedBill;
  readonly group: MemoryGroup;
}

async function squeeze(context: Context, { site, bill, group }: Stage): Promise<void> {
  const { findings, random, isShort } = context;
  const limit = group.setLimit(250 + random.below(350));
  context.show(`${limit} MiB of memory`);
  await bill.restate();
  await bill.watch(isShort ? 3_000 : 20_000);
  findings.count('servers with little memory');
  findings.count('processes killed by the OOM killer', group.kills() ?? 0);
  if (!site.server?.hasEnded()) return;
  findings.count('of them, servers');
}

function removed(group: MemoryGroup): boolean {
  try {
    group.remove();
    return true;
  } catch {
    return false;
  }
}
