import { parseCronItems } from 'graphile-worker';
import type { ParsedCronItem } from 'graphile-worker';
import type { Config } from '../kit/config/config.ts';
import type { Deps } from '../kit/deps.ts';
import { nextDue } from '../kit/time/cron.ts';
import type { JobName } from './kinds.ts';
import { specOf } from './queue.ts';

/** Returns every recurring job with its cron expression in UTC. Each line runs once, however many workers there are. */
function lines(config: Config): readonly { task: JobName; match: string | null }[] {
  return [
    { task: 'sync_all', match: config.syncCron },
    { task: 'evaluate_all', match: '47 4 * * *' },
    { task: 'audit_retention', match: '17 3 * * *' },
    { task: 'identity_retention', match: '37 3 * * *' },
    { task: 'fetch_exchange_rates', match: config.exchangeRates.url === null ? null : '43 16 * * *' },
    { task: 'run_schedules', match: '* * * * *' },
    { task: 'report_retention', match: '7 3 * * *' },
    { task: 'delivery_retention', match: '57 3 * * *' },
    { task: 'backup', match: config.backup.cron },
    { task: 'collect_facts', match: '*/5 * * * *' },
  ];
}

/** Returns the schedule without the lines that the configuration disables. Its jobs are queued as their kinds define, and replace a
 *  waiting one of the same line: a clock that jumps ahead makes many of them due. */
export function schedule(config: Config): ParsedCronItem[] {
  const items = lines(config).flatMap(({ task, match }) =>
    match ? [{ task, match, identifier: task, options: { jobKey: task, ...specOf(task, {}) } }] : [],
  );
  return parseCronItems(items);
}

/** The cron expression of a recurring job; null if the configuration disables it. */
export function cronOf(config: Config, job: JobName): string | null {
  return lines(config).find(({ task }) => task === job)?.match ?? null;
}

/** The next start of a recurring job after an instant; null if the configuration disables it. */
export function nextRun(config: Config, job: JobName, after: Date): Date | null {
  const match = cronOf(config, job);
  return match === null ? null : nextDue(match, after);
}

/** Repairs the schedule after a process whose clock was ahead. graphile-worker stores when each line last ran, and does not run
 *  it again before that time; nor are the jobs that it queued due earlier.
 *  @returns the lines that were ahead of the clock of the database */
export async function correctSchedule({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `/* correctSchedule */ WITH due AS (
       UPDATE graphile_worker._private_jobs SET run_at = now()
       WHERE payload->'_cron' IS NOT NULL AND run_at > now() + interval '2 minutes' AND attempts = 0)
     UPDATE graphile_worker._private_known_crontabs SET last_execution = NULL
     WHERE last_execution > now() + interval '2 minutes' RETURNING identifier AS line`,
  );
  const ahead = rows.map(({ line }) => line).toSorted();
  if (ahead.length > 0)
    log.warn({ jobs: ahead }, 'The clock of a server was ahead of the database; its recurring jobs continue');
  return ahead;
}
