import type { Deps } from '../kit/deps.ts';

/** Degraded: working, but not with everything that is configured. */
export type Check = 'ok' | 'degraded' | 'failed';

/** Checks the database, its migrations and the queue's tables. */
export async function readiness(
  deps: Pick<Deps, 'pool' | 'log'>,
): Promise<Record<'database' | 'migrations' | 'queue', Check>> {
  const holds = async (sql: string): Promise<Check> => {
    try {
      const { rows } = await deps.pool.query<{ ok: boolean }>(sql);
      return rows[0]?.ok === true ? 'ok' : 'failed';
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
