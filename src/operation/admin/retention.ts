import type { JobName } from '../../jobs/kinds.ts';
import { cronOf } from '../../jobs/schedule.ts';
import type { Deps } from '../../kit/deps.ts';
import { openLog, type Log } from '../../kit/log.ts';

/** A job that deletes old data. */
export interface RetentionJob {
  readonly name: string;
  /** The scheduled job that runs it. */
  readonly task: JobName;
  /** Deletes what was due at that time, and logs how much. */
  run(deps: Pick<Deps, 'db' | 'log'>, now: Date): Promise<void>;
}

/** Counts of deleted or due records of a job, by kind. */
export interface Deleted {
  readonly job: string;
  /** Cron expression in UTC. */
  readonly schedule: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Longest deletion, in milliseconds. */
const timeoutMs = 600_000;

class RolledBack extends Error {}

/** Runs the retention jobs now.
 *  @param isReal false: rolls each of them back, to learn what the next run would delete */
export async function runRetention(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  jobs: readonly RetentionJob[],
  isReal: boolean,
): Promise<Deleted[]> {
  const results: Deleted[] = [];
  for (const { name, task, run } of jobs) {
    let counts: Record<string, number> = {};
    const log = countingLog((found) => (counts = found));
    const work = db.$transaction(
      async (within) => {
        await run({ db: within as Deps['db'], log }, clock.now());
        if (!isReal) throw new RolledBack();
      },
      { timeout: timeoutMs },
    );
    await work.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    results.push({ job: name, schedule: cronOf(config, task) ?? 'never', counts });
  }
  return results;
}

/** The jobs report their counts to the log. */
function countingLog(onCounts: (counts: Record<string, number>) => void): Log {
  const line = (text: string) => {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    const counts = entries.flatMap(([key, value]) =>
      typeof value === 'number' && key !== 'level' && key !== 'time' ? [[key, value] as const] : [],
    );
    onCounts(Object.fromEntries(counts));
  };
  return openLog('info', { write: line });
}
