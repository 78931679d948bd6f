import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Gauge, type Metric } from 'prom-client';
import type { Config } from '../../kit/config/config.ts';
import type { Deps } from '../../kit/deps.ts';
import { conflict, fix } from '../../kit/errors/errors.ts';
import type { Log } from '../../kit/log.ts';
import { backUp } from './back-up.ts';
import { type BackupFolder, timeOf } from './places/folder.ts';
import { folderOf } from './places/place.ts';

type ScheduledDeps = Pick<Deps, 'connection' | 'factStore' | 'config' | 'clock' | 'log'>;

/** Makes a backup in BACKUP_URL, then deletes the oldest ones beyond BACKUP_KEEP.
 *  @throws {AppError} when it cannot be written, or BACKUP_URL is not set in this process; the job is retried */
export async function backUpOnSchedule(deps: ScheduledDeps, signal: AbortSignal): Promise<void> {
  const { url, keep, passphrase } = deps.config.backup;
  if (url === null)
    throw conflict`BACKUP_URL is not set in this process, which runs the scheduled backup${fix}set the same BACKUP_* variables for all servers and workers`;
  const folder = await folderOf(url, deps.config);
  const result = await backUp(deps, { folder, name: null }, { passphrase, signal });
  deps.log.info(result, 'A backup was made');
  // The next run deletes them: a failure must not repeat the backup.
  await deleteOld(folder, keep, deps.log).catch((err: unknown) =>
    deps.log.error({ err }, 'Old backups cannot be deleted'),
  );
}

async function deleteOld(folder: BackupFolder, keep: number, log: Log): Promise<void> {
  await folder.tidy();
  const stored = await folder.list();
  const old = stored.slice(0, Math.max(0, stored.length - keep));
  for (const { name } of old) await folder.remove(name);
  if (old.length > 0) log.info({ deleted: old.length }, 'Old backups were deleted');
}

/** The newest backup in BACKUP_URL.
 *  @returns null if there is none
 *  @throws {Error} when the folder or bucket cannot be listed */
export async function newestBackup(
  config: Pick<Config, 'backup' | 'clouds' | 'connectorEnvironment'>,
): Promise<{ readonly at: Date; readonly bytes: number } | null> {
  if (config.backup.url === null) return null;
  const newest = (await (await folderOf(config.backup.url, config)).list()).at(-1);
  return newest ? { at: timeOf(newest.name), bytes: newest.bytes } : null;
}

/** Cache lifetime of the listing of BACKUP_URL, in milliseconds. */
const listingMs = 300_000;

/** Time limit of the listing for the metrics, in milliseconds: less than a scrape may take. */
const listingLimitMs = 5_000;

/** Prometheus metrics of scheduled backups; none without BACKUP_CRON. They show what is stored, whichever server made it. */
export function backupMetrics({ pool, config, clock }: Pick<Deps, 'pool' | 'config' | 'clock'>): Metric[] {
  if (config.backup.cron === null) return [];
  let failedAt: Date | null = null;
  let known: Awaited<ReturnType<typeof newestBackup>> = null;
  let listed: { readonly until: number; readonly end: Promise<void> } | null = null;
  const list = async () => {
    // If the location cannot be reached, the last known value stays: the backups still exist.
    known = await newestBackup(config).catch(() => known);
  };
  const newest = async () => {
    const now = clock.now().getTime();
    if (listed === null || listed.until <= now) listed = { until: now + listingMs, end: list() };
    await Promise.race([listed.end, sleep(listingLimitMs, null, { ref: false })]);
    return known;
  };
  const seconds = (at: Date | null | undefined) => (at ? at.getTime() / 1000 : 0);
  return [
    gauge(
      'costkeep_backup_last_success_timestamp_seconds',
      'Time of the newest scheduled backup; 0: there is none',
      async () => seconds((await newest())?.at),
    ),
    gauge(
      'costkeep_backup_last_size_bytes',
      'Size of the newest scheduled backup',
      async () => (await newest())?.bytes ?? 0,
    ),
    gauge(
      'costkeep_backup_last_failure_timestamp_seconds',
      'Time of the last failure of a scheduled backup that has not succeeded since; 0: none has failed',
      async () => {
        // Without the database, the other metrics stay.
        failedAt = await lastFailure(pool).catch(() => failedAt);
        return seconds(failedAt);
      },
    ),
  ];
}

/** A backup job stays in the queue until it succeeds, whichever process runs it. The next backup reuses the key of one that failed
 *  permanently. */
async function lastFailure(pool: pg.Pool): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `/* metrics: backup */ SELECT max(updated_at) AS at FROM graphile_worker.jobs
     WHERE task_identifier = 'backup' AND key = 'backup' AND last_error IS NOT NULL`,
  );
  return rows[0]?.at ?? null;
}

function gauge(name: string, help: string, read: () => Promise<number>): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect: async function collect() {
      this.set(await read());
    },
  });
}
