import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  costMetrics,
  grainCodes,
  loadedColumns,
  rollups,
  totalsOf,
  type ControlTotals,
  type CostRepair,
  type DictionaryTable,
  type MonthTable,
} from '../../engine/codebook.ts';
import type { FactFile } from '../../engine/fact-set.ts';
import { lockAccount, preempt } from '../../kit/database/account-lock.ts';
import { vacuum } from '../../kit/database/tidy.ts';
import { retireFacts } from '../../kit/database/retire-facts.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import { conflict, fix } from '../../kit/errors/errors.ts';
import type { Month } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { deleteEvaluations } from '../allocation/evaluation-store.ts';

/** A billing month whose fact files are in the store, and whose sums are ready for COPY. */
export interface LoadedMonth {
  month: Month;
  /** Changes whenever a figure, a name or a tag changes. */
  digest: string;
  lineItems: number;
  totals: readonly ControlTotals[];
  repairs: readonly CostRepair[];
  /** First and last charge day. */
  dataFrom: string;
  dataTo: string;
  facts: readonly FactFile[];
  /** CSV file per table of the month, with the columns of `loadedColumns`. */
  files: Readonly<Record<MonthTable, string>>;
  /** CSV files of new dictionary entries, oldest first. */
  entries: Readonly<Partial<Record<DictionaryTable, readonly string[]>>>;
}

/** The source of a month's load. */
export interface LoadOrigin {
  accountId: string;
  loadId: string;
  sourceToken: string;
  snapshotAt: Date | null;
  now: Date;
}

/** Days for which providers still add charges, including today: bills are complete through the day before these. */
const settlingDays = 2;

/** Replaces a billing month in one transaction: readers see either the old month or the new one, including its fact files.
 *  Changes nothing if the sums in the database differ from those of the files.
 *  @returns the number of replaced sums
 *  @throws {AppError} CONFLICT when the account was disconnected, or the month's snapshot is older than the loaded one */
export async function replaceBillingMonth(
  pool: pg.Pool,
  scope: OrgScope,
  origin: LoadOrigin,
  month: LoadedMonth,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    await preempt(client, origin.accountId);
    await lockAccount(client, origin.accountId);
    const before = await checkStillWanted(client, scope, origin, month.month);
    const place = before && { ...before, month: month.month };
    const replaced = place ? await deleteMonth(client, scope, origin.accountId, place) : 0;
    await copyMonth(client, month, await isNewestMonth(client, scope, origin.accountId, month.month));
    await compareTotals(client, origin.accountId, month);
    await compareInvoices(client, origin.accountId, month);
    const { organizationId } = scope;
    await retireFacts(client, { organizationId, accountId: origin.accountId, month: month.month }, origin.now);
    await recordPeriod(client, scope, origin, month);
    await refreshAccount(client, scope, origin);
    return replaced;
  });
}

/** Deletes a billing month that its delivery no longer contains, in one transaction.
 *  @throws {AppError} CONFLICT when the account was disconnected */
export async function clearBillingMonth(
  pool: pg.Pool,
  scope: OrgScope,
  { accountId, now }: Pick<LoadOrigin, 'accountId' | 'now'>,
  month: Month,
): Promise<void> {
  const { organizationId } = scope;
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const before = await checkStillWanted(client, scope, { accountId, snapshotAt: null }, month);
    if (!before) return;
    await deleteMonth(client, scope, accountId, { ...before, month });
    await retireFacts(client, { organizationId, accountId, month }, now);
    await client.query(
      '/* clearBillingMonth */ DELETE FROM billing_periods WHERE account_id = $1 AND organization_id = $2 AND period = $3',
      [accountId, organizationId, `${month}-01`],
    );
    await refreshAccount(client, scope, { accountId, now });
  });
}

/** Records that a billing month was read from other files with equal content: neither the month nor any answer changes.
 *  @throws {AppError} CONFLICT when the account was disconnected, or the month's snapshot is older than the loaded one */
export async function keepBillingMonth(
  pool: pg.Pool,
  scope: OrgScope,
  origin: LoadOrigin,
  { month, repairs }: Pick<LoadedMonth, 'month' | 'repairs'>,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockAccount(client, origin.accountId);
    await checkStillWanted(client, scope, origin, month);
    await client.query(
      `/* keepBillingMonth */ UPDATE billing_periods SET source_token = $4, snapshot_at = $5, repairs = $6
       WHERE account_id = $1 AND organization_id = $2 AND period = $3`,
      [
        origin.accountId,
        scope.organizationId,
        `${month}-01`,
        origin.sourceToken,
        origin.snapshotAt,
        JSON.stringify(repairs),
      ],
    );
  });
}

