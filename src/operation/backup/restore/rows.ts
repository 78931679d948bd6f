import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { fix, invalid } from '../../../kit/errors/errors.ts';
import { jobsName, type Manifest, type TableRows } from '../archive/format.ts';
import { jobColumns } from '../snapshot.ts';

const decompress = promisify(zstdDecompress);

/** Where jobs wait until they are queued. */
const stagedJobs = 'restored_jobs';

interface Current {
  readonly table: TableRows;
  readonly copy: CopyStreamQuery;
  readonly hash: Hash;
  failure: unknown;
}

/** Fills tables from the parts of an archive, in its order. */
export class RowLoader {
  readonly #client: pg.ClientBase;
  readonly #tables: ReadonlyMap<string, TableRows>;
  #current: Current | null = null;

  constructor(client: pg.ClientBase, { tables, jobs }: Manifest) {
    this.#client = client;
    this.#tables = new Map([...tables, jobs].map((table) => [table.name, table]));
  }

  /** @param part a compressed part of the rows of `name` */
  async add(name: string, part: Buffer): Promise<void> {
    if (this.#current?.table.name !== name) {
      await this.finish();
      this.#current = await this.#start(name);
    }
    const { copy, hash } = this.#current;
    const rows = await decompress(part);
    hash.update(rows);
    if (!copy.write(rows)) await Promise.race([once(copy, 'drain'), once(copy, 'close')]);
    if (this.#current.failure !== null) throw this.#current.failure;
  }

  /** Completes the current table.
   *  @throws {AppError} VALIDATION_ERROR if its rows are not those of the manifest */
  async finish(): Promise<void> {
    const current = this.#current;
    if (current === null) return;
    this.#current = null;
    const { table, copy, hash } = current;
    const finished = once(copy, 'finish');
    copy.end();
    await finished;
    if (copy.rowCount === table.rows && hash.digest('hex') === table.sha256) return;
    throw invalid`The rows of "${table.name}" changed while the backup was read${fix}restore from a file that nothing writes to`;
  }

  async #start(name: string): Promise<Current> {
    const table = this.#tables.get(name);
    if (!table)
      throw invalid`The backup has rows of "${name}", which its manifest does not list${fix}use another backup`;
    if (name === jobsName) await this.#stageJobs();
    const target = name === jobsName ? stagedJobs : `"${name}"`;
    const columns = table.columns.map((column) => `"${column}"`).join(', ');
    const copy = this.#client.query(copyFrom(`COPY ${target} (${columns}) FROM STDIN`));
    const current: Current = { table, copy, hash: createHash('sha256'), failure: null };
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

/** Replaces the queue by the jobs of the archive, each with all its attempts. graphile-worker's own tables stay those of this
 *  version.
 *  @returns their number */
export async function queueJobs(client: pg.ClientBase, { jobs }: Manifest): Promise<number> {
  await client.query('DELETE FROM graphile_worker._private_jobs');
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
