import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import type { Migration } from '../../../kit/database/migrate.ts';
import { type AppError, fix, invalid } from '../../../kit/errors/errors.ts';
import { edited, quoted } from '../archive/faults.ts';
import { jobsName, maxPartBytes, type Manifest, type TableRows } from '../archive/format.ts';
import { listSequences, listTables } from '../own-objects.ts';
import { jobColumns } from '../snapshot.ts';

const decompress = promisify(zstdDecompress);

/** Temporary table of the jobs until they are queued. */
const stagedJobs = 'restored_jobs';

interface Current {
  readonly table: TableRows;
  readonly copy: CopyStreamQuery;
  readonly hash: Hash;
  parts: number;
  failure: Error | null;
}

/** Fills tables from the parts of an archive, in its order. */
export class RowLoader {
  readonly #client: pg.ClientBase;
  /** Tables whose parts have not been read yet. */
  readonly #waiting: Map<string, TableRows>;
  #current: Current | null = null;

  private constructor(client: pg.ClientBase, { tables, jobs }: Manifest) {
    this.#client = client;
    this.#waiting = new Map([...tables, jobs].map((table) => [table.name, table]));
  }

  /** @param migrations those that created the empty tables
   *  @throws {AppError} VALIDATION_ERROR if the archive has tables, columns or sequences that they do not create */
  static async open(client: pg.ClientBase, manifest: Manifest, migrations: readonly Migration[]): Promise<RowLoader> {
    const { own } = await listTables(client, migrations);
    const sequences = await listSequences(client, own);
    const columnsOf = new Map([...own, { name: jobsName, columns: jobColumns }].map((it) => [it.name, it.columns]));
    for (const { name, columns } of [...manifest.tables, manifest.jobs]) {
      const known = columnsOf.get(name);
      const unknown = columns.find((column) => !known?.includes(column));
      if (known === undefined) throw foreignIn(`a table "${name}"`);
      if (unknown !== undefined) throw foreignIn(`a column "${name}.${unknown}"`);
    }
    const other = manifest.sequences.find(({ name }) => sequences.own.every((sequence) => sequence.name !== name));
    if (other) throw foreignIn(`a sequence "${other.name}"`);
    return new RowLoader(client, manifest);
  }

  /** @param part a compressed part of the rows of `name` */
  async add(name: string, part: Buffer): Promise<void> {
    if (this.#current?.table.name !== name) {
      await this.finish();
      this.#current = await this.#start(name);
    }
    const current = this.#current;
    const { copy, hash } = current;
    const rows = await decompress(part, { maxOutputLength: maxPartBytes }).catch((cause: unknown) => {
      throw edited(`a part of the rows of ${quoted(name)} cannot be decompressed`, cause);
    });
    hash.update(rows);
    current.parts += 1;
    // A failed stream accepts nothing, and never drains.
    if (current.failure === null && !copy.write(rows)) await untilDrained(copy);
    throwFailure(current);
  }

  /** Completes the current table.
   *  @throws {AppError} VALIDATION_ERROR if PostgreSQL rejects its rows, or they are not those of the manifest */
  async finish(): Promise<void> {
    const current = this.#current;
    if (current === null) return;
    this.#current = null;
    throwFailure(current);
    const { table, copy, hash, parts } = current;
    copy.end();
    await finished(copy).catch((error: Error) => (current.failure ??= error));
    throwFailure(current);
    if (copy.rowCount === table.rows && parts === table.parts && hash.digest('hex') === table.sha256) return;
    throw invalid`The rows of "${table.name}" changed while the backup was read${fix}restore from a file that nothing writes to`;
  }

  /** Completes the last table.
   *  @throws {AppError} VALIDATION_ERROR if rows of the manifest are not in the archive */
  async finishAll(): Promise<void> {
    await this.finish();
    const missing = [...this.#waiting.values()].find(({ rows }) => rows > 0);
    if (!missing) return;
    throw edited(`it has no rows of "${missing.name}", where its manifest has ${missing.rows}`);
  }

  async #start(name: string): Promise<Current> {
    const table = this.#waiting.get(name);
    this.#waiting.delete(name);
    if (!table) throw edited(`it has rows of "${name}" where its manifest does not list them`);
    if (name === jobsName) await this.#stageJobs();
    const target = pg.escapeIdentifier(name === jobsName ? stagedJobs : name);
    const columns = table.columns.map(pg.escapeIdentifier).join(', ');
    const copy = this.#client.query(copyFrom(`COPY ${target} (${columns}) FROM STDIN`));
    const current: Current = { table, copy, hash: createHash('sha256'), parts: 0, failure: null };
    copy.on('error', (error) => (current.failure ??= error));
    return current;
  }

  async #stageJobs(): Promise<void> {
    const types = { run_at: 'timestamptz', max_attempts: 'integer', priority: 'integer', payload: 'json' };
    const columns = jobColumns.map((name) => `${name} ${name in types ? types[name as keyof typeof types] : 'text'}`);
    await this.#client.query(
      `CREATE TEMP TABLE ${stagedJobs} (position bigserial, ${columns.join(', ')}) ON COMMIT DROP`,
    );
  }
}

/** Also ends when the stream fails, which `throwFailure` reports. */
async function untilDrained(copy: CopyStreamQuery): Promise<void> {
  await Promise.race([once(copy, 'drain'), once(copy, 'close')]).catch(() => {});
}

function throwFailure({ table, failure }: Current): void {
  if (failure === null) return;
  const error = invalid`The rows of "${table.name}" cannot be restored: ${failure.message}${fix}use another backup, or check the log of the database`;
  error.cause = failure;
  throw error;
}

function foreignIn(thing: string): AppError {
  return edited(`it has ${thing}, which no migration of its version creates`);
}

/** Replaces the queue with the jobs of the archive, each with all its attempts. graphile-worker's own tables stay those of this
 *  version.
 *  @returns their number */
export async function queueJobs(client: pg.ClientBase, { jobs }: Manifest): Promise<number> {
  await client.query('DELETE FROM graphile_worker._private_jobs');
  // They also hold the locks of jobs that ran when a server died.
  await client.query('DELETE FROM graphile_worker._private_job_queues');
  if (jobs.rows === 0) return 0;
  await client.query(
    `/* queueJobs */ SELECT graphile_worker.add_job(task_identifier, payload := payload, queue_name := queue_name,
       run_at := run_at, max_attempts := max_attempts, job_key := key, priority := priority)
     FROM (SELECT * FROM ${stagedJobs} ORDER BY position) AS jobs`,
  );
  return jobs.rows;
}

/** Sets the sequences to the values of the archive. */
export async function setSequences(client: pg.ClientBase, { sequences }: Manifest): Promise<void> {
  for (const { name, value, isCalled } of sequences)
    await client.query('SELECT setval(quote_ident($1)::regclass, $2::bigint, $3)', [name, value, isCalled]);
}