/** Frees the space of replaced months, and refreshes planner statistics: until then, a join may take a hundred times as long. */
export async function tidyLoaded(pool: pg.Pool): Promise<void> {
  await vacuum(pool, Object.keys(loadedColumns));
}

/** Share of the table of sums from which its replaced rows are freed while a load goes on. */
const notableShare = 0.1;

/** Frees the rows of replaced months for the next months of the same load if they are many: otherwise a load that replaces every
 *  month would double the table.
 *  @param replaced rows that have been deleted since the last call that freed them
 *  @returns whether they were freed */
export async function freeReplaced(pool: pg.Pool, replaced: number): Promise<boolean> {
  const { rows } = await pool.query<{ rows: number }>(
    `/* freeReplaced */ SELECT reltuples AS rows FROM pg_class WHERE oid = 'cost_rollups'::regclass`,
  );
  if (replaced < Math.max(1_000, (rows[0]?.rows ?? 0) * notableShare)) return false;
  await vacuum(pool, ['cost_rollups']);
  return true;
}

/** Location of a loaded billing month's rows: the range of charge days that contains them all. */
interface MonthPlace {
  month: Month;
  dataFrom: string;
  dataTo: string;
}

/** Checks that the account is still connected and that no newer snapshot of the month is loaded.
 *  @returns the location of the rows of the month's last load; null if there is none
 *  @throws {AppError} CONFLICT */
async function checkStillWanted(
  client: pg.ClientBase,
  scope: OrgScope,
  origin: Pick<LoadOrigin, 'accountId' | 'snapshotAt'>,
  month: Month,
): Promise<Omit<MonthPlace, 'month'> | null> {
  const { rows } = await client.query<{
    status: string;
    snapshot_at: Date | null;
    data_from: string | null;
    data_to: string | null;
  }>(
    `/* checkStillWanted */ SELECT a.status, p.snapshot_at, p.data_from::text, p.data_to::text FROM accounts a
     LEFT JOIN billing_periods p ON p.account_id = a.id AND p.period = $3 WHERE a.id = $1 AND a.organization_id = $2`,
    [origin.accountId, scope.organizationId, `${month}-01`],
  );
  const [row] = rows;
  if (row?.status !== 'connected') throw conflict`The account was disconnected while its sync ran`;
  if (origin.snapshotAt && row.snapshot_at && origin.snapshotAt < row.snapshot_at) {
    throw conflict`${month}: the snapshot of ${origin.snapshotAt.toISOString()} is older than the loaded one of ${row.snapshot_at.toISOString()}${fix}deliver the newer one again`;
  }
  return row.data_from && row.data_to ? { dataFrom: row.data_from, dataTo: row.data_to } : null;
}

const kinds = Object.values(rollups);

/** Finds a billing month's rows through the index that answers use; an index on only the billing month would slow down
 *  every load. Parameters: account, billing month, first and last charge day. */
const rollupsOfMonth = `account_id = $1 AND billing_period = $2 AND rollup = ANY('{${kinds.map(({ code }) => code).join(',')}}')
  AND grain = ANY('{${Object.values(grainCodes).join(',')}}') AND date BETWEEN date_trunc('month', $3::date)::date AND $4`;

async function deleteMonth(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
  place: MonthPlace,
): Promise<number> {
  const parameters = [accountId, `${place.month}-01`, place.dataFrom, place.dataTo, scope.organizationId];
  const { rowCount } = await client.query(
    `/* deleteMonth */ DELETE FROM cost_rollups WHERE ${rollupsOfMonth} AND organization_id = $5`,
    parameters,
  );
  await deleteEvaluations(client, scope, accountId, `${place.month}-01`);
  await client.query(
    '/* deleteMonth */ DELETE FROM invoice_sums WHERE account_id = $1 AND billing_period = $2 AND organization_id = $3',
    [accountId, `${place.month}-01`, scope.organizationId],
  );
  await client.query(
    '/* deleteMonth */ DELETE FROM tag_keys WHERE account_id = $1 AND period = $2 AND organization_id = $3',
    [accountId, `${place.month}-01`, scope.organizationId],
  );
  return rowCount ?? 0;
}

/** Returns whether the account has no bill of a later month. Months are loaded newest first, and the newest bill sets the names. */
async function isNewestMonth(
  client: pg.ClientBase,
  { organizationId }: OrgScope,
  accountId: string,
  month: Month,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `/* isNewestMonth */ SELECT 1 FROM billing_periods
     WHERE account_id = $1 AND organization_id = $2 AND period > $3 LIMIT 1`,
    [accountId, organizationId, `${month}-01`],
  );
  return rowCount === 0;
}

