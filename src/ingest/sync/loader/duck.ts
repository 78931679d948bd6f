import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection, type DuckDBInstance as Instance } from '@duckdb/node-api';

/** Quotes a string for SQL. */
export function lit(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Quotes an identifier for SQL. */
export function ident(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A DuckDB that reaches the given files and the job's folder and nothing else: no network, no extension, no setting. */
export async function openDuck(
  jobDir: string,
  paths: readonly string[],
  memoryMiB: number,
  threads: number,
): Promise<Duck> {
  const spill = join(jobDir, 'spill');
  mkdirSync(spill, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${memoryMiB}MiB`,
    temp_directory: spill,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  for (const setting of [
    `timezone='UTC'`,
    'enable_progress_bar=true',
    'enable_progress_bar_print=false',
    `allowed_paths=[${paths.map(lit).join(',')}]`,
    `allowed_directories=[${lit(`${jobDir}/`)}]`,
    'enable_external_access=false',
    'lock_configuration=true',
  ]) {
    await connection.run(`SET ${setting}`);
  }
  return new Duck(instance, connection);
}

/** One connection, with rows as plain objects. */
export class Duck {
  readonly #instance: Instance;
  readonly connection: DuckDBConnection;

  constructor(instance: Instance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.connection = connection;
  }

  /** Another connection to the same tables, for work at the same time. */
  async beside(): Promise<Duck> {
    return new Duck(this.#instance, await this.#instance.connect());
  }

  async run(sql: string): Promise<void> {
    await this.connection.run(sql);
  }

  /** Rows with every value as text or null. */
  async rows(sql: string): Promise<Record<string, string | null>[]> {
    const reader = await this.connection.runAndReadAll(sql);
    return reader
      .getRowObjectsJson()
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)])),
      );
  }

  /** The first row's value of a column, as text. */
  async value(sql: string): Promise<string | null> {
    const [row] = await this.rows(sql);
    return row ? (Object.values(row)[0] ?? null) : null;
  }

  close(): void {
    this.connection.closeSync();
    this.#instance.closeSync();
  }
}
