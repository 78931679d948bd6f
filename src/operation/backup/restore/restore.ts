import type pg from 'pg';
import { listWrongSums } from '../../../facts/costs/control-totals.ts';
import { openQueue } from '../../../jobs/queue.ts';
import type { Database } from '../../../kit/database/open.ts';
import { forget } from '../../../kit/database/installation.ts';
import { applyWithin, type Migration, withMigrationLock } from '../../../kit/database/migrate.ts';
import { retireKeys } from '../../../kit/database/retire-facts.ts';
import type { Deps } from '../../../kit/deps.ts';
import { conflict, fix } from '../../../kit/errors/errors.ts';
import { countText } from '../../cli/text.ts';
import { keyOf, tableOf } from '../archive/format.ts';
import { entriesOf, type Verified, verify } from '../archive/reader.ts';
import type { Progress } from '../back-up.ts';
import type { BackupFolder } from '../places/folder.ts';
import { FileLoader } from './files.ts';
import { queueJobs, RowLoader, setSequences } from './rows.ts';
import { type Contents, dropAll, inspect, migrationsOf, withoutForeignKeys } from './target.ts';

/** A backup that was found complete and unchanged. */
export interface Checked extends Verified {
  readonly source: Awaited<ReturnType<BackupFolder['open']>>;
}

/** Reads a whole backup and checks it.
 *  @throws {AppError} VALIDATION_ERROR if it is damaged, no backup, or newer than this version */
export async function checkBackup(
  folder: BackupFolder,
  name: string,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Checked> {
  const source = await folder.open(name);
  const meter = meterOf(source.bytes, 'checking', onProgress);
  return { ...(await verify(await source.read(), meter)), source };
}

interface RestoreDeps extends Pick<Deps, 'factStore' | 'log' | 'clock' | 'config'> {
  readonly database: Pick<Database, 'pool' | 'connection'>;
  /** The migrations of this version. */
  readonly migrations: readonly Migration[];
}

/** Options of a restore. */
interface RestoreOptions {
  /** Replaces what the database contains. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** A completed restore. */
export interface RestoreResult {
  readonly replaced: Contents;
  readonly rows: number;
  readonly files: number;
  /** Files that the fact store had already. */
  readonly knownFiles: number;
  readonly jobs: number;
  readonly months: number;
  /** Months whose sums differ from their control totals, as they did when the backup was made. */
  readonly wrongMonths: readonly string[];
}

/** Restores a checked backup, in one transaction: until it ends, the database keeps what it had. No server can start meanwhile.
 *  The database then has the migrations of the backup; the next start applies the others.
 *  @throws {AppError} CONFLICT if a server is running, or if the database has data and `replace` is not set */
export async function restore(deps: RestoreDeps, backup: Checked, options: RestoreOptions): Promise<RestoreResult> {
  const migrations = migrationsOf(backup.header, deps.migrations);
  const { pool, connection } = deps.database;
  const queue = await openQueue(pool, deps.log);
  await queue.release();
  const files = await FileLoader.open(deps.factStore, deps.config.dataDir);
  try {
    const result = await withMigrationLock(connection, { log: deps.log }, async (client) => {
      await client.query('BEGIN');
      await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
      const restored = await replaceAll(deps, client, { backup, migrations, files, options });
      options.signal.throwIfAborted();
      await client.query('COMMIT');
      return restored;
    });
    await pool.query('ANALYZE');
    options.onProgress?.({ percent: 100, phase: 'done' });
    return result;
  } catch (error) {
    await files.undo();
    throw error;
  } finally {
    await files.close();
  }
}

interface Work {
  readonly backup: Checked;
  readonly migrations: readonly Migration[];
  readonly files: FileLoader;
  readonly options: RestoreOptions;
}

async function replaceAll(deps: RestoreDeps, client: pg.Client, work: Work): Promise<RestoreResult> {
  const { backup, migrations, files, options } = work;
  const { manifest } = backup;
  const replaced = await inspect(client, deps.migrations);
  if (!options.replace) refuseFull(replaced);
  await dropAll(client, deps.migrations);
  await applyWithin(client, migrations);
  const addForeignKeys = await withoutForeignKeys(client);
  await load(client, work);
  await addForeignKeys();
  await setSequences(client, manifest);
  // The fact files may be restored to another place.
  await forget(client, 'facts');
  await retireKeys(client, replaced.files, deps.clock.now());
  const { months, wrong } = await listWrongSums(client);
  return {
    replaced,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.files,
    knownFiles: files.replaced,
    jobs: await queueJobs(client, manifest),
    months,
    wrongMonths: wrong.map(({ account, month, reason }) => `${month} of account ${account}: ${reason}`),
  };
}

function refuseFull({ organizations, users }: Contents): void {
  if (organizations.length === 0 && users === 0) return;
  throw conflict`The database is not empty: it has ${countText(organizations.length, 'organization')} and ${countText(users, 'user')}${fix}restore into an empty database, or add --replace to delete what it has`;
}

async function load(client: pg.Client, { backup, files, options }: Work): Promise<void> {
  const { source, manifest } = backup;
  const digests = new Map(manifest.entries.map((entry) => [entry.name, entry]));
  const rows = new RowLoader(client, manifest);
  const meter = meterOf(source.bytes, 'restoring', options.onProgress);
  for await (const entry of entriesOf(await source.read())) {
    options.signal.throwIfAborted();
    const [table, key] = [tableOf(entry.name), keyOf(entry.name)];
    if (table !== null) await rows.add(table, await bufferOf(entry.content));
    else {
      await rows.finish();
      if (key === null) await bufferOf(entry.content);
      else await files.add(key, entry, digests.get(entry.name));
    }
    meter(entry.bytes);
  }
  await rows.finish();
}

async function bufferOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function meterOf(total: number, phase: string, onProgress: (progress: Progress) => void = () => {}) {
  let done = 0;
  return (bytes: number) => {
    done += bytes;
    onProgress({ percent: Math.min(99, (100 * done) / Math.max(1, total)), phase });
  };
}
