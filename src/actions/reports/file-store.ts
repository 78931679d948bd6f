import { createHash, type Hash } from 'node:crypto';
import { Writable } from 'node:stream';
import type pg from 'pg';

/** Bytes of every part of a file but its last. */
export const partBytes = 256 * 1024;

/** Keeps others from writing a report's file, as long as the connection lives.
 *  @returns false when somebody else writes it */
export async function lockFile(client: pg.ClientBase, reportId: string): Promise<boolean> {
  const sql = '/* lockFile */ SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
  const { rows } = await client.query<{ taken: boolean }>(sql, [`report:${reportId}`]);
  return rows[0]?.taken === true;
}

/** Lets others write it again. */
export async function unlockFile(client: pg.ClientBase, reportId: string): Promise<void> {
  await client.query('/* unlockFile */ SELECT pg_advisory_unlock(hashtextextended($1, 0))', [`report:${reportId}`]);
}

/** Deletes what there is of a report's file. */
export async function deleteParts(client: pg.ClientBase, reportId: string): Promise<void> {
  await client.query('/* deleteParts */ DELETE FROM report_chunks WHERE report_id = $1', [reportId]);
}

/** Writes a part of a file.
 *  @returns false when the report is gone */
async function insertPart(
  client: pg.ClientBase,
  { reportId, part, bytes }: { reportId: string; part: number; bytes: Buffer },
): Promise<boolean> {
  const sql = `/* insertPart */ INSERT INTO report_chunks (report_id, part, bytes)
    SELECT id, $2, $3 FROM reports WHERE id = $1`;
  return (await client.query(sql, [reportId, part, bytes])).rowCount === 1;
}

/** A part of a file; null when it is gone. */
export async function readPart(pool: pg.Pool, reportId: string, part: number): Promise<Buffer | null> {
  const sql = '/* readPart */ SELECT bytes FROM report_chunks WHERE report_id = $1 AND part = $2';
  const { rows } = await pool.query<{ bytes: Buffer }>(sql, [reportId, part]);
  return rows[0]?.bytes ?? null;
}

/** The report whose file is being written was deleted. */
export class ReportGone extends Error {}

/** Writes a report's file into the database, part by part; never more than one part of it is in memory. */
export class FileSink extends Writable {
  readonly #client: pg.ClientBase;
  readonly #reportId: string;
  readonly #hash: Hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafe(partBytes);
  #filled = 0;
  #parts = 0;

  constructor(client: pg.ClientBase, reportId: string) {
    super({ highWaterMark: partBytes });
    this.#client = client;
    this.#reportId = reportId;
  }

  /** Bytes so far. */
  get size(): number {
    return this.#parts * partBytes + this.#filled;
  }

  /** SHA-256 of the file in hexadecimal digits, once it has ended. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    void settle(this.#take(chunk), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    void settle(this.#flush(), done);
  }

  async #take(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(this.#buffer, this.#filled, at);
      this.#filled += copied;
      at += copied;
      if (this.#filled === partBytes) {
        await this.#put();
        this.#parts += 1;
        this.#filled = 0;
      }
    }
  }

  async #flush(): Promise<void> {
    if (this.#filled > 0) await this.#put();
  }

  async #put(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#filled);
    const isThere = await insertPart(this.#client, { reportId: this.#reportId, part: this.#parts, bytes });
    if (!isThere) throw new ReportGone(`Report ${this.#reportId} was deleted`);
  }
}

async function settle(work: Promise<void>, done: (error?: Error | null) => void): Promise<void> {
  try {
    await work;
  } catch (error) {
    return done(error instanceof Error ? error : new Error(String(error)));
  }
  done();
}
