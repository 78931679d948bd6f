import { describe, expect, it } from 'vitest';
import { linesHref } from '../../../src/console/invoices/address.ts';

const invoice = {
  accountId: 'a',
  billingPeriod: '2026-10',
  invoiceId: 'I-1',
  dataFrom: '2026-09-12',
  dataTo: '2026-10-30',
};
const rest = 'metric=billed&compare=none&incomplete=true&account=a';

describe('linesHref', () => {
  it('covers all days of the bill, also those before its month and incomplete ones', () => {
    expect(linesHref(invoice)).toBe(`/costs?from=2026-09-12&to=2026-10-30&${rest}&invoice=I-1`);
  });

  it('covers the month of an invoice without a number: the lines of other months have none, either', () => {
    const path = linesHref({ ...invoice, invoiceId: null });
    expect(path).toBe(`/costs?from=2026-10-01&to=2026-10-31&${rest}&invoice=%28none%29`);
  });

  it('covers the month of an invoice without a bill', () => {
    const path = linesHref({ ...invoice, dataFrom: null, dataTo: null });
    expect(path).toBe(`/costs?from=2026-10-01&to=2026-10-31&${rest}&invoice=I-1`);
  });
});
