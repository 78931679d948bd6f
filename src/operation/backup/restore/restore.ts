import { addAbortSignal } from 'node:stream';
import pg from 'pg';
import { refuseSharedStore } from '../../../engine/stores/shared.ts';
import { listWrongSums } from '../../../facts/costs/control-totals.ts';
import { openQueue } from '../../../jobs/queue.ts';
import type { Database } from '../../../kit/database/open.ts';
import { recordAgain } from '../../../kit/database/installation.ts';
import { applyWithin, type Migration, withMigrationLock } from '../../../kit/database/migrate.ts';
import { retireKeys } from '../../../kit/database/retire-facts.ts';
import type { Deps } from '../../../kit/deps.ts';
import { keptIdle } from '../../../kit/database/transaction.ts';
import { forgetKey } from '../../../kit/secrets/shared-key.ts';
import type { WrittenKeys } from '../../../kit/secrets/keys.ts';
import { conflict, fix } from '../../../kit/errors/errors.ts';
import { countText } from '../../cli/text.ts';
import { edited } from '../archive/faults.ts';
import { keyOf, tableOf } from '../archive/format.ts';
import { entriesOf, type Verified, verify } from '../archive/reader.ts';
import type { Progress } from '../back-up.ts';
import type { BackupFolder } from '../places/folder.ts';
import { checkFiles, FileLoader } from './files.ts';
import { queueJobs, RowLoader, setSequences } from './rows.ts';
import { type Contents, dropAll, inspect, migrationsOf, withoutForeignKeys } from './target.ts';

/** A backup that was found complete and unchanged. */
export interface Checked extends Verified {
  readonly source: Awaited<ReturnType<BackupFolder['open']>>;
}

/** Reads a whole backup and checks it.
 *  @throws {AppError} VALIDATION_ERROR if it is damaged, not a backup, or newer than this version */
export async function checkBackup(
  folder: BackupFolder,
  name: string,
  { signal = new AbortController().signal, onProgress }: CheckOptions = {},
): Promise<Checked> {
  const source = await folder.open(name);
  const meter = meterOf(source.bytes, 'checking', onProgress);
  try {
    return { ...(await verify(addAbortSignal(signal, await source.read()), meter)), source };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

interface CheckOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
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
  /** The key of the backup's secrets is lost: the next start records its own. */
  readonly lostKey?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Writes the key files, just before the end of the transaction. */
  readonly writeKeys?: () => readonly WrittenKeys[];
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
 *  @throws {AppError} CONFLICT if a server is running, if the database has data and `replace` is not set, or if the fact store
 *  belongs to another database */
export async function restore(deps: RestoreDeps, backup: Checked, options: RestoreOptions): Promise<RestoreResult> {
  const migrations = migrationsOf(backup.header, deps.migrations);
  const { pool, connection } = deps.database;
  const result = await withMigrationLock(connection, { log: deps.log }, async (client) => {
    await client.query('BEGIN');
    await client.query(`SET LOCAL statement_timeout = 0; ${keptIdle}`);
    const replaced = await inspect(client, deps.migrations);
    if (!options.replace) refuseFull(replaced);
    const storeId = await refuseSharedStore(client, deps.factStore);
    return withFiles(deps, client, { backup, migrations, options, replaced, storeId });
  });
  await pool.query('ANALYZE');
  options.onProgress?.({ percent: 100, phase: 'done' });
  return result;
}

interface Work {
  readonly backup: Checked;
  readonly migrations: readonly Migration[];
  readonly options: RestoreOptions;
  readonly replaced: Contents;
  /** Id of the file that marks the fact store as this database's; null if it has none. */
  readonly storeId: string | null;
}

/** Replaces everything and commits; a failure leaves no files. */
async function withFiles(deps: RestoreDeps, client: pg.Client, work: Work): Promise<RestoreResult> {
  // Creates graphile-worker's tables, on a separate connection.
  await (await openQueue(deps.database.pool, deps.log)).release();
  const files = await FileLoader.open(deps.factStore, deps.config.dataDir);
  try {
    const restored = await replaceAll(deps, client, { ...work, files });
    work.options.signal.throwIfAborted();
    await commit(client, work.options);
    return restored;
  } catch (error) {
    await files.undo();
    throw explained(error);
  } finally {
    await files.close();
  }
}

/** PostgreSQL and graphile-worker accept everything that a backup writes, so a rejected value, reference or statement means that the
 *  archive was edited. A missing privilege does not: the operator must grant it. */
function explained(error: unknown): unknown {
  const isRejected = error instanceof pg.DatabaseError && /^(22|23|42(?!501)|GW)/.test(error.code ?? '');
  return isRejected ? edited(error.message, error) : error;
}

/** Writes the keys before the commit, because the rows are useless without them. Removes the previous keys after it: until then the
 *  database may be the previous one. */
async function commit(client: pg.Client, { writeKeys = () => [] }: RestoreOptions): Promise<void> {
  const written = writeKeys();
  try {
    await client.query('COMMIT');
  } catch (error) {
    for (const { undo } of written) undo();
    throw error;
  }
  for (const { settle } of written) settle();
}

async function replaceAll(
  deps: RestoreDeps,
  client: pg.Client,
  work: Work & { readonly files: FileLoader },
): Promise<RestoreResult> {
  const { backup, migrations, files, replaced } = work;
  const { manifest } = backup;
  await dropAll(client, deps.migrations);
  await applyWithin(client, migrations);
  const addForeignKeys = await withoutForeignKeys(client, migrations);
  await load(client, work);
  await addForeignKeys();
  await setSequences(client, manifest);
  // The fact files may be restored to another place.
  const isRecorded = await recordAgain(client, 'facts', work.storeId);
  // The next start of an older version records another id.
  if (!isRecorded && work.storeId !== null) await deps.factStore.remove([`installation/${work.storeId}`]);
  if (work.options.lostKey) await forgetKey(client);
  await retireKeys(client, replaced.files, deps.clock.now());
  const { months, wrong } = await listWrongSums(client);
  return {
    replaced,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: files.stored,
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

async function load(
  client: pg.Client,
  { backup, migrations, files, options }: Work & { readonly files: FileLoader },
): Promise<void> {
  const { source, manifest } = backup;
  const digests = new Map(manifest.entries.map((entry) => [entry.name, entry]));
  const rows = await RowLoader.open(client, manifest, migrations);
  const meter = meterOf(source.bytes, 'restoring', options.onProgress);
  let areRowsComplete = false;
  const completeRows = async () => {
    if (areRowsComplete) return;
    await rows.finishAll();
    await checkFiles(client, manifest);
    areRowsComplete = true;
  };
  for await (const entry of entriesOf(await source.read())) {
    options.signal.throwIfAborted();
    const [table, key] = [tableOf(entry.name), keyOf(entry.name)];
    if (table !== null) await rows.add(table, await bufferOf(entry.content));
    else if (key === null) await bufferOf(entry.content);
    else {
      // Before the first file is stored, which could replace one of the same key.
      await completeRows();
      await files.add(key, entry, digests.get(entry.name));
    }
    meter(entry.bytes);
  }
  await completeRows();
}

async function bufferOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function meterOf(total: number, phase: string, onProgress: ((progress: Progress) => void) | undefined) {
  let done = 0;
  return (bytes: number) => {
    done += bytes;
    onProgress?.({ percent: Math.min(99, (100 * done) / Math.max(1, total)), phase });
  };
}
