import { createHash, type Hash } from 'node:crypto';
import { Writable } from 'node:stream';
import type pg from 'pg';

/** Size of every part of a file except the last, in bytes. */
export const partBytes = 256 * 1024;

/** Acquires the lock for writing a report's file, for the lifetime of the connection.
 *  @returns false if another process is writing it */
export async function lockFile(client: pg.ClientBase, reportId: string): Promise<boolean> {
  const sql = '/* lockFile */ SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
  const { rows } = await client.query<{ taken: boolean }>(sql, [`report:${reportId}`]);
  return rows[0]?.taken === true;
}

/** Releases the lock. */
export async function unlockFile(client: pg.ClientBase, reportId: string): Promise<void> {
  await client.query('/* unlockFile */ SELECT pg_advisory_unlock(hashtextextended($1, 0))', [`report:${reportId}`]);
}

/** Deletes the parts of a report's file. */
export async function deleteParts(client: pg.ClientBase, reportId: string): Promise<void> {
  await client.query('/* deleteParts */ DELETE FROM report_chunks WHERE report_id = $1', [reportId]);
}

/** Writes a part of a file.
 *  @returns false if the report is gone */
async function insertPart(
  client: pg.ClientBase,
  { reportId, part, bytes }: { reportId: string; part: number; bytes: Buffer },
): Promise<boolean> {
  const sql = `/* insertPart */ INSERT INTO report_chunks (report_id, part, bytes)
    SELECT id, $2, $3 FROM reports WHERE id = $1`;
  return (await client.query(sql, [reportId, part, bytes])).rowCount === 1;
}

/** Reads a part of a file; null if it is gone. */
export async function readPart(pool: pg.Pool, reportId: string, part: number): Promise<Buffer | null> {
  const sql = '/* readPart */ SELECT bytes FROM report_chunks WHERE report_id = $1 AND part = $2';
  const { rows } = await pool.query<{ bytes: Buffer }>(sql, [reportId, part]);
  return rows[0]?.bytes ?? null;
}

/** Thrown if the report was deleted while its file was written. */
export class ReportGone extends Error {}

/** Writes a report's file to the database part by part, with at most one part in memory. */
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

  /** Bytes written so far. */
  get size(): number {
    return this.#parts * partBytes + this.#filled;
  }

  /** SHA-256 of the finished file, in hexadecimal. */
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
