import type { Pool } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { among, type PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import { firstDay, instantOf, type Day, type Month } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { run, type Sql } from '../costs/reading/sql.ts';
import { holdsIn, monthlyRates } from '../currencies.ts';

/** Sort fields of invoices, in REST spelling. */
export const invoiceSortFields = ['billing_period', 'issuer', 'billed_amount', 'stated_amount', 'difference'] as const;

/** Result of comparing an invoice with its lines. */
export type InvoiceStatus = 'matched' | 'different' | 'provisional' | 'missing';

/** The accounts to read, and the day on which. */
export interface InvoiceScope {
  readonly organizationId: string;
  /** Accounts in both the caller's scope and the question. */
  readonly accountIds: readonly string[];
  /** UTC. */
  readonly today: Day;
}

/** Filters of an invoice list; null means any. */
export interface InvoiceFilter {
  /** First and last billing month. */
  readonly from: Month | null;
  readonly to: Month | null;
  readonly statuses: readonly InvoiceStatus[] | null;
  readonly issuers: readonly string[] | null;
  readonly id: string | null;
  /** Null: newest month first. */
  readonly sort: Sort<(typeof invoiceSortFields)[number]> | null;
}

/** An invoice. Amounts are exact decimals in `currency`. */
export interface InvoiceRow {
  readonly id: string;
  readonly accountId: string;
  readonly billingPeriod: Month;
  /** Empty: none. */
  readonly issuer: string;
  readonly invoiceId: string;
  readonly billingAccountId: string;
  readonly currency: string;
  readonly lineItems: number;
  /** Null: no lines. */
  readonly billed: string | null;
  /** From the provider's Invoice Detail dataset; null if not delivered. */
  readonly delivered: string | null;
  /** Entered by a member; null if none. */
  readonly typed: string | null;
  /** Stated amount minus billed; null if one is missing. */
  readonly difference: string | null;
  readonly status: InvoiceStatus;
  /** First and last charge day of the bill of its month; null without one. */
  readonly dataFrom: Day | null;
  readonly dataTo: Day | null;
}

/** The tolerance of currencies with 2 decimals. */
const usualTolerance = '0.005';

/** Tolerances of the other currencies, by ISO 4217 code: half of the smallest unit. Invoices are rounded to it, lines are
 *  not. */
const otherTolerances: Readonly<Record<string, string>> = Object.fromEntries(
  Intl.supportedValuesOf('currency').flatMap((currency) => {
    const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
    return digits === undefined || digits === 2 ? [] : [[currency, digits === 0 ? '0.5' : `0.${'0'.repeat(digits)}5`]];
  }),
);

/** Days after the end of a billing month after which its lines count as final even without an invoice id. */
const closingDays = 10;

/** Returns a page of invoices and their total number. */
export async function listInvoices(
  pool: Pool,
  of: InvoiceScope,
  filter: InvoiceFilter,
  page: PageRequest,
): Promise<{ rows: InvoiceRow[]; total: number }> {
  // A page beyond the last one is a single row with the total only.
  const rows = await run<(InvoiceRow | { readonly id: null }) & { readonly total: number }>(
    pool,
    Prisma.sql`/* invoices */ ${invoices(of, filter)}, asked AS MATERIALIZED (SELECT * FROM reconciled WHERE ${conditions(filter)}),
page AS (SELECT row_number() OVER (ORDER BY ${orderOf(filter)}) AS place, asked.* FROM ${rated(of)} ORDER BY place LIMIT ${page.take} OFFSET ${page.skip})
SELECT total, id, account_id AS "accountId", to_char(billing_period, 'YYYY-MM') AS "billingPeriod", issuer, invoice_id AS "invoiceId",
  billing_account_id AS "billingAccountId", currency, line_items::int AS "lineItems", billed::text, delivered::text, typed::text,
  difference::text, status, data_from::text AS "dataFrom", data_to::text AS "dataTo"
FROM (SELECT count(*)::int AS total FROM asked) AS n LEFT JOIN page ON true ORDER BY place`,
  );
  return {
    rows: rows.filter((row) => row.id !== null),
    total: rows[0]?.total ?? 0,
  };
}

/** Returns a text that changes with the stated amounts and with the months that have sums. */
export async function readVersion(pool: Pool, of: InvoiceScope): Promise<string> {
  const part = (table: string, last: string) =>
    Prisma.sql`(SELECT concat(count(*), ' ', ${Prisma.raw(last)}) FROM ${Prisma.raw(table)} WHERE ${owned(of)})`;
  const [row] = await run<{ version: string }>(
    pool,
    Prisma.sql`/* invoices: version */ SELECT concat_ws(' ', ${part('invoice_sums', 'max(billing_period)')},
  ${part('stated_invoices', 'max(updated_at)')}, ${part('typed_invoices', 'max(updated_at)')}) AS version`,
  );
  return row?.version ?? '';
}

/** An issuer's name without differences in case and spaces. */
const folded = (issuer: Sql) => Prisma.sql`lower(regexp_replace(trim(${issuer}), '\\s+', ' ', 'g'))`;

/** Common table expressions up to `reconciled`: lines, delivered and entered amounts side by side, with id, status and days. A delivered
 *  invoice whose issuer is spelled differently than in the lines takes the lines' spelling, and so does an entered amount
 *  if it differs in case and spaces only; of several, the last one counts. */
function invoices(of: InvoiceScope, filter: InvoiceFilter): Sql {
  const key = Prisma.raw('account_id, billing_period, issuer, invoice_id, currency');
  return Prisma.sql`WITH lines AS (
  SELECT ${key}, billing_account_id, line_items, billed FROM invoice_sums
  WHERE ${owned(of)} AND ${months('billing_period', filter)}
), delivered AS (
  SELECT s.account_id, s.billing_period_start AS billing_period, coalesce(l.issuer, s.issuer) AS issuer, s.invoice_id, s.currency,
    min(s.billing_account_id) AS billing_account_id, sum(s.amount) AS delivered
  FROM stated_invoices s LEFT JOIN LATERAL (
    SELECT l.issuer FROM lines l WHERE l.account_id = s.account_id AND l.billing_period = s.billing_period_start
      AND l.invoice_id = s.invoice_id AND l.currency = s.currency ORDER BY l.issuer <> s.issuer, l.issuer LIMIT 1
  ) l ON true
  WHERE ${owned(of)} AND ${months('s.billing_period_start', filter)} GROUP BY 1, 2, 3, 4, 5
), typed AS (
  SELECT DISTINCT ON (1, 2, 3, 4, 5) t.account_id, t.billing_period_start AS billing_period, coalesce(o.issuer, t.issuer) AS issuer,
    t.invoice_id, t.currency, t.amount AS typed
  FROM typed_invoices t LEFT JOIN LATERAL (
    SELECT o.issuer FROM (SELECT ${key} FROM lines UNION ALL SELECT ${key} FROM delivered) o
    WHERE o.account_id = t.account_id AND o.billing_period = t.billing_period_start AND o.invoice_id = t.invoice_id
      AND o.currency = t.currency AND ${folded(Prisma.sql`o.issuer`)} = ${folded(Prisma.sql`t.issuer`)}
    ORDER BY o.issuer <> t.issuer, o.issuer LIMIT 1
  ) o ON true
  WHERE ${owned(of)} AND ${months('t.billing_period_start', filter)} ORDER BY 1, 2, 3, 4, 5, t.updated_at DESC
), compared AS (
  SELECT ${key}, coalesce(nullif(lines.billing_account_id, ''), delivered.billing_account_id, '') AS billing_account_id,
    coalesce(line_items, 0) AS line_items, billed, delivered, typed, coalesce(typed, delivered) AS stated,
    coalesce(typed, delivered) - billed AS difference
  FROM lines FULL JOIN delivered USING (${key}) FULL JOIN typed USING (${key})
), bills AS (
  SELECT account_id, period, data_from, data_to FROM billing_periods WHERE ${owned(of)} AND ${months('period', filter)}
), reconciled AS (
  SELECT c.*, b.data_from, b.data_to, md5(concat_ws(chr(31), c.account_id, c.billing_period, c.issuer, c.invoice_id, c.currency))::uuid AS id, ${statusSql(of)} AS status
  FROM compared c JOIN accounts a ON a.id = c.account_id
    LEFT JOIN bills b ON b.account_id = c.account_id AND b.period = c.billing_period
)`;
}

/** Returns SQL of the status: comparable only once the month is final. That is when it has ended and either its lines have an
 *  invoice id and are loaded through its last day, or `closingDays` have passed. */
function statusSql({ today }: InvoiceScope): Sql {
  const end = Prisma.raw(`(c.billing_period + interval '1 month')::date`);
  const tolerance = Prisma.sql`coalesce((${JSON.stringify(otherTolerances)}::jsonb ->> c.currency)::numeric, ${usualTolerance}::numeric)`;
  return Prisma.sql`CASE
    WHEN ${today}::date < ${end} THEN 'provisional'
    WHEN ${today}::date < ${end} + ${closingDays}::int
      AND (c.invoice_id = '' OR coalesce(a.complete_through < ${end} - 1, true)) THEN 'provisional'
    WHEN c.billed IS NULL AND c.stated = 0 THEN 'matched'
    WHEN c.difference IS NULL THEN 'missing'
    WHEN abs(c.difference) <= ${tolerance} THEN 'matched'
    ELSE 'different' END`;
}

function months(column: string, { from, to }: InvoiceFilter): Sql {
  const bound = (operator: string, month: Month | null) =>
    month === null ? [] : [Prisma.sql`${Prisma.raw(`${column} ${operator}`)} ${`${month}-01`}::date`];
  return Prisma.join([Prisma.sql`true`, ...bound('>=', from), ...bound('<=', to)], ' AND ');
}

function conditions({ statuses, issuers, id }: InvoiceFilter): Sql {
  return Prisma.join(
    [
      Prisma.sql`true`,
      ...among('status', statuses),
      ...among('issuer', issuers),
      ...(id === null ? [] : [Prisma.sql`id = ${id}::uuid`]),
    ],
    ' AND ',
  );
}

/** Joins the invoices with the `rate` to the organization's currency that holds in their month; null without one. */
function rated({ organizationId }: InvoiceScope): Sql {
  return Prisma.sql`asked JOIN organizations o ON o.id = ${organizationId}::uuid
  LEFT JOIN ${monthlyRates(organizationId)} x ON x.currency = asked.currency AND x.to_currency = o.currency AND ${holdsIn('x', 'asked.billing_period')}`;
}

const rate = 'CASE WHEN asked.currency = o.currency THEN 1 ELSE x.rate END';

/** Columns of the sort fields; amounts by converted value. Qualified, because the amounts of the answer are texts with the same
 *  names. */
const columns = {
  billing_period: 'asked.billing_period',
  issuer: 'lower(asked.issuer)',
  billed_amount: `asked.billed * ${rate}`,
  stated_amount: `asked.stated * ${rate}`,
  difference: `asked.difference * ${rate}`,
} as const;

/** Returns the order of a list. Ends with a unique tie-breaker. Amounts without a rate are last. */
function orderOf({ sort }: InvoiceFilter): Sql {
  const rest = `asked.billing_period DESC, ${columns.billed_amount} DESC NULLS LAST, asked.billed DESC NULLS LAST, asked.id`;
  return Prisma.raw(sort === null ? rest : `${columns[sort.field]} ${sort.direction} NULLS LAST, ${rest}`);
}

/** Restricts every read to the organization's rows, of accounts in both the caller's scope and the question. */
function owned({ organizationId, accountIds }: InvoiceScope): Sql {
  return Prisma.sql`organization_id = ${organizationId}::uuid AND account_id = ANY(${[...accountIds]}::uuid[])`;
}

/** Identifies an invoice in its tables. */
type InvoiceKey = Pick<InvoiceRow, 'accountId' | 'billingPeriod' | 'issuer' | 'invoiceId' | 'currency'>;

function keyOf({ accountId, billingPeriod, issuer, invoiceId, currency }: InvoiceKey) {
  return { accountId, invoiceId, issuer, currency, billingPeriodStart: instantOf(firstDay(billingPeriod)) };
}

/** A new entered amount. */
interface TypedAmount {
  /** Exact decimal. */
  readonly amount: string;
  readonly now: Date;
  /** Whether it replaces one that another request has entered since the deletion. */
  readonly replaces: boolean;
}

/** Enters the amount of an invoice that the caller has read, after the previous one was deleted.
 *  @returns false if there is another one, which it does not replace */
export async function insertTyped(
  db: Db,
  { organizationId }: OrgScope,
  invoice: InvoiceKey,
  { amount, now, replaces }: TypedAmount,
): Promise<boolean> {
  const { accountId, invoiceId, issuer, currency, billingPeriodStart } = keyOf(invoice);
  const count = await db.$executeRaw`/* insertTyped */ INSERT INTO typed_invoices
      (organization_id, account_id, invoice_id, issuer, currency, billing_period_start, amount, updated_at)
    VALUES (${organizationId}::uuid, ${accountId}::uuid, ${invoiceId}, ${issuer}, ${currency}, ${billingPeriodStart}::date,
      ${amount}::numeric, ${now})
    ON CONFLICT (account_id, invoice_id, issuer, billing_period_start, currency)
      DO UPDATE SET amount = EXCLUDED.amount, updated_at = EXCLUDED.updated_at WHERE ${replaces}::boolean`;
  return count > 0;
}

/** Removes the entered amount of an invoice, also under other spellings of its issuer.
 *  @returns the amount, as an exact decimal; null if there was none */
export async function deleteTyped(
  db: Db,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  invoice: InvoiceKey,
): Promise<string | null> {
  const { accountId, invoiceId, issuer, currency, billingPeriodStart } = keyOf(invoice);
  const rows = await db.$queryRaw<{ amount: string; at: Date }[]>`/* deleteTyped */ DELETE FROM typed_invoices
    WHERE organization_id = ${organizationId}::uuid AND account_id = ${accountId}::uuid AND invoice_id = ${invoiceId}
      AND currency = ${currency} AND billing_period_start = ${billingPeriodStart}::date
      AND ${folded(Prisma.sql`issuer`)} = ${folded(Prisma.sql`${issuer}::text`)}
    RETURNING amount::text, updated_at AS at`;
  return rows.toSorted((one, other) => other.at.getTime() - one.at.getTime())[0]?.amount ?? null;
}
