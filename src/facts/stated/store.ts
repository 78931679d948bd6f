import type pg from 'pg';
import { lockAccount } from '../../kit/database/account-lock.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { refreshAccount } from '../costs/replace-store.ts';
import { commitmentList } from './commitments.ts';

/** An invoice in a billing month, as its issuer states it. */
export interface Invoice {
  readonly invoiceId: string;
  /** FOCUS InvoiceIssuerName; empty if unknown. */
  readonly issuer: string;
  /** `YYYY-MM` */
  readonly month: string;
  /** FOCUS BillingAccountId; empty if the invoice has several. */
  readonly billingAccountId: string;
  readonly currency: string;
  /** Decimal text, in `currency`. */
  readonly amount: string;
  readonly file: string;
}

/** Whether an issuer's billing month is closed. */
export interface Period {
  /** `YYYY-MM` */
  readonly month: string;
  readonly issuer: string;
  readonly isClosed: boolean;
}

/** Statements of a provider about its bills. */
interface Statements {
  readonly invoices: readonly Invoice[];
  readonly periods: readonly Period[];
}

/** Returns whether files state anything about an account's invoices, billing months or commitments. */
export async function hasStatements(pool: pg.Pool, scope: OrgScope, accountId: string): Promise<boolean> {
  const own = 'account_id = $1 AND organization_id = $2';
  const { rows } = await pool.query<{ has: boolean }>(
    `/* hasStatements */ SELECT EXISTS (SELECT FROM stated_invoices WHERE ${own})
       OR EXISTS (SELECT FROM stated_periods WHERE ${own})
       OR EXISTS (SELECT FROM inventory_listings WHERE ${own} AND list = $3) AS has`,
    [accountId, scope.organizationId, commitmentList],
  );
  return rows[0]?.has === true;
}

/** Replaces what providers state about an account's invoices and billing months, and with it the account's last complete day. */
export async function replaceStatements(
  pool: pg.Pool,
  scope: OrgScope,
  { accountId, now }: { readonly accountId: string; readonly now: Date },
  { invoices, periods }: Statements,
): Promise<void> {
  const owner = [accountId, scope.organizationId];
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    await client.query(
      `/* replaceStatements */ DELETE FROM stated_invoices WHERE account_id = $1 AND organization_id = $2
       AND source = 'invoice_detail'`,
      owner,
    );
    await client.query(
      `/* replaceStatements */ INSERT INTO stated_invoices (account_id, organization_id, invoice_id, issuer, billing_period_start,
         billing_account_id, currency, amount, source, file, updated_at)
       SELECT $1, $2, i."invoiceId", i.issuer, (i.month || '-01')::date, i."billingAccountId", i.currency, i.amount, 'invoice_detail',
         i.file, $3
       FROM jsonb_to_recordset($4) AS i("invoiceId" text, issuer text, month text, "billingAccountId" text, currency text,
         amount numeric, file text)
       JOIN accounts a ON a.id = $1 AND a.organization_id = $2
       ON CONFLICT (account_id, invoice_id, issuer, billing_period_start, currency) DO UPDATE SET amount = excluded.amount,
         billing_account_id = excluded.billing_account_id, source = excluded.source, file = excluded.file, updated_at = excluded.updated_at`,
      [...owner, now, JSON.stringify(invoices)],
    );
    await client.query(
      `/* replaceStatements */ DELETE FROM stated_periods WHERE account_id = $1 AND organization_id = $2`,
      owner,
    );
    await client.query(
      `/* replaceStatements */ INSERT INTO stated_periods (account_id, organization_id, period, issuer, is_closed, updated_at)
       SELECT $1, $2, (p.month || '-01')::date, p.issuer, p."isClosed", $3
       FROM jsonb_to_recordset($4) AS p(month text, issuer text, "isClosed" boolean)
       JOIN accounts a ON a.id = $1 AND a.organization_id = $2`,
      [...owner, now, JSON.stringify(periods)],
    );
    await refreshAccount(client, scope, { accountId, now });
  });
}
