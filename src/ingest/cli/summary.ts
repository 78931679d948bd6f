import type { SyncResult } from '../sync/bills/run.ts';

/** What was loaded, as a table: billing month, line items, and billed and effective cost by currency. */
export function summaryOf(result: SyncResult): string {
  if (result.months.length === 0) return 'Nothing has changed since the last load.';
  const rows = result.months
    .toSorted((a, b) => (a.month < b.month ? -1 : 1))
    .flatMap(({ month, totals }) =>
      totals.map((total) => [
        month,
        total.lineItems.toLocaleString('en-US'),
        cents(total.billed),
        cents(total.effective),
        total.currency,
      ]),
    );
  const table = [['month', 'line items', 'billed', 'effective', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table
    .map((row) =>
      row
        .map((cell, at) => (at === 0 || at === 4 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Cut, not rounded, to what a table needs; the exact sums are in the database. */
function cents(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  return `${sign}${BigInt(whole.replace('-', '')).toLocaleString('en-US')}.${fraction.padEnd(2, '0').slice(0, 2)}`;
}
