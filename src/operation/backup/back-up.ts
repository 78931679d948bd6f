import { readMigrations } from '../../kit/database/migrate.ts';
import { packageFile, version } from '../../kit/package.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, conflict, fix, message } from '../../kit/errors/errors.ts';
import { fileName, archiveFormat, type Header, jobsName, partName, type TableRows } from './archive/format.ts';
import { keyIds, keysOf, sealKeys } from './archive/seal.ts';
import { ArchiveWriter } from './archive/writer.ts';
import { nameOf, type Sink } from './places/folder.ts';
import type { BackupPlace } from './places/place.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';

type BackupDeps = Pick<Deps, 'connection' | 'factStore' | 'config' | 'clock'>;

/** Progress of a backup or restore. */
export interface Progress {
  /** 0 to 100. */
  readonly percent: number;
  readonly phase: string;
  readonly note?: string;
}

/** Options of a backup. */
export interface BackupOptions {
  /** Seals the keys into the backup. Null: they are left out. */
  readonly passphrase: string | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** A completed backup. */
export interface BackupResult {
  /** File or URL. */
  readonly location: string;
  readonly bytes: number;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly hasKeys: boolean;
  /** Names of tables and sequences of other programs, which are left out. */
  readonly foreign: readonly string[];
}

/** Writes a backup of the database as of one moment, and of the files that it points to; a server can keep running. Under its
 *  name it is either complete or absent.
 *  @throws {AppError} when the location is taken or not writable, the database has no data, or the keys are not its own */
export async function backUp(deps: BackupDeps, place: BackupPlace, options: BackupOptions): Promise<BackupResult> {
  const now = deps.clock.now();
  const name = place.name ?? nameOf(now);
  const snapshot = await openSnapshot(deps.connection, readMigrations(packageFile('prisma/migrations')));
  try {
    if (!(await snapshot.isEncryptedWith(deps.config.encryptionKeys)))
      throw conflict`ENCRYPTION_KEY is not the key of the secrets in this database${fix}set it as for the servers and workers`;
    const sink = measured(await place.folder.create(name));
    const contents = await write(deps, snapshot, sink, { ...options, now }).catch(async (error: unknown) => {
      await sink.abort();
      throw options.signal.aborted ? options.signal.reason : error;
    });
    await sink.commit();
    const hasKeys = options.passphrase !== null;
    return {
      location: place.folder.describe(name),
      bytes: sink.bytes(),
      ...contents,
      hasKeys,
      foreign: snapshot.foreign,
    };
  } finally {
    await snapshot.close();
  }
}

function measured(sink: Sink): Sink & { bytes(): number } {
  let bytes = 0;
  return {
    ...sink,
    write: async (chunk) => {
      await sink.write(chunk);
      bytes += chunk.length;
    },
    bytes: () => bytes,
  };
}

type Contents = Pick<BackupResult, 'tables' | 'rows' | 'files'>;

async function write(
  deps: BackupDeps,
  snapshot: Snapshot,
  sink: Sink,
  { passphrase, signal, onProgress = () => {}, now }: BackupOptions & { readonly now: Date },
): Promise<Contents> {
  const header = await headerOf(deps, snapshot, passphrase, now);
  const archive = new ArchiveWriter(sink, header);
  const progress = progressOf(snapshot, onProgress);
  const abort = () => archive.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    await archive.addHeader(header);
    const tables: TableRows[] = [];
    for (const table of snapshot.tables) {
      const written = await snapshot.read(table, async (content, part, bytes) => {
        await archive.add(partName(table.name, part), content);
        progress.add('database', bytes, table.name);
      });
      tables.push(written);
    }
    const jobs = await snapshot.readJobs(jobsName, (content, part) => archive.add(partName(jobsName, part), content));
    await addFiles(deps, snapshot, archive, progress);
    await archive.finish({ tables, jobs, sequences: [...snapshot.sequences], files: snapshot.files.length });
    onProgress({ percent: 100, phase: 'done' });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return { tables: tables.length, rows, files: snapshot.files.length };
  } catch (error) {
    archive.destroy(error);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function headerOf(deps: BackupDeps, snapshot: Snapshot, passphrase: string | null, now: Date): Promise<Header> {
  const keys = keysOf(deps.config);
  return {
    format: archiveFormat,
    costkeep: version,
    postgres: snapshot.postgres,
    createdAt: now.toISOString(),
    migrations: [...snapshot.migrations],
    keyIds: { jwt: keyIds(keys.jwt), encryption: keyIds(keys.encryption) },
    keys: passphrase === null ? null : await sealKeys(keys, passphrase),
  };
}

async function addFiles(
  { factStore }: BackupDeps,
  { files }: Snapshot,
  archive: ArchiveWriter,
  progress: Meter,
): Promise<void> {
  for (const [index, file] of files.entries()) {
    const lease = await factStore.lease([file]).catch((cause: unknown) => {
      const statement = message`The file "${file.key}" cannot be read: ${reasonOf(cause)}${fix}run "npm run admin -- verify" to find the damaged months, and restore them from a backup, or delete their accounts with their data and connect them again`;
      throw new AppError('SERVICE_UNAVAILABLE', statement, { cause });
    });
    try {
      await archive.addFile(fileName(file.key), lease.pathOf(file.key), file.bytes);
    } finally {
      lease.release();
    }
    progress.add('facts', file.bytes, `${index + 1} of ${files.length} files`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError && error.cause instanceof Error) return error.cause.message;
  return error instanceof Error ? error.message : String(error);
}

interface Meter {
  add(phase: string, bytes: number, note: string): void;
}

/** Rows as text are about as large as their tables. */
function progressOf({ tables, files }: Snapshot, onProgress: (progress: Progress) => void): Meter {
  const sum = (list: readonly { bytes: number }[]) => list.reduce((total, { bytes }) => total + bytes, 0);
  const [ofTables, ofFiles] = [Math.max(1, sum(tables)), sum(files)];
  const done: Record<string, number> = { database: 0, facts: 0 };
  return {
    add(phase, bytes, note) {
      done[phase] = (done[phase] ?? 0) + bytes;
      const read = phase === 'facts' ? ofTables + (done['facts'] ?? 0) : Math.min(ofTables, done['database'] ?? 0);
      onProgress({ percent: Math.min(99, (100 * read) / (ofTables + ofFiles)), phase, note });
    },
  };
}
