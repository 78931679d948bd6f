import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Decimal } from 'decimal.js';
import type pg from 'pg';
import type { ControlTotals } from '../../engine/codebook.ts';
import type { FactFile } from '../../engine/fact-set.ts';
import type { MigrationHooks } from '../../kit/database/migrate.ts';
import type { Deps } from '../../kit/deps.ts';
import { type LoaderProcess, startLoader } from '../sync/bills/loader.ts';
import type { WrittenFacts } from '../sync/loader/protocol.ts';
import type { OnUpgrade } from './progress.ts';
import { exportFacts, isUpgrading, nextOldMonth, type OldMonth, readProgress, recordFacts, sumFacts } from './store.ts';

interface UpgradeParts extends Pick<Deps, 'config' | 'log' | 'factStore'> {
  readonly onProgress: OnUpgrade;
}

/** The migration that drops `cost_facts`. */
const DROP_FACTS = '20261122191500_drop_cost_facts';

/** Converts the previous version's facts, rows of `cost_facts`, to fact files, before the migration that drops them. Converts
 *  one month at a time, newest first, and can resume after a crash. A process that waits for another's conversion reports its
 *  progress. */
export function upgradeHooks(parts: UpgradeParts): MigrationHooks {
  return {
    before: { [DROP_FACTS]: (client) => convertFacts(client, parts) },
    whileWaiting: async (client) => {
      if (!(await isUpgrading(client))) return;
      const progress = await readProgress(client);
      if (progress.done < progress.of) await parts.onProgress(progress);
    },
  };
}

async function convertFacts(client: pg.Client, parts: UpgradeParts): Promise<void> {
  const { config, log, onProgress } = parts;
  const before = await readProgress(client);
  if (before.done === before.of) return;
  log.info(before, 'Converting cost facts into files: the server answers 503 until this is done');
  await onProgress(before);
  const folder = path.join(config.dataDir, 'jobs', 'upgrade');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const loader = await startLoader({
    folder,
    inPlace: [],
    dataDir: config.dataDir,
    memoryMiB: config.loaderMemoryMiB,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  try {
    const conversion = { ...parts, client, loader, folder };
    for (let month = await nextOldMonth(client); month; month = await nextOldMonth(client)) {
      const facts = await convertMonth(conversion, month);
      const progress = await readProgress(client);
      log.info({ account: month.accountId, month: month.month, facts, ...progress }, 'Converted a billing month');
      await onProgress(progress);
    }
  } finally {
    await loader.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Conversion extends UpgradeParts {
  readonly client: pg.Client;
  readonly loader: LoaderProcess;
  readonly folder: string;
}

/** @returns the number of facts
 *  @throws {Error} when the sums of the files differ from those of the database; the month then stays unchanged */
async function convertMonth({ client, loader, folder, factStore }: Conversion, month: OldMonth): Promise<number> {
  const { accountId, organizationId } = month;
  const csv = path.join(folder, `${month.month}.csv`);
  await exportFacts(client, month, csv);
  const written = await loader.ask('convert', { accountId, organizationId, month: month.month, path: csv });
  const sums = await sumFacts(client, month);
  compareTotals(month, { recorded: month.totals, database: sums, files: written.totals });
  const files: FactFile[] = [];
  for (const [index, fact] of written.facts.entries()) {
    const key = await keyOf(month, fact, index);
    const { path: at, ...file } = fact;
    await factStore.put(key, at);
    files.push({ key, ...file });
  }
  await recordFacts(client, month, files, new Date());
  for (const file of [csv, ...written.facts.map((fact) => fact.path)]) await rm(file, { force: true });
  return written.facts.reduce((sum, { grain, rows }) => (grain === 'day' ? sum + rows : sum), 0);
}

/** Names a file by its content, so that caches of an interrupted conversion stay valid. */
async function keyOf({ accountId, month, loadId }: OldMonth, file: WrittenFacts, index: number): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file.path), hash);
  return `${accountId}/${month}/${hash.digest('hex').slice(0, 16)}-${loadId}-${file.grain}-${index}.parquet`;
}

function compareTotals(month: OldMonth, totals: Readonly<Record<string, readonly ControlTotals[]>>): void {
  const [[, expected] = ['', ''], ...others] = Object.entries(totals).map(([source, sums]) => [source, textOf(sums)]);
  for (const [source, found] of others) {
    if (found === expected) continue;
    throw new Error(
      `The upgrade stopped at ${month.month} of account "${month.accountId}": the sums of its ${source} are ${found}, but ${expected} was loaded; nothing was changed`,
    );
  }
}

function textOf(totals: readonly ControlTotals[]): string {
  const lines = totals.map((total) => {
    const amounts = [total.billed, total.effective, total.list, total.contracted];
    return [total.lineItems, total.currency, ...amounts.map((amount) => new Decimal(amount).toFixed(12))].join(' ');
  });
  return lines.toSorted().join(', ');
}
