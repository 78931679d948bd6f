import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { upgradeBar } from '../ingest/upgrade/progress.ts';
import { readConfig, type Environment } from '../kit/config/config.ts';
import { dayOf } from '../kit/time/period.ts';
import { openProgressBar } from '../kit/text/progress-bar.ts';
import { serve, type Running } from '../serve.ts';
import { setExchangeRates } from '../tenancy/org/exchange-rates.ts';
import { syncAccounts, waitForSyncs } from './organization/accounts.ts';
import { decide } from './organization/decisions.ts';
import { demoRates } from './organization/exchange-rates.ts';
import { evaluateAccounts, recordListings } from './inventory/inventory.ts';
import { stateInvoices } from './organization/invoices.ts';
import { writeTagPolicies } from './organization/tag-policies.ts';
import { writeVirtualTags } from './organization/virtual-tags.ts';
import { writeDashboards } from './organization/dashboards.ts';
import { writeUnitMetrics } from './organization/unit-metrics.ts';
import { demoActor, openTenant } from './organization/tenant.ts';
import { watch } from './organization/watch.ts';
import { welcome } from './organization/welcome.ts';
import type { WriterMessage } from './files/writer.ts';

/** Separate from the data of a real server, which uses `.data` itself. */
const defaultDataDir = '.data/demo';

/** `npm run demo`: writes the sample organization's exports up to today, starts the server, and syncs them like real
 *  ones. Later starts write and sync only the changes since the last one.
 *  @throws {Error} if the server cannot start */
export async function demo(env: Environment): Promise<Running> {
  const dataDir = path.resolve(env['DATA_DIR']?.trim() || defaultDataDir);
  const exports = path.join(dataDir, 'exports');
  const LOG_LEVEL = env['LOG_LEVEL']?.trim() || 'warn';
  const config = readConfig({ ...env, DATA_DIR: dataDir, FOCUS_ROOT: exports, LOG_LEVEL });
  mkdirSync(exports, { recursive: true });
  // Writes the exports after listening, so that a port conflict is reported immediately, but before the worker picks
  // up a waiting sync.
  const running = await serve(config, { prepare: () => writeExports(exports), onUpgrade: upgradeBar() });
  try {
    console.log(await prepare(running));
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function writeExports(folder: string): Promise<void> {
  const phase = 'bills of three clouds';
  const bar = openProgressBar('Writing');
  try {
    const lineItems = await runWriter(folder, (done) => bar.update({ percent: done * 100, phase }));
    bar.update({ percent: 100, phase, note: `${lineItems.toLocaleString('en-US')} line items` });
  } finally {
    bar.stop();
  }
}

/** Writes the exports in a separate process.
 *  @returns the number of line items */
function runWriter(folder: string, onProgress: (done: number) => void): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const writer = fork(new URL('./files/writer.ts', import.meta.url), [folder, dayOf(new Date())], { execArgv: [] });
  writer.on('message', (message: WriterMessage) => {
    if ('done' in message) onProgress(message.done);
    else if ('lineItems' in message) resolve(message.lineItems);
    else reject(new Error(`The sample could not be written: ${message.failed}`));
  });
  writer.on('error', reject);
  writer.on('close', (code, signal) =>
    reject(new Error(`The sample was not written: its process ended with ${signal ?? code}`)),
  );
  return promise;
}

async function prepare({ deps, address, home, done }: Running): Promise<string> {
  const tenant = await openTenant(deps);
  const { viewer } = tenant;
  const actor = demoActor(viewer);
  await setExchangeRates(deps, viewer.scope, actor, demoRates(dayOf(deps.clock.now())));
  // Create policies, metrics and virtual tags before accounts exist, so that every evaluation uses them.
  await writeTagPolicies(deps, viewer, actor);
  const orders = await writeUnitMetrics(deps, viewer, actor);
  await writeVirtualTags(deps, viewer, actor, orders);
  const ids = await syncAccounts(deps, viewer, actor);
  await recordListings(deps, viewer.scope, ids);
  const bar = openProgressBar('Syncing');
  try {
    const faults = await waitForSyncs(deps, viewer, { ids, onProgress: (state) => bar.update(state), stopped: done });
    const phase = 'inventory, tags and savings';
    await evaluateAccounts(deps, viewer.scope, ids, (part) => bar.update({ percent: part * 100, phase }));
    bar.update({ percent: 100, phase });
    await decide(deps, viewer, actor);
    await watch(deps, viewer, actor, ids);
    await stateInvoices(deps, viewer, actor);
    await writeDashboards(deps, viewer, actor);
    bar.stop();
    return welcome({ address: address ?? deps.config.publicUrl, dataDir: deps.config.dataDir, home }, tenant, faults);
  } finally {
    bar.stop();
  }
}
