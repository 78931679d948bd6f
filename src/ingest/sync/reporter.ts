import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { SyncDeps } from './job.ts';
import { writeProgress, type SyncProgress } from './store.ts';

const progressEveryMs = 500;

/** Writes the latest progress at most twice a second, and learns there whether someone cancelled. */
export class Reporter {
  readonly #timer: NodeJS.Timeout;
  #latest: SyncProgress | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: Pick<SyncDeps, 'db' | 'log'>, scope: OrgScope, accountId: string, cancelled: AbortController) {
    const write = async () => {
      const progress = this.#latest ?? { phase: 'listing', percent: 0, rows: 0 };
      if (await writeProgress(deps.db, scope, accountId, progress)) cancelled.abort(new Error('cancelled'));
    };
    this.#timer = setInterval(() => {
      this.#writing = this.#writing
        .then(write)
        .catch((error: unknown) => deps.log.warn({ accountId, err: error }, 'progress was not written'));
    }, progressEveryMs);
  }

  tell(progress: SyncProgress): void {
    this.#latest = progress;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
  }
}
