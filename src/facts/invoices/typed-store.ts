import type { Db } from '../../kit/db.ts';
import { instantOf, firstDay } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { InvoiceRow } from './list-store.ts';

/** Identifies an invoice in its tables. */
type InvoiceKey = Pick<InvoiceRow, 'accountId' | 'billingPeriod' | 'issuer' | 'invoiceId' | 'currency'>;

function keyOf({ accountId, billingPeriod, issuer, invoiceId, currency }: InvoiceKey) {
  return { accountId, invoiceId, issuer, currency, billingPeriodStart: instantOf(firstDay(billingPeriod)) };
}

/** Sets the typed-in amount of an invoice that the caller has read.
 *  @param amount exact decimal */
export async function upsertTyped(
  db: Db,
  { organizationId }: OrgScope,
  invoice: InvoiceKey,
  { amount, now }: { readonly amount: string; readonly now: Date },
): Promise<void> {
  const key = keyOf(invoice);
  const values = { amount, updatedAt: now };
  await db.typedInvoice.upsert({
    where: { accountId_invoiceId_issuer_billingPeriodStart_currency: key, organizationId },
    create: { ...key, organizationId, ...values },
    update: values,
    select: { accountId: true },
  });
}

/** Removes the typed-in amount of an invoice.
 *  @returns false if there was none */
export async function deleteTyped(db: Db, { organizationId }: OrgScope, invoice: InvoiceKey): Promise<boolean> {
  const { count } = await db.typedInvoice.deleteMany({ where: { ...keyOf(invoice), organizationId } });
  return count > 0;
}
