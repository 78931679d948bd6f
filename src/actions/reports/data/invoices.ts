import type { Invoice } from '../../../facts/invoices/graphql-types.ts';
import { pageInvoices, prepareInvoices } from '../../../facts/invoices/run.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { monthOf } from '../../../kit/time/period.ts';
import { formatWord } from '../document.ts';
import { argsOf } from '../filters.ts';
import { countChart } from './charts.ts';
import { present, tableOf, field, type DataRequest, type Field, type ReadDataSet } from './data-set.ts';

/** The page of all invoices: its size exceeds their number. */
const all = { skip: 0, take: 1_000_000 } as const;

const statuses = ['matched', 'different', 'provisional', 'missing'] as const;

/** Reads the invoices of the billing months of the period, newest first. */
export const readInvoices: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const months = { startMonth: monthOf(report.startDate), endMonth: monthOf(report.endDate) };
  const asked = { ...argsOf('invoices', report.filters), ...months };
  const { rows } = await pageInvoices(deps, await prepareInvoices(deps, scope, asked), all);
  const byStatus = statuses.map((one) => ({
    label: formatWord(one),
    value: rows.filter((row) => row.status === one).length,
  }));
  return {
    subtitle: 'Invoices of the billing months in the period, compared with their lines.',
    summary: [{ label: 'Invoices', value: rows.length }, ...byStatus].map(({ label, value }) => ({
      label,
      value: formatCount(value),
    })),
    charts: present(countChart('Invoices by status', byStatus)),
    sections: [tableOf({ key: 'invoices', title: 'Invoices' }, fieldsOf(request), rows)],
    notes: ['Difference: invoice total minus bill lines.'],
  };
};

function fieldsOf({ accountNames }: DataRequest): Field<Invoice>[] {
  const money = (key: string, label: string, of: (row: Invoice) => number | null) =>
    field(key, label, { type: 'money', currency: null }, of);
  return [
    field('billing_period', 'Month', 'month', ({ billingPeriod }) => billingPeriod),
    field('account', 'Account', 'text', ({ accountId }) => accountNames.get(accountId) ?? accountId),
    field('issuer', 'Issuer', 'text', ({ issuer }) => issuer),
    field('invoice_id', 'Invoice', 'text', ({ invoiceId }) => invoiceId),
    field('currency', 'Currency', 'text', ({ currency }) => currency),
    money('billed_amount', 'Bill lines', ({ billedAmount }) => billedAmount),
    money('stated_amount', 'Invoice total', ({ statedAmount }) => statedAmount),
    money('difference', 'Difference', ({ difference }) => difference),
    field('status', 'Status', { type: 'text', isWord: true }, ({ status }) => status),
  ];
}
