import { createHash, type Hash } from 'node:crypto';
import { Writable } from 'node:stream';
import type pg from 'pg';
import { insertPart, partBytes } from './chunk-store.ts';

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
