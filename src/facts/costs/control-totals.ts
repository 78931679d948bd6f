import { Decimal } from 'decimal.js';
import { type ControlTotals, costMetrics, rollups, totalsOf } from '../../engine/codebook.ts';
import type { Reader } from '../../engine/fact-set.ts';
import type { Month } from '../../kit/time/period.ts';

/** A billing month whose sums differ from the control totals of its bills. */
export interface WrongMonth {
  readonly account: string;
  readonly month: Month;
  readonly reason: string;
}

interface Period {
  readonly account: string;
  readonly month: Month;
  readonly totals: readonly ControlTotals[];
}

/** Compares the sums in the database with the control totals of every billing month, in all organizations: for the operator. */
export async function listWrongSums(reader: Reader): Promise<{ months: number; wrong: WrongMonth[] }> {
  const periods = await reader.query(
    `/* listWrongSums */ SELECT account_id AS account, to_char(period, 'YYYY-MM') AS month, totals
     FROM billing_periods ORDER BY account_id, period`,
    [],
  );
  const sums = ['line_items', ...costMetrics].map((name) => `sum(${name})::text AS ${name}`).join(', ');
  const codes = Object.values(rollups).map(({ code }) => code);
  const found = await reader.query(
    `/* listWrongSums */ SELECT account_id AS account, to_char(billing_period, 'YYYY-MM') AS month, rollup, grain, currency, ${sums}
     FROM cost_rollups WHERE rollup = ANY($1) GROUP BY account_id, billing_period, rollup, grain, currency`,
    [codes],
  );
  const byMonth = Map.groupBy(found.rows as Record<string, string>[], ({ account, month }) => `${account} ${month}`);
  const months = periods.rows as Period[];
  const wrong = months.flatMap(({ account, month, totals }) => {
    const reason = differenceOf(totals, byMonth.get(`${account} ${month}`) ?? []);
    return reason === null ? [] : [{ account, month, reason }];
  });
  return { months: months.length, wrong };
}

const placesPerCurrency = Object.values(rollups).reduce((count, { isDaily }) => count + (isDaily ? 2 : 1), 0);

function differenceOf(totals: readonly ControlTotals[], rows: readonly Record<string, string>[]): string | null {
  const due = new Map(totals.map((total) => [total.currency, textOfTotals(total)]));
  for (const row of rows) {
    const sum = totalsOf(row);
    if (textOfTotals(sum) === due.get(sum.currency)) continue;
    return `rollup ${row['rollup']}/${row['grain']} adds up to ${textOfTotals(sum)}, but the bills to ${due.get(sum.currency) ?? 'nothing'}`;
  }
  if (rows.length === placesPerCurrency * due.size) return null;
  return `it has ${rows.length} sums where ${placesPerCurrency * due.size} are expected`;
}

/** Formats totals, for comparison and for messages. */
export function textOfTotals(total: ControlTotals): string {
  const costs = costMetrics.map((name) => `${name} ${new Decimal(total[name]).toFixed()}`).join(', ');
  return `${total.lineItems} ${total.currency} lines, ${costs}`;
}
