import { costsHref } from '../costs/address.ts';
import { escaped, noValue } from '../costs/dimensions.ts';
import { monthEnd } from '../words/days.ts';

interface Invoice {
  readonly accountId: string;
  /** Month. */
  readonly billingPeriod: string;
  /** Invoice number, if it has one. */
  readonly invoiceId: string | null;
}

/** Explorer URL with the lines of an invoice. */
export function linesHref({ accountId, billingPeriod, invoiceId }: Invoice): string {
  const from = `${billingPeriod}-01`;
  return costsHref({
    from,
    to: monthEnd(from),
    metric: 'billed',
    // The month before has no lines of this invoice.
    compare: 'none',
    account: accountId,
    invoice: invoiceId === null ? noValue : escaped(invoiceId),
  });
}
