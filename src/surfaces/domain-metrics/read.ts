import type pg from 'pg';
import { grainCodes, rollups } from '../../engine/codebook.ts';
import type { Deps } from '../../kit/deps.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import { dayOf, firstDay, monthOf } from '../../kit/time/period.ts';

/** Maximum number of accounts with separate series: those with the oldest syncs. */
export const maxAccounts = 500;

/** Time limit of each query of a scrape, in milliseconds. */
const queryMs = 5_000;

/** A connected account and its latest sync. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  /** Seconds since the last successful sync; since the connection if there was none. */
  readonly age: number;
  /** Seconds that the last finished sync took; null while one runs, or before the first. */
  readonly duration: number | null;
  /** Line items that the last sync read; null before the first. */
  readonly rows: number | null;
  /** Line items of all loaded billing months. */
  readonly lineItems: number;
}

/** Jobs of one kind in one state. */
export interface JobRow {
  readonly kind: string;
  readonly state: 'waiting' | 'scheduled' | 'running' | 'retrying' | 'failed';
  readonly jobs: number;
  /** Seconds that the oldest due job has waited; null if none is due. */
  readonly oldest: number | null;
}

/** State of the database for the metrics, of all organizations. */
export interface DomainState {
  readonly accounts: readonly AccountRow[];
  readonly statuses: readonly { readonly status: string; readonly accounts: number }[];
  readonly jobs: readonly JobRow[];
  readonly deliveries: readonly { readonly channel: string; readonly result: string; readonly deliveries: number }[];
  /** Empty unless `METRICS_COSTS` is on. */
  readonly costs: readonly { readonly accountId: string; readonly currency: string; readonly cost: number }[];
}

/** Reads the state on one connection, with a time limit. Whichever process runs syncs and jobs, one scrape of a server is
 *  complete. */
export function readDomainState({
  pool,
  config,
  clock,
}: Pick<Deps, 'pool' | 'config' | 'clock'>): Promise<DomainState> {
  return inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${queryMs}`);
    const accounts = await rowsOf<AccountRow>(client, accountsSql, [maxAccounts]);
    const month = firstDay(monthOf(dayOf(clock.now())));
    return {
      accounts,
      statuses: await rowsOf(client, statusesSql),
      jobs: await rowsOf<JobRow>(client, jobsSql),
      deliveries: await rowsOf(client, deliveriesSql),
      costs: config.metricsCosts ? await rowsOf(client, costsSql, [accounts.map(({ id }) => id), month]) : [],
    };
  });
}

async function rowsOf<Row extends object>(client: pg.ClientBase, sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await client.query<Row>(sql, values)).rows;
}

const accountsSql = `/* metrics: accounts */ SELECT a.id, a.name, a.provider::text AS provider,
  extract(epoch FROM now() - coalesce(s.last_synced_at, a.created_at))::float8 AS age,
  CASE WHEN s.finished_at >= s.started_at THEN extract(epoch FROM s.finished_at - s.started_at)::float8 END AS duration,
  s.rows::float8 AS rows,
  (SELECT coalesce(sum(b.line_items), 0)::float8 FROM billing_periods b
   WHERE b.organization_id = a.organization_id AND b.account_id = a.id) AS "lineItems"
  FROM accounts a JOIN account_syncs s ON s.organization_id = a.organization_id AND s.account_id = a.id
  WHERE a.status = 'connected'
  ORDER BY coalesce(s.last_synced_at, a.created_at), a.id LIMIT $1`;

const statusesSql = `/* metrics: statuses */ SELECT s.status::text AS status, count(*)::int AS accounts
  FROM accounts a JOIN account_syncs s ON s.organization_id = a.organization_id AND s.account_id = a.id
  WHERE a.status = 'connected' GROUP BY 1`;

const jobsSql = `/* metrics: jobs */ SELECT task_identifier AS kind,
  CASE WHEN locked_at IS NOT NULL THEN 'running' WHEN attempts >= max_attempts THEN 'failed'
    WHEN last_error IS NOT NULL THEN 'retrying' WHEN run_at > now() THEN 'scheduled' ELSE 'waiting' END AS state,
  count(*)::int AS jobs,
  (extract(epoch FROM now() - min(run_at) FILTER (
    WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now())))::float8 AS oldest
  FROM graphile_worker.jobs GROUP BY 1, 2`;

const deliveriesSql = `/* metrics: deliveries */ SELECT channel, status::text AS result, count(*)::int AS deliveries
  FROM deliveries WHERE created_at > now() - interval '1 day' GROUP BY 1, 2`;

const costsSql = `/* metrics: costs */ SELECT account_id AS "accountId", currency, sum(effective)::float8 AS cost
  FROM cost_rollups WHERE account_id = ANY($1::uuid[]) AND rollup = ${rollups.total.code} AND grain = ${grainCodes.month}
  AND date = $2 GROUP BY 1, 2`;
