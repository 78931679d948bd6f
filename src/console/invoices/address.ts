import { costsHref } from '../costs/address.ts';
import { escaped, noValue } from '../costs/dimensions.ts';
import { monthEnd } from '../words/days.ts';

interface Invoice {
  readonly accountId: string;
  /** Month. */
  readonly billingPeriod: string;
  /** Invoice number, if it has one. */
  readonly invoiceId: string | null;
  /** First and last day with charges in the bill of the month; null without one. */
  readonly dataFrom: string | null;
  readonly dataTo: string | null;
}

/** Explorer URL with the lines of an invoice. Covers all days of the bill, because billing periods and corrections can reach into
 *  other months. For lines without an invoice number, earlier months are left out: their lines have no number, either. */
export function linesHref({ accountId, billingPeriod, invoiceId, dataFrom, dataTo }: Invoice): string {
  const first = `${billingPeriod}-01`;
  const from = dataFrom ?? first;
  const to = dataTo ?? monthEnd(first);
  const isMixed = invoiceId === null && from < first && first <= to;
  return costsHref({
    from: isMixed ? first : from,
    to,
    metric: 'billed',
    // Earlier days have no lines of this invoice.
    compare: 'none',
    incomplete: 'true',
    account: accountId,
    invoice: invoiceId === null ? noValue : escaped(invoiceId),
  });
}
