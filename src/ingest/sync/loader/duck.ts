import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection, type DuckDBInstance as Instance } from '@duckdb/node-api';
import '../../../kit/duckdb-text.ts';
import { literal } from '../../../engine/sql.ts';
import { leastLoaderMemoryMiB } from './protocol.ts';

/** Resident memory outside DuckDB's limit, in MiB: Node, reader buffers, fragmentation. */
const untrackedMiB = 400;
/** Buffer of a thread writing a fact file, in MiB. */
const threadMiB = 64;

/** Opens a DuckDB that can access only the given files and the job's folder: no network, extensions or setting changes.
 *  @param memoryMiB target for the process's resident memory; DuckDB spills to the folder above its share */
export async function openDuck(
  jobDir: string,
  paths: readonly string[],
  memoryMiB: number,
  threads: number,
): Promise<Duck> {
  const spill = join(jobDir, 'spill');
  mkdirSync(spill, { recursive: true });
  const limitMiB = Math.max(leastLoaderMemoryMiB, memoryMiB) - untrackedMiB;
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(Math.min(threads, Math.floor(limitMiB / threadMiB))),
    memory_limit: `${limitMiB}MiB`,
    // Return freed memory to the system early.
    allocator_background_threads: 'true',
    allocator_flush_threshold: '4MiB',
    allocator_bulk_deallocation_flush_threshold: '16MiB',
    temp_directory: spill,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  for (const setting of [
    `timezone='UTC'`,
    // Run joins as written: rows keep the order of the left side, and memory holds the right side.
    `disabled_optimizers='join_order,build_side_probe_side'`,
    'enable_progress_bar=true',
    'enable_progress_bar_print=false',
    `allowed_paths=[${paths.map(literal).join(',')}]`,
    `allowed_directories=[${literal(`${jobDir}/`)}]`,
    'enable_external_access=false',
    'lock_configuration=true',
  ]) {
    await connection.run(`SET ${setting}`);
  }
  return new Duck(instance, connection);
}

/** One connection, with rows as plain objects. Statements of all connections to the same tables are serialized: each uses all
 *  threads and may need all memory. */
export class Duck {
  readonly #instance: Instance;
  readonly #queue: { last: Promise<unknown> };
  readonly connection: DuckDBConnection;

  constructor(
    instance: Instance,
    connection: DuckDBConnection,
    queue: { last: Promise<unknown> } = { last: Promise.resolve() },
  ) {
    this.#instance = instance;
    this.connection = connection;
    this.#queue = queue;
  }

  /** Opens another connection to the same tables. */
  async beside(): Promise<Duck> {
    return new Duck(this.#instance, await this.#instance.connect(), this.#queue);
  }

  async run(sql: string): Promise<void> {
    await this.inTurn(() => this.connection.run(sql));
  }

  /** Returns rows with every value as text or null. */
  async rows(sql: string): Promise<Record<string, string | null>[]> {
    const reader = await this.inTurn(() => this.connection.runAndReadAll(sql));
    return reader
      .getRowObjectsJson()
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)])),
      );
  }

  /** Returns the first column of the first row, as text. */
  async value(sql: string): Promise<string | null> {
    const [row] = await this.rows(sql);
    return row ? (Object.values(row)[0] ?? null) : null;
  }

  /** Runs work on the connection outside `run` and `rows`, while no other statement runs. */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.last.then(work);
    this.#queue.last = turn.catch(() => undefined);
    return turn;
  }

  close(): void {
    this.connection.closeSync();
    this.#instance.closeSync();
  }
}
