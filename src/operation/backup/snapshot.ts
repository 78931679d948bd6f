import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, constants } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { collectionLock } from '../../engine/stores/collect.ts';
import type { StoredFile } from '../../engine/stores/fact-store.ts';
import { listApplied, type Migration } from '../../kit/database/migrate.ts';
import { keptIdle } from '../../kit/database/transaction.ts';
import { conflict, fix, invalid } from '../../kit/errors/errors.ts';
import { hasRecordedKey } from '../../kit/secrets/shared-key.ts';
import type { Manifest, TableRows } from './archive/format.ts';
import { listSequences, listTables, type OwnTable } from './own-objects.ts';

const compress = promisify(zstdCompress);

/** Bytes of rows per entry: the size of what is compressed at once. */
const partBytes = 8 * 2 ** 20;

/** The jobs that a restore queues again: those waiting or running. A job with no attempt left is over. */
const jobsSql = `SELECT v.task_identifier, v.queue_name, v.run_at, v.max_attempts, v.priority, v.key, j.payload
  FROM graphile_worker.jobs v JOIN graphile_worker._private_jobs j ON j.id = v.id
  WHERE v.attempts < v.max_attempts OR v.locked_at IS NOT NULL ORDER BY v.id`;

/** Columns of `jobsSql`. */
export const jobColumns = ['task_identifier', 'queue_name', 'run_at', 'max_attempts', 'priority', 'key', 'payload'];

/** A database as of one moment. */
export interface Snapshot {
  readonly postgres: string;
  readonly migrations: readonly { name: string; checksum: string }[];
  readonly tables: readonly OwnTable[];
  readonly sequences: Manifest['sequences'];
  /** Names of tables and sequences of other programs, which are left out. */
  readonly foreign: readonly string[];
  /** The files that the rows point to. */
  readonly files: readonly StoredFile[];
  /** Returns whether the keys can decrypt the secrets in it, as far as the database knows. */
  isEncryptedWith(keys: readonly Uint8Array[]): Promise<boolean>;
  /** Reads the rows of a table in compressed parts. */
  read(table: { name: string; columns: readonly string[] }, onPart: OnPart): Promise<TableRows>;
  readJobs(name: string, onPart: OnPart): Promise<TableRows>;
  close(): Promise<void>;
}

/** Receives a compressed part of a table's rows.
 *  @param bytes uncompressed */
type OnPart = (content: Buffer, part: number, bytes: number) => Promise<void>;

/** Opens a snapshot. Until it is closed, no file that it points to is deleted.
 *  @param known the migrations of this version
 *  @throws {AppError} VALIDATION_ERROR if the database has no Costkeep data; CONFLICT if a newer version has migrated it */
export async function openSnapshot(connection: pg.ClientConfig, known: readonly Migration[]): Promise<Snapshot> {
  const clients = [await open(connection), await open(connection)] as const;
  const [guard, reader] = clients;
  const close = async () => void (await Promise.all(clients.map((client) => client.end().catch(() => {}))));
  try {
    // Taken first and on another connection: taking a lock would start the snapshot before the lock is held.
    await begin(guard, 'BEGIN');
    await guard.query(`SELECT pg_advisory_xact_lock_shared(${collectionLock})`);
    await begin(reader, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const migrations = await listApplied(reader);
    if (migrations === null || migrations.length === 0)
      throw invalid`This database has no Costkeep data${fix}set DATA_DIR or DATABASE_URL as for the server`;
    const tables = await listTables(reader, appliedOf(migrations, known));
    const sequences = await listSequences(reader, tables.own);
    return {
      postgres: await valueOf(reader, `SELECT current_setting('server_version') AS value`),
      migrations,
      tables: tables.own,
      sequences: sequences.own,
      foreign: [...tables.foreign, ...sequences.foreign],
      files: await listFiles(reader),
      isEncryptedWith: (keys) => hasRecordedKey(reader, keys),
      read: ({ name, columns }, onPart) => {
        const select = `SELECT ${columns.map(pg.escapeIdentifier).join(', ')} FROM ${pg.escapeIdentifier(name)}`;
        return readRows(reader, { name, columns, select }, onPart);
      },
      readJobs: (name, onPart) => readRows(reader, { name, columns: jobColumns, select: jobsSql }, onPart),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function appliedOf(applied: Snapshot['migrations'], known: readonly Migration[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  return applied.map(({ name }) => {
    const migration = byName.get(name);
    if (migration) return migration;
    throw conflict`A newer version of Costkeep has migrated the database (${name})${fix}make the backup with that version`;
  });
}

async function open(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on('error', () => {}); // the next query reports it
  await client.connect();
  return client;
}

async function begin(client: pg.Client, sql: string): Promise<void> {
  await client.query(sql);
  // A server may limit both, and the scan of a large table may start in its middle.
  await client.query(`SET LOCAL statement_timeout = 0; ${keptIdle}; SET LOCAL synchronize_seqscans = off`);
}

async function valueOf(client: pg.Client, sql: string): Promise<string> {
  return (await client.query<{ value: string }>(sql)).rows[0]?.value ?? '';
}

/** Lists the files with their sizes: fact files from their billing months, uploaded files from their own rows. */
export async function listFiles(client: pg.ClientBase): Promise<StoredFile[]> {
  const { rows } = await client.query<{ key: string; bytes: string }>(
    `/* listFiles */ SELECT file->>'key' AS key, file->>'bytes' AS bytes
     FROM billing_periods, jsonb_array_elements(facts) AS file
     UNION SELECT storage_key, size_bytes::text FROM uploaded_files ORDER BY 1`,
  );
  return rows.map(({ key, bytes }) => ({ key, bytes: Number(bytes) }));
}

interface Selection {
  readonly name: string;
  readonly columns: readonly string[];
  readonly select: string;
}

/** Compresses each part while PostgreSQL sends the next one. */
async function readRows(client: pg.Client, { name, columns, select }: Selection, onPart: OnPart): Promise<TableRows> {
  const stream = client.query(copyTo(`COPY (${select}) TO STDOUT`, { highWaterMark: partBytes }));
  const hash = createHash('sha256');
  let waiting: Buffer[] = [];
  let bytes = 0;
  let parts = 0;
  const flush = async () => {
    const rows = Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
    parts += 1;
    await onPart(await compress(rows, { params: { [constants.ZSTD_c_compressionLevel]: 6 } }), parts, rows.length);
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= partBytes) await flush();
  }
  if (bytes > 0) await flush();
  return { name, columns: [...columns], rows: stream.rowCount, sha256: hash.digest('hex'), parts };
}
