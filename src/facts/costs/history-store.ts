import type { Pool } from 'pg';
import type { Day, DayRange, Month } from '../../kit/period.ts';
import type { Ledger } from './store.ts';

/** Days that one billing month of an account tells of. */
export interface LoadedMonth {
  readonly accountId: string;
  readonly month: Month;
  /** First and last charge day of its bill; it may reach beyond the month. */
  readonly dataFrom: Day;
  readonly dataTo: Day;
}

interface LoadedRow {
  account_id: string;
  month: Month;
  data_from: Day;
  data_to: Day;
}

/** The billing months that are loaded of accounts, as far as they touch the range. */
export async function listLoadedMonths(
  pool: Pool,
  { organizationId }: Pick<Ledger, 'organizationId'>,
  accountIds: readonly string[],
  { start, end }: DayRange,
): Promise<LoadedMonth[]> {
  const { rows } = await pool.query<LoadedRow>(
    `/* costs: loaded months */ SELECT account_id, to_char(period, 'YYYY-MM') AS month,
  to_char(data_from, 'YYYY-MM-DD') AS data_from, to_char(data_to, 'YYYY-MM-DD') AS data_to
FROM billing_periods WHERE organization_id = $1 AND account_id = ANY($2)
  AND period < $4 AND (period >= date_trunc('month', $3::date)::date OR data_to >= $3)
ORDER BY account_id, period`,
    [organizationId, accountIds, start, end],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    month: row.month,
    dataFrom: row.data_from,
    dataTo: row.data_to,
  }));
}

/** The months of the range that have a rate from each currency to another; a currency without any is absent. */
export async function listRatedMonths(
  pool: Pool,
  { organizationId, currency }: Pick<Ledger, 'organizationId' | 'currency'>,
  from: readonly string[],
): Promise<Map<string, Set<Month>>> {
  const { rows } = await pool.query<{ currency: string; month: Month }>(
    `/* costs: rated months */ SELECT from_currency AS currency, to_char(month, 'YYYY-MM') AS month FROM exchange_rates
WHERE organization_id = $1 AND to_currency = $2 AND from_currency = ANY($3)`,
    [organizationId, currency, from],
  );
  const rated = new Map<string, Set<Month>>();
  for (const row of rows) rated.set(row.currency, (rated.get(row.currency) ?? new Set<Month>()).add(row.month));
  return rated;
}
