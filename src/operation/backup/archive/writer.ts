import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Pack, pack, type Header as TarHeader } from 'tar-stream';
import type { Sink } from '../places/folder.ts';
import { digestName, type EntryDigest, type Header, headerName, type Manifest, manifestName } from './format.ts';

/** Writes a backup as a tar file, entry by entry, at the speed of its destination. */
export class ArchiveWriter {
  readonly #pack: Pack = pack();
  readonly #written: Promise<void>;
  readonly #entries: EntryDigest[] = [];
  readonly #createdAt: Date;
  #failure: unknown = null;

  constructor(sink: Sink, header: Header) {
    this.#createdAt = new Date(header.createdAt);
    this.#written = this.#pump(sink);
    // Reported by the next entry, or by `finish`.
    this.#written.catch(() => {});
  }

  async addHeader(header: Header): Promise<void> {
    await this.add(headerName, json(header));
  }

  async add(name: string, content: Buffer): Promise<void> {
    await this.#add(name, content.length, [content]);
  }

  /** Adds a file of this size.
   *  @throws {Error} if it has another size */
  async addFile(name: string, file: string, bytes: number): Promise<void> {
    await this.#add(name, bytes, createReadStream(file, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>);
  }

  /** Completes the archive. */
  async finish(manifest: Omit<Manifest, 'entries'>): Promise<void> {
    const content = json({ ...manifest, entries: this.#entries });
    await this.add(manifestName, content);
    await this.add(digestName, Buffer.from(`${sha256(content)}\n`));
    this.#pack.finalize();
    await this.#written;
  }

  /** Gives up: the current entry fails with the reason. */
  destroy(reason: unknown): void {
    this.#failure ??= reason;
    this.#pack.destroy(errorOf(reason));
  }

  async #pump(sink: Sink): Promise<void> {
    try {
      // Its own failure first: the end of the loop destroys the stream without a reason.
      for await (const chunk of this.#pack as AsyncIterable<Buffer>)
        await sink.write(chunk).catch((error: unknown) => {
          this.#failure ??= error;
          throw error;
        });
    } catch (error) {
      this.destroy(error);
      throw error;
    }
  }

  async #add(name: string, bytes: number, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    this.#throwIfFailed();
    const hash = createHash('sha256');
    const header: Partial<TarHeader> & { name: string } = { name, size: bytes, mode: 0o600, mtime: this.#createdAt };
    const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
    const entry = this.#pack.entry(header, (error) => (error ? reject(error) : resolve()));
    closed.catch(() => {});
    for await (const chunk of chunks) {
      hash.update(chunk);
      if (entry.write(chunk)) continue;
      if (entry.destroying) break;
      await new Promise<void>((go) => void entry.once('drain', go).once('close', go));
      this.#throwIfFailed();
    }
    entry.end(null);
    await closed.catch((error: unknown) => {
      this.#throwIfFailed();
      throw error;
    });
    this.#entries.push({ name, bytes, sha256: hash.digest('hex') });
  }

  #throwIfFailed(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
