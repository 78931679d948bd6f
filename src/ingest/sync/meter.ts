import type { SourceFile } from '../../providers/contract.ts';
import type { SyncProgress } from './store.ts';

/** Turns bytes read into percent: reading makes nine tenths, writing the last month the rest. */
export class Meter {
  readonly #totalBytes: number;
  readonly #onProgress: (progress: SyncProgress) => void;
  #doneBytes = 0;
  #currentBytes = 0;

  /** @param files those that will be read */
  constructor(files: readonly SourceFile[], onProgress: (progress: SyncProgress) => void) {
    this.#onProgress = onProgress;
    this.#totalBytes = Math.max(1, bytesOf(files));
  }

  begin(files: readonly SourceFile[]): void {
    this.#currentBytes = bytesOf(files);
  }

  /** Nothing is read until files are here. */
  waiting(rows: number): void {
    this.#tell('downloading', this.#doneBytes, rows);
  }

  reading(rows: number, fraction: number): void {
    this.#tell('reading', this.#doneBytes + fraction * this.#currentBytes, Math.round(rows));
  }

  end(files: readonly SourceFile[], rows: number): void {
    this.#doneBytes += bytesOf(files);
    this.#tell(this.#doneBytes >= this.#totalBytes ? 'loading' : 'reading', this.#doneBytes, rows);
  }

  #tell(phase: SyncProgress['phase'], bytes: number, rows: number): void {
    this.#onProgress({
      phase,
      percent: Math.min(90, Math.floor((90 * bytes) / this.#totalBytes)),
      rows,
    });
  }
}

/** What a file counts whose size is not known before it is fetched. */
const unknownBytes = 1 << 20;

function bytesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, file) => sum + (file.sizeBytes || unknownBytes), 0);
}