/** Copies the dictionary entries and the sums of a month into the database.
 *  @param renames whether its names replace those of earlier loads */
async function copyMonth(client: pg.ClientBase, { entries, files }: LoadedMonth, renames: boolean): Promise<void> {
  for (const [table, paths] of Object.entries(entries) as [DictionaryTable, readonly string[]][])
    for (const path of paths) await mergeEntries(client, table, path, renames);
  await copyFile(client, 'tag_keys', loadedColumns.tag_keys, files.tag_keys);
  await copyFile(client, 'invoice_sums', loadedColumns.invoice_sums, files.invoice_sums);
  await copyFile(client, 'cost_rollups', loadedColumns.cost_rollups, files.cost_rollups);
}

interface Dictionary {
  primaryKey: readonly string[];
  /** Columns that the id is derived from: two entries with one id must not differ in them. */
  key: readonly string[];
  /** Descriptive columns that the newest bill can change. */
  names?: readonly string[];
}

const byId = ['account_id', 'id'];

/** The dictionaries of the rollups. They only grow: an unused entry does no harm. */
const dictionaries: Readonly<Record<DictionaryTable, Dictionary>> = {
  services: { primaryKey: byId, key: ['provider', 'name', 'category'] },
  regions: { primaryKey: byId, key: ['provider', 'code'], names: ['name'] },
  sub_accounts: { primaryKey: byId, key: ['provider', 'code'], names: ['name', 'billing_account_id'] },
  tag_pairs: { primaryKey: ['account_id', 'tag_set_id', 'key_id'], key: [] },
  tag_values: { primaryKey: byId, key: ['value'] },
};

async function mergeEntries(
  client: pg.ClientBase,
  table: DictionaryTable,
  path: string,
  renames: boolean,
): Promise<void> {
  const { key, primaryKey, ...dictionary } = dictionaries[table];
  const names = renames ? (dictionary.names ?? []) : [];
  const stage = `stage_${table}`;
  await client.query(`CREATE TEMP TABLE ${stage} (LIKE ${table})`);
  await copyFile(client, stage, loadedColumns[table], path);
  await refuseCollision(client, table, stage, key);
  const list = loadedColumns[table].join(', ');
  const changed = names.map((column) => `${table}.${column} IS DISTINCT FROM excluded.${column}`).join(' OR ');
  const update = names.map((column) => `${column} = excluded.${column}`).join(', ');
  await client.query(
    `/* mergeEntries */ INSERT INTO ${table} (${list}) SELECT ${list} FROM ${stage}
     ON CONFLICT (${primaryKey.join(', ')}) DO ${names.length === 0 ? 'NOTHING' : `UPDATE SET ${update} WHERE ${changed}`}`,
  );
  await client.query(`DROP TABLE ${stage}`);
}

