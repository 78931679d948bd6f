import { literal } from '../../../../engine/sql.ts';
import { providerSlug } from '../bill/columns.ts';
import { verifyCompressed } from '../bill/compression.ts';
import { readRows, type Rows } from '../bill/headers.ts';
import { amount, instant, money, selectAs, textOf } from '../bill/layout.ts';
import { readRepaired, removeRewritten } from '../bill/line-ends.ts';
import { locateFault } from '../bill/locate.ts';
import type { Duck } from '../duck.ts';
import type { Companion, LoaderFile, StatedCommitment, StatedInvoice, StatedPeriod, Statements } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { commitmentTexts, datasetOf, requireColumns, timeOf } from './datasets.ts';

/** Returns which dataset other than Cost and Usage a file is, by its header; null: none.
 *  @throws {Refusal} when the header is unreadable */
export async function recognize(duck: Duck, file: LoaderFile): Promise<Companion | null> {
  return datasetOf((await readRows(duck, file)).columns)?.companion ?? null;
}

/** Reads all companions of a delivery together: if several files state the same record, the latest one counts.
 *  @throws {Refusal} naming file, row and column, or two files that contradict each other */
export async function readCompanions(duck: Duck, files: readonly LoaderFile[], jobDir: string): Promise<Statements> {
  return readRepaired(files, jobDir, async (read) => {
    const statements = await readStatements(duck, read);
    await removeRewritten(read);
    return statements;
  });
}

async function readStatements(duck: Duck, files: readonly LoaderFile[]): Promise<Statements> {
  const selects: Record<Companion, string[]> = { invoice_detail: [], contract_commitment: [], billing_period: [] };
  for (const file of files) {
    await verifyCompressed(file);
    const rows = await readRows(duck, file);
    const dataset = datasetOf(rows.columns);
    if (!dataset) throw new Refusal(`${file.name}: the file changed while it was read`);
    requireColumns(file.name, dataset, rows.columns);
    const fault = await locateFault(duck, file, { own: { ...rows, checks: dataset.checks(rows.columns) } });
    if (fault) throw fault;
    selects[dataset.companion].push(selectOf[dataset.companion](file, rows));
  }
  const { invoice_detail: details, contract_commitment: commitments, billing_period: periods } = selects;
  const datasets = (Object.keys(selects) as Companion[]).filter((name) => selects[name].length > 0);
  return {
    datasets,
    invoices: await invoicesOf(duck, details),
    commitments: await commitmentsOf(duck, commitments),
    periods: await periodsOf(duck, periods),
  };
}

const selectOf: Record<Companion, (file: LoaderFile, rows: Rows) => string> = {
  invoice_detail: (file, { columns, from }) => {
    const text = (name: string) => textOf(columns, [name]);
    const isVoided = `coalesce(lower(${text('InvoiceIssueStatus')}) = 'voided', false)`;
    return selectFrom(file, from, {
      detail: text('InvoiceDetailId'),
      invoice: text('InvoiceId'),
      issuer: `coalesce(${text('InvoiceIssuerName')}, '')`,
      month: `strftime(${instant(columns, 'BillingPeriodStart')}, '%Y-%m')`,
      payer: `coalesce(${text('BillingAccountId')}, '')`,
      currency: `upper(${text('BillingCurrency')})`,
      amount: `CASE WHEN ${isVoided} THEN 0::${money} ELSE ${amount(columns, 'BilledCost')} END`,
      updated: timeOf(columns, 'InvoiceDetailLastUpdated'),
    });
  },
  contract_commitment: (file, { columns, from }) =>
    selectFrom(file, from, {
      id: textOf(columns, ['ContractCommitmentId']),
      '"startsAt"': timeOf(columns, 'ContractCommitmentPeriodStart'),
      '"endsAt"': timeOf(columns, 'ContractCommitmentPeriodEnd'),
      cost: amount(columns, 'ContractCommitmentCost'),
      quantity: amount(columns, 'ContractCommitmentQuantity'),
      provider: textOf(columns, ['ServiceProviderName']),
      ...Object.fromEntries(commitmentTexts.map((name) => [name, textOf(columns, [name])])),
      updated: timeOf(columns, 'ContractCommitmentLastUpdated'),
    }),
  billing_period: (file, { columns, from }) =>
    selectFrom(file, from, {
      month: `strftime(${instant(columns, 'BillingPeriodStart')}, '%Y-%m')`,
      issuer: `coalesce(${textOf(columns, ['InvoiceIssuerName'])}, '')`,
      '"isClosed"': `lower(${textOf(columns, ['BillingPeriodStatus'])}) = 'closed'`,
      updated: timeOf(columns, 'BillingPeriodLastUpdated'),
    }),
};

