import { createHash } from 'node:crypto';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, invalid, mention, notFound } from '../../kit/errors/errors.ts';
import { requireById } from '../../kit/ids.ts';
import { amountToNumber, givenDecimals, parseAmount, parseDecimal } from '../../kit/money.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { dayOf, type Month } from '../../kit/time/period.ts';
import type { AuditAction } from '../../tenancy/audit/actions.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Db } from '../../kit/db.ts';
import { readLedger, type Ledger } from '../costs/ledger.ts';
import type { Invoice } from './graphql-types.ts';
import {
  deleteTyped,
  insertTyped,
  invoiceSortFields,
  listInvoices,
  readVersion,
  type InvoiceScope,
  type InvoiceFilter,
  type InvoiceRow,
  type InvoiceStatus,
} from './store.ts';

type InvoiceDeps = Pick<Deps, 'pool' | 'clock'>;

/** Filters of an invoice list; null means any. */
export interface InvoiceQuery {
  readonly accountId?: readonly string[] | null;
  readonly startMonth?: Month | null;
  readonly endMonth?: Month | null;
  readonly status?: readonly InvoiceStatus[] | null;
  readonly issuer?: readonly string[] | null;
  readonly sortBy?: SortBy<typeof invoiceSortFields> | null;
}

/** A resolved invoice list. */
export interface PreparedInvoices {
  readonly of: InvoiceScope;
  readonly filter: InvoiceFilter;
  /** Equal keys have equal answers. */
  readonly key: string;
}

/** An amount from a client. */
export interface StatedAmount {
  readonly statedAmount: number;
  /** Default: the invoice's. */
  readonly currency?: string | null;
  /** The entered amount that the client has read, null for none: another one is a conflict. Default: any. */
  readonly ifTypedAmount?: number | null;
}

const amountBelow = 1e15;
/** Bounds of a stated amount; credit notes are negative. */
export const statedAmountRule = { minimum: 1 - amountBelow, maximum: amountBelow, exclusiveMaximum: true } as const;

/** Resolves an invoice list and reads the versions it depends on.
 *  @throws {AppError} VALIDATION_ERROR when the months are in the wrong order */
export async function prepareInvoices(
  deps: InvoiceDeps,
  scope: OrgScope,
  query: InvoiceQuery,
): Promise<PreparedInvoices> {
  const { startMonth: from = null, endMonth: to = null } = query;
  if (from !== null && to !== null && to < from)
    throw invalid`${arg('end_month', to)} is before ${mention('start_month')}${fix}use ${from} or a later month`;
  const filter: InvoiceFilter = {
    from,
    to,
    statuses: query.status ?? null,
    issuers: query.issuer ?? null,
    id: null,
    sort: parseSort(query.sortBy, invoiceSortFields),
  };
  const { ledger, of } = await openInvoices(deps, scope, query.accountId ?? null);
  const accounts = ledger.accounts.filter(({ id }) => of.accountIds.includes(id));
  const { currency, ratesVersion } = ledger;
  const parts = [of, accounts, currency, ratesVersion, await readVersion(deps.pool, of), filter];
  return { of, filter, key: createHash('sha256').update(JSON.stringify(parts)).digest('base64url') };
}

/** Returns a page of a resolved list, by default newest month first. */
export async function pageInvoices(
  { pool }: Pick<Deps, 'pool'>,
  { of, filter }: PreparedInvoices,
  page: PageRequest,
): Promise<{ rows: Invoice[]; total: number }> {
  const { rows, total } = await listInvoices(pool, of, filter, page);
  return { rows: rows.map(invoiceOf), total };
}

/** Returns an invoice.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export async function readInvoice(deps: InvoiceDeps, scope: OrgScope, id: string): Promise<Invoice> {
  return invoiceOf(await findInvoice(deps, scope, id));
}

/** Sets the stated amount of an invoice. It takes precedence over the one that the provider delivers.
 *  @throws {AppError} NOT_FOUND; VALIDATION_ERROR for too many digits or a currency other than the invoice's; CONFLICT if the
 *  client has not read the entered amount */
