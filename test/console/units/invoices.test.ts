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

  it.each([
    ['from the first of its month: the lines of earlier months have none, either', {}, '2026-10-01', '2026-10-30'],
    [
      'for a billing period across two months',
      { dataFrom: '2026-10-05', dataTo: '2026-11-04' },
      '2026-10-05',
      '2026-11-04',
    ],
    ['for corrections only', { dataTo: '2026-09-20' }, '2026-09-12', '2026-09-20'],
  ])('covers the days of the bill of an invoice without a number, %s', (_case, days, from, to) => {
    const path = linesHref({ ...invoice, invoiceId: null, ...days });
    expect(path).toBe(`/costs?from=${from}&to=${to}&${rest}&invoice=%28none%29`);
  });

  it('covers the month of an invoice without a bill', () => {
    const path = linesHref({ ...invoice, dataFrom: null, dataTo: null });
    expect(path).toBe(`/costs?from=2026-10-01&to=2026-10-31&${rest}&invoice=I-1`);
  });
});