async function copyFile(client: pg.ClientBase, table: string, columns: readonly string[], path: string): Promise<void> {
  const copy = copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN (FORMAT csv, NULL '\\N')`);
  await pipeline(createReadStream(path), client.query(copy));
}

/** Refuses a load with colliding ids. Ids are hashes: two texts with one id would be summed as one. */
async function refuseCollision(
  client: pg.ClientBase,
  table: string,
  stage: string,
  key: readonly string[],
): Promise<void> {
  if (key.length === 0) return;
  const differs = key.map((column) => `s.${column} IS DISTINCT FROM t.${column}`).join(' OR ');
  const { rows } = await client.query<{ id: string }>(
    `SELECT s.id FROM ${stage} s JOIN ${table} t ON t.account_id = s.account_id AND t.id = s.id WHERE ${differs} LIMIT 1`,
  );
  if (rows[0]) throw new Error(`two entries of ${table} share the id ${rows[0].id}`);
}

/** Checks that each rollup adds up to the totals read from the bills; the loader has already verified the fact files. */
async function compareTotals(client: pg.ClientBase, accountId: string, month: LoadedMonth): Promise<void> {
  const sums = ['line_items', ...costMetrics].map((name) => `sum(${name})::text AS ${name}`).join(', ');
  const { rows } = await client.query<Record<string, string>>(
    `/* compareTotals */ SELECT 'rollup ' || rollup || '/' || grain AS source, currency, ${sums}
     FROM cost_rollups WHERE ${rollupsOfMonth} GROUP BY rollup, grain, currency`,
    [accountId, `${month.month}-01`, month.dataFrom, month.dataTo],
  );
  const expected = new Map(month.totals.map((total) => [total.currency, totalsText(total)]));
  for (const row of rows) {
    const sum = totalsOf(row);
    const [found, due] = [totalsText(sum), expected.get(sum.currency)];
    if (found === due) continue;
    throw new Error(
      `${month.month}: ${row['source']} adds up to ${found}, but the files contain ${due}; nothing was loaded`,
    );
  }
  const places = kinds.reduce((count, { isDaily }) => count + (isDaily ? 2 : 1), 0);
  if (rows.length === places * expected.size) return;
  throw new Error(
    `${month.month}: ${rows.length} sums were created, but ${places * expected.size} were expected; nothing was loaded`,
  );
}

function totalsText(total: ControlTotals): string {
  const costs = costMetrics.map((name) => `${name} ${total[name]}`).join(', ');
  return `${total.lineItems} ${total.currency} lines, ${costs}`;
}

/** Checks that the invoices of a month add up to its billed cost. */
async function compareInvoices(client: pg.ClientBase, accountId: string, month: LoadedMonth): Promise<void> {
  const { rows } = await client.query<{ line: string }>(
    `/* compareInvoices */ SELECT concat_ws(' ', sum(line_items), currency, sum(billed)) AS line
     FROM invoice_sums WHERE account_id = $1 AND billing_period = $2 GROUP BY currency`,
    [accountId, `${month.month}-01`],
  );
  const found = rows.map(({ line }) => line).toSorted();
  const due = month.totals.map((total) => `${total.lineItems} ${total.currency} ${total.billed}`).toSorted();
  if (found.join() === due.join()) return;
  throw new Error(
    `${month.month}: the invoices add up to ${found.join(', ')}, but the files contain ${due.join(', ')}; nothing was loaded`,
  );
}

async function recordPeriod(
  client: pg.ClientBase,
  scope: OrgScope,
  origin: LoadOrigin,
  month: LoadedMonth,
): Promise<void> {
  await client.query(
    `/* recordPeriod */ INSERT INTO billing_periods (account_id, organization_id, period, load_id, source_token, content_digest, snapshot_at, line_items, totals, data_from, data_to, loaded_at, facts, repairs)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (account_id, period) DO UPDATE SET load_id = excluded.load_id, source_token = excluded.source_token,
       content_digest = excluded.content_digest, snapshot_at = excluded.snapshot_at, line_items = excluded.line_items, totals = excluded.totals, data_from = excluded.data_from, data_to = excluded.data_to, loaded_at = excluded.loaded_at, facts = excluded.facts,
       repairs = excluded.repairs`,
    [
      origin.accountId,
      scope.organizationId,
      `${month.month}-01`,
      origin.loadId,
      origin.sourceToken,
      month.digest,
      origin.snapshotAt,
      month.lineItems,
      JSON.stringify(month.totals),
      month.dataFrom,
      month.dataTo,
      origin.now,
      JSON.stringify(month.facts),
      JSON.stringify(month.repairs),
    ],
  );
}

/** Last day of the latest month that is over and that every issuer of the account states as closed. */
const lastClosedDay = `SELECT max((b.period + interval '1 month')::date - 1) FROM billing_periods b
  JOIN (SELECT period FROM stated_periods WHERE account_id = $1 GROUP BY period HAVING bool_and(is_closed)) s ON s.period = b.period
  WHERE b.account_id = $1 AND b.period + interval '1 month' <= ($3::timestamptz AT TIME ZONE 'UTC')::date`;

/** Updates the account's data columns from its billing months. The new version changes the ETag of every answer. */
export async function refreshAccount(
  client: pg.ClientBase,
  scope: OrgScope,
  origin: Pick<LoadOrigin, 'accountId' | 'now'>,
): Promise<void> {
  await client.query(
    `/* refreshAccount */ UPDATE accounts SET version = version + 1, data_from = p.first, data_to = p.last,
      complete_through = CASE WHEN p.last IS NOT NULL THEN greatest(least(p.last, ($3::timestamptz AT TIME ZONE 'UTC')::date - ${settlingDays}), (${lastClosedDay})) END,
       currency = (SELECT t->>'currency' FROM billing_periods b, jsonb_array_elements(b.totals) t WHERE b.account_id = $1
         GROUP BY 1 ORDER BY sum(abs((t->>'billed')::numeric)) DESC, 1 LIMIT 1)
     FROM (SELECT min(data_from) AS first, max(data_to) AS last FROM billing_periods WHERE account_id = $1) p
     WHERE id = $1 AND organization_id = $2`,
    [origin.accountId, scope.organizationId, origin.now],
  );
}