export async function setStatedAmount(
  deps: InvoiceDeps & Pick<Deps, 'db'>,
  scope: OrgScope,
  actor: Actor,
  { id, statedAmount, currency, ifTypedAmount }: StatedAmount & { readonly id: string },
): Promise<void> {
  const amount = parseStatedAmount(statedAmount);
  const invoice = await findInvoice(deps, scope, id);
  if (typeof currency === 'string' && currency !== invoice.currency)
    throw invalid`${arg('currency', currency)} is not the currency of the invoice${fix}give the amount in ${invoice.currency}`;
  await deps.db.$transaction(async (db) => {
    const before = await deleteTyped(db, scope, invoice);
    const isKnown = ifTypedAmount === undefined || rounded(before) === ifTypedAmount;
    const written = { amount, now: deps.clock.now(), replaces: ifTypedAmount === undefined };
    // Another request may have entered an amount after the deletion.
    if (!isKnown || !(await insertTyped(db, scope, invoice, written))) throw staleAmount();
    await recordChange(db, actor, 'invoice_amount_set', { ...invoice, amount });
  });
}

function staleAmount() {
  return conflict`${arg('if_typed_amount')} is not the entered amount of the invoice${fix}reload it, then apply your change again`;
}

/** Removes the entered amount of an invoice; the delivered one, if any, applies again.
 *  @throws {AppError} NOT_FOUND, also if no amount was entered; CONFLICT if the client has not read the entered amount */
export async function deleteStatedAmount(
  deps: InvoiceDeps & Pick<Deps, 'db'>,
  scope: OrgScope,
  actor: Actor,
  { id, ifTypedAmount }: { readonly id: string } & Pick<StatedAmount, 'ifTypedAmount'>,
): Promise<void> {
  const invoice = await findInvoice(deps, scope, id);
  await deps.db.$transaction(async (db) => {
    const before = await deleteTyped(db, scope, invoice);
    if (before === null) throw notFound('Entered amount of invoice', id);
    if (ifTypedAmount !== undefined && rounded(before) !== ifTypedAmount) throw staleAmount();
    await recordChange(db, actor, 'invoice_amount_removed', { ...invoice, amount: null });
  });
}

async function openInvoices(
  deps: InvoiceDeps,
  scope: OrgScope,
  asked: readonly string[] | null,
): Promise<{ ledger: Ledger; of: InvoiceScope }> {
  const ledger = await readLedger(deps.pool, scope);
  const known = ledger.accounts.map(({ id }) => id);
  const accountIds = asked === null ? known : known.filter((id) => asked.includes(id));
  const { organizationId } = scope;
  return { ledger, of: { organizationId, accountIds, today: dayOf(deps.clock.now()) } };
}

async function findInvoice(deps: InvoiceDeps, scope: OrgScope, id: string): Promise<InvoiceRow> {
  return requireById('Invoice', id, async () => {
    const { of } = await openInvoices(deps, scope, null);
    const filter = { from: null, to: null, statuses: null, issuers: null, id, sort: null };
    const { rows } = await listInvoices(deps.pool, of, filter, { skip: 0, take: 1 });
    return rows[0];
  });
}

function parseStatedAmount(amount: number): string {
  if (!(amount >= statedAmountRule.minimum && amount < statedAmountRule.maximum))
    throw invalid`${arg('stated_amount', amount)} must be at least ${statedAmountRule.minimum.toLocaleString('en-US')} and below ${amountBelow.toLocaleString('en-US')}`;
  return parseDecimal(amount, 'stated_amount', givenDecimals);
}

async function recordChange(
  db: Db,
  actor: Actor,
  action: AuditAction,
  invoice: InvoiceRow & { readonly amount: string | null },
): Promise<void> {
  await writeAudit(db, actor, {
    action,
    resourceType: 'invoice',
    resourceId: invoice.id,
    accountId: invoice.accountId,
    details: {
      invoice_id: invoice.invoiceId,
      issuer: invoice.issuer,
      billing_period: invoice.billingPeriod,
      currency: invoice.currency,
      stated_amount: invoice.amount,
      stated_amount_before: invoice.typed,
    },
  });
}

function invoiceOf(row: InvoiceRow): Invoice {
  const { typed, delivered } = row;
  return {
    id: row.id,
    accountId: row.accountId,
    billingPeriod: row.billingPeriod,
    issuer: row.issuer || null,
    invoiceId: row.invoiceId || null,
    billingAccountId: row.billingAccountId || null,
    currency: row.currency,
    lineItems: row.lineItems,
    billedAmount: rounded(row.billed),
    statedAmount: rounded(typed ?? delivered),
    statedSource: typed !== null ? 'typed' : delivered !== null ? 'delivered' : null,
    typedAmount: rounded(typed),
    deliveredAmount: rounded(delivered),
    difference: rounded(row.difference),
    status: row.status,
    dataFrom: row.dataFrom,
    dataTo: row.dataTo,
  };
}

function rounded(amount: string | null): number | null {
  return amount === null ? null : amountToNumber(parseAmount(amount));
}
