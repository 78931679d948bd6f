import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { FactFile } from '../../engine/fact-set.ts';
import type { ControlTotals } from '../../engine/codebook.ts';
import { lockAccount } from '../../kit/database/account-lock.ts';
import type { UpgradeProgress } from './progress.ts';
import { factsSql } from './facts-sql.ts';

/** A billing month whose facts are still in `cost_facts`. */
export interface OldMonth {
  readonly accountId: string;
  readonly organizationId: string;
  /** `YYYY-MM` */
  readonly month: string;
  readonly loadId: string;
  /** First and last charge day. */
  readonly dataFrom: string;
  readonly dataTo: string;
  /** As recorded when it was loaded. */
  readonly totals: readonly ControlTotals[];
}

/** Not converted yet, or converted from a load that a server of the previous version has replaced since. Keys of fact files
 *  hold the load's id. */
const isOld = `line_items > 0 AND (facts = '[]' OR facts->0->>'key' NOT LIKE '%' || load_id || '%')`;

/** How many billing months are converted. */
export async function readProgress(client: pg.ClientBase): Promise<UpgradeProgress> {
  const { rows } = await client.query<UpgradeProgress>(
    `/* readProgress */ SELECT (count(*) FILTER (WHERE NOT (${isOld})))::int AS done, count(*)::int AS "of"
     FROM billing_periods WHERE line_items > 0`,
  );
  return rows[0] ?? { done: 0, of: 0 };
}

/** Whether the database is between the two migrations: billing months point to files, and the old facts are there. */
export async function isUpgrading(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `/* isUpgrading */ SELECT to_regclass('cost_facts') IS NOT NULL AND EXISTS (SELECT 1 FROM pg_attribute
     WHERE attrelid = to_regclass('billing_periods') AND attname = 'facts') AS is`,
  );
  return rows[0]?.is === true;
}

/** The newest billing month that is not converted; null when all are. */
export async function nextOldMonth(client: pg.ClientBase): Promise<OldMonth | null> {
  const { rows } = await client.query<OldMonth>(
    `/* nextOldMonth */ SELECT account_id AS "accountId", organization_id AS "organizationId", to_char(period, 'YYYY-MM') AS month,
       load_id AS "loadId", data_from::text AS "dataFrom", data_to::text AS "dataTo", totals
     FROM billing_periods WHERE ${isOld} ORDER BY period DESC, account_id LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** The rows of a month. COPY takes no parameters. */
function rowsOf(client: pg.ClientBase, { accountId, month, dataFrom, dataTo }: OldMonth): string {
  const [account, period, from, to] = [accountId, `${month}-01`, dataFrom, dataTo].map((text) =>
    client.escapeLiteral(text),
  );
  return `f.account_id = ${account} AND f.billing_period = ${period} AND f.charge_date BETWEEN ${from} AND ${to}`;
}

/** Writes a month's facts as CSV with the columns of a fact file. */
export async function exportFacts(client: pg.ClientBase, month: OldMonth, path: string): Promise<void> {
  const sql = factsSql(client.escapeLiteral(month.accountId), rowsOf(client, month));
  const copy = client.query(copyTo(`COPY (${sql}) TO STDOUT (FORMAT csv, HEADER)`));
  await pipeline(copy, createWriteStream(path, { mode: 0o600 }));
}

/** The sums of a month's facts in the database. */
export async function sumFacts(client: pg.ClientBase, month: OldMonth): Promise<ControlTotals[]> {
  const { rows } = await client.query<ControlTotals>(
    `/* sumFacts */ SELECT f.currency, sum(f.line_items)::float8 AS "lineItems", sum(f.billed)::text AS billed,
       sum(f.effective)::text AS effective, sum(f.list)::text AS list, sum(f.contracted)::text AS contracted
     FROM cost_facts f WHERE ${rowsOf(client, month)} GROUP BY f.currency`,
  );
  return rows;
}

/** Makes a month point to its fact files, unless it was loaded again meanwhile.
 *  @param now when files that it pointed to before are retired */
export async function recordFacts(
  client: pg.ClientBase,
  month: OldMonth,
  facts: readonly FactFile[],
  now: Date,
): Promise<void> {
  const key = [month.accountId, `${month.month}-01`];
  await client.query('BEGIN');
  try {
    await lockAccount(client, month.accountId);
    await client.query(
      `/* recordFacts */ INSERT INTO retired_fact_files (key, retired_at)
       SELECT file->>'key', $3 FROM billing_periods, jsonb_array_elements(facts) AS file
       WHERE account_id = $1 AND period = $2 AND load_id = $4 AND ${isOld} ON CONFLICT DO NOTHING`,
      [...key, now, month.loadId],
    );
    await client.query(
      `/* recordFacts */ UPDATE billing_periods SET facts = $3 WHERE account_id = $1 AND period = $2 AND load_id = $4 AND ${isOld}`,
      [...key, JSON.stringify(facts), month.loadId],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}); // a broken connection has rolled back already
    throw error;
  }
}
