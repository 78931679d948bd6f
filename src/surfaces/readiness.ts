import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../kit/deps.ts';

/** Degraded: working, but not with everything that is configured. */
export type Check = 'ok' | 'degraded' | 'failed';

/** Time after which a check without a response fails, in milliseconds. */
const LIMIT_MS = 5_000;

/** Checks the database, its migrations and the queue's tables. */
export async function readiness(
  deps: Pick<Deps, 'pool' | 'log'>,
): Promise<Record<'database' | 'migrations' | 'queue', Check>> {
  const holds = async (sql: string): Promise<Check> => {
    try {
      const answer = deps.pool.query<{ ok: boolean }>(sql);
      answer.catch(() => {});
      const limit = sleep(LIMIT_MS, null, { ref: false });
      const found = await Promise.race([answer, limit]);
      if (found === null) throw new Error(`no response within ${LIMIT_MS / 1000} seconds`);
      return found.rows[0]?.ok === true ? 'ok' : 'failed';
    } catch (err) {
      deps.log.warn({ err }, 'The server is not ready');
      return 'failed';
    }
  };
  const [database, migrations, queue] = await Promise.all([
    holds('/* readiness */ SELECT true AS ok'),
    holds(
      '/* readiness */ SELECT bool_and(finished_at IS NOT NULL OR rolled_back_at IS NOT NULL) AS ok FROM _prisma_migrations',
    ),
    holds("/* readiness */ SELECT to_regclass('graphile_worker.jobs') IS NOT NULL AS ok"),
  ]);
  return { database, migrations, queue };
}