function selectFrom(file: LoaderFile, from: Rows['from'], columns: Readonly<Record<string, string>>): string {
  return `SELECT ${selectAs(columns)}, ${literal(file.name)} AS file FROM ${from([file.path])}`;
}

/** @returns the row of each key that was updated last, with every value as text */
async function latestOf(duck: Duck, selects: readonly string[], key: string, order: string) {
  if (selects.length === 0) return [];
  const rows = selects.join(' UNION ALL BY NAME ');
  return duck.rows(
    `SELECT DISTINCT ON (${key}) * FROM (${rows}) ORDER BY ${key}, updated DESC NULLS LAST, ${order}, file`,
  );
}

async function commitmentsOf(duck: Duck, selects: readonly string[]): Promise<StatedCommitment[]> {
  const rows = await latestOf(duck, selects, 'id', '"endsAt" DESC');
  return rows.map((row) => {
    const text = (name: string) => row[name] ?? null;
    const texts = Object.fromEntries(commitmentTexts.map((name) => [name, text(name)]));
    const provider = text('provider');
    return {
      id: text('id') ?? '',
      provider: provider === null ? null : providerSlug(provider),
      startsAt: text('startsAt') ?? '',
      endsAt: text('endsAt') ?? '',
      cost: text('cost'),
      quantity: text('quantity'),
      ...(texts as Record<(typeof commitmentTexts)[number], string | null>),
    };
  });
}

async function periodsOf(duck: Duck, selects: readonly string[]): Promise<StatedPeriod[]> {
  const rows = await latestOf(duck, selects, 'month, issuer', '"isClosed"');
  return rows.map((row) => ({
    month: row['month'] ?? '',
    issuer: row['issuer'] ?? '',
    isClosed: row['isClosed'] === 'true',
  }));
}

/** Sums the details of each invoice and month. A detail that several files have counts once, from the one that updated it last. */
async function invoicesOf(duck: Duck, selects: readonly string[]): Promise<StatedInvoice[]> {
  if (selects.length === 0) return [];
  const line = 'issuer, invoice, month, currency, detail';
  await duck.run(`CREATE OR REPLACE TEMP TABLE invoice_line AS
    SELECT ${line}, file, min(payer) AS payer, max(payer) AS other_payer, sum(amount)::${money} AS amount, max(updated) AS updated
    FROM (${selects.join(' UNION ALL BY NAME ')}) GROUP BY ${line}, file`);
  const [clash] = await duck.rows(`SELECT detail, invoice, a.file AS a, b.file AS b
    FROM invoice_line a JOIN invoice_line b USING (${line})
    WHERE a.file < b.file AND a.updated IS NOT DISTINCT FROM b.updated AND a.amount <> b.amount ORDER BY ALL LIMIT 1`);
  if (clash)
    throw new Refusal(
      `"${clash['a']}" and "${clash['b']}" state different amounts for detail "${clash['detail']}" of invoice "${clash['invoice']}", and no InvoiceDetailLastUpdated shows which is newer; remove the older file`,
    );
  const found = await duck.rows(`WITH latest AS (
      SELECT DISTINCT ON (${line}) * FROM invoice_line ORDER BY ${line}, updated DESC NULLS LAST, file
    )
    SELECT invoice AS "invoiceId", issuer, month, currency, sum(amount)::${money} AS amount,
      CASE WHEN min(payer) = max(other_payer) THEN min(payer) ELSE '' END AS "billingAccountId", min(file) AS file
    FROM latest GROUP BY invoice, issuer, month, currency ORDER BY ALL`);
  await duck.run('DROP TABLE invoice_line');
  return found.map((row) => ({
    invoiceId: row['invoiceId'] ?? '',
    issuer: row['issuer'] ?? '',
    month: row['month'] ?? '',
    billingAccountId: row['billingAccountId'] ?? '',
    currency: row['currency'] ?? '',
    amount: row['amount'] ?? '0',
    file: row['file'] ?? '',
  }));
}
