import type { Deps } from '../../kit/deps.ts';
import type { SourceFile } from '../../providers/contract.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { writeProgress, type RunningSync, type SyncProgress } from './store.ts';

/** Converts bytes read to percent: reading accounts for 90%, writing the last month for the rest. */
export class Meter {
  readonly #totalBytes: number;
  readonly #onProgress: (progress: SyncProgress) => void;
  #doneBytes = 0;
  #currentBytes = 0;

  /** @param files the files to read */
  constructor(files: readonly SourceFile[], onProgress: (progress: SyncProgress) => void) {
    this.#onProgress = onProgress;
    this.#totalBytes = Math.max(1, bytesOf(files));
  }

  begin(files: readonly SourceFile[]): void {
    this.#currentBytes = bytesOf(files);
  }

  /** Reports that reading waits for downloads. */
  waiting(rows: number): void {
    this.#report('downloading', this.#doneBytes, rows);
  }

  reading(rows: number, fraction: number): void {
    this.#report('reading', this.#doneBytes + fraction * this.#currentBytes, Math.round(rows));
  }

  end(files: readonly SourceFile[], rows: number): void {
    this.#doneBytes += bytesOf(files);
    this.#report(this.#doneBytes >= this.#totalBytes ? 'loading' : 'reading', this.#doneBytes, rows);
  }

  #report(phase: SyncProgress['phase'], bytes: number, rows: number): void {
    this.#onProgress({
      phase,
      percent: Math.min(90, Math.floor((90 * bytes) / this.#totalBytes)),
      rows,
    });
  }
}

/** Assumed size of a file of unknown size, in bytes. */
const unknownBytes = 1 << 20;

function bytesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, file) => sum + (file.sizeBytes || unknownBytes), 0);
}

const progressEveryMs = 500;

/** Writes the latest progress at most twice per second, and cancels the sync on request. */
export class Reporter {
  readonly #timer: NodeJS.Timeout;
  readonly #write: () => void;
  #latest: SyncProgress | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: Pick<Deps, 'db' | 'log'>, scope: OrgScope, sync: RunningSync, cancelled: AbortController) {
    const write = async () => {
      const progress = this.#latest ?? { phase: 'listing', percent: 0, rows: 0 };
      if (await writeProgress(deps.db, scope, sync, progress)) cancelled.abort(new Error('cancelled'));
    };
    this.#write = () => {
      this.#writing = this.#writing
        .then(write)
        .catch((error: unknown) =>
          deps.log.warn({ accountId: sync.accountId, err: error }, 'The progress of a sync could not be stored'),
        );
    };
    this.#timer = setInterval(this.#write, progressEveryMs);
  }

  report(progress: SyncProgress): void {
    this.#latest = progress;
  }

  /** Writes the last progress: a short sync has reported nothing until then. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#write();
    await this.#writing;
  }
}
