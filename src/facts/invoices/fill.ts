import type pg from 'pg';
import { invoiceSumsSql, loadedColumns } from '../../engine/codebook.ts';
import { openFacts, type FactSet } from '../../engine/fact-set.ts';
import { lockAccount } from '../../kit/database/account-lock.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import { addDays, type Day } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** A billing month without rows in `invoice_sums`. */
interface MissingMonth {
  readonly accountId: string;
  readonly period: Day;
  readonly loadId: string;
  /** First and last charge day. */
  readonly from: Day;
  readonly to: Day;
}

/** A row of the engine: the columns of `invoice_sums` except the owner's. */
type InvoiceSum = Readonly<Record<string, string>>;

/** Fills `invoice_sums` for an account's billing months loaded by a version without it, from their fact files, in one query. Does
 *  nothing for months loaded since: their sums are written with them. Part of the evaluation, which also follows an upgrade. */
export async function fillInvoices(
  deps: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
): Promise<void> {
  const months = await listMissing(deps.pool, scope, accountId);
  if (months.length === 0) return;
  const facts = await openMonths(deps.pool, scope, accountId, months);
  const sql = `/* fillInvoices */ ${invoiceSumsSql('facts', `strftime(BillingPeriodStart, '%Y-%m-%d') AS billing_period,`)}`;
  const rows = await deps.engine.rows<InvoiceSum>(facts, { name: 'fillInvoices', sql, lane: 'job' });
  const byMonth = Map.groupBy(rows, (row) => row['billing_period']);
  for (const month of months) await saveMonth(deps.pool, scope, month, byMonth.get(month.period) ?? []);
}

async function listMissing(
  pool: pg.Pool,
  { organizationId, accountIds: visible }: OrgScope,
  accountId: string,
): Promise<MissingMonth[]> {
  const { rows } = await pool.query<MissingMonth>(
    `/* fillInvoices */ SELECT b.account_id AS "accountId", b.period::text, b.load_id AS "loadId", b.data_from::text AS from,
       b.data_to::text AS to FROM billing_periods b
     WHERE b.organization_id = $1 AND ($2::uuid[] IS NULL OR b.account_id = ANY($2)) AND b.account_id = $3
       AND b.line_items > 0 AND NOT EXISTS (SELECT FROM invoice_sums i WHERE i.account_id = b.account_id
         AND i.billing_period = b.period AND i.organization_id = $1)
     ORDER BY b.period`,
    [organizationId, visible, accountId],
  );
  return rows;
}

/** Opens the files with the charges of these billing months. */
function openMonths(
  pool: pg.Pool,
  scope: OrgScope,
  accountId: string,
  months: readonly MissingMonth[],
): Promise<FactSet> {
  const first = months.map(({ from }) => from).toSorted()[0] ?? null;
  const last = months
    .map(({ to }) => to)
    .toSorted()
    .at(-1);
  const end = last === undefined ? null : addDays(last, 1);
  return openFacts(pool, scope, { accountIds: [accountId], start: first, end, grain: 'month' });
}

const columns = loadedColumns.invoice_sums.slice(3);

/** Saves the sums of a month, unless it has been reloaded since its facts were read, or filled by another process. */
async function saveMonth(
  pool: pg.Pool,
  { organizationId }: OrgScope,
  { accountId, period, loadId }: MissingMonth,
  sums: readonly InvoiceSum[],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    await client.query(
      `/* fillInvoices */ INSERT INTO invoice_sums (account_id, organization_id, billing_period, ${columns.join(', ')})
       SELECT b.account_id, b.organization_id, b.period, ${columns.map((name) => `s.${name}`).join(', ')}
       FROM billing_periods b, json_to_recordset($5) AS s (issuer text, invoice_id text, billing_account_id text, currency text,
         line_items bigint, billed numeric)
       WHERE b.account_id = $1 AND b.organization_id = $2 AND b.period = $3 AND b.load_id = $4
       ON CONFLICT DO NOTHING`,
      [accountId, organizationId, period, loadId, JSON.stringify(sums)],
    );
  });
}
