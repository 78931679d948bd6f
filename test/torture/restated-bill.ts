import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { runDuck } from '../support/focus.ts';

/** The months of a bill that is delivered again and again. */
export const restatedMonths = ['2026-03', '2026-04'] as const;

/** One month of a delivery. */
interface Delivery {
  readonly month: string;
  /** Cost of each line item: the number of the delivery. */
  readonly cost: number;
  readonly lines: number;
}

/** Replaces the Parquet file of a month atomically. */
export async function deliverMonth(file: string, { month, cost, lines }: Delivery): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true });
  const items = `SELECT ${cost}::DECIMAL(12,2) AS BilledCost, ${cost}::DECIMAL(12,2) AS EffectiveCost, ${cost}::DECIMAL(12,2) AS ListCost,
    ${cost}::DECIMAL(12,2) AS ContractedCost, 'USD' AS BillingCurrency, TIMESTAMP '${month}-01' AS BillingPeriodStart,
    TIMESTAMP '${month}-01' + INTERVAL (i % 28) DAY AS ChargePeriodStart, 'Usage' AS ChargeCategory, 'Service ' || (i % 9) AS ServiceName,
    'AWS' AS ProviderName, 'account ' || (i % 5) AS SubAccountId, 'vm-' || (i // 28) AS ResourceId,
    '{"team":"' || (i % 40) || '"}' AS Tags FROM range(${lines}) t(i)`;
  await runDuck(`COPY (${items}) TO '${file}.tmp' (FORMAT parquet)`);
  renameSync(`${file}.tmp`, file);
}

/** Path of the request for the cost of each month, from rollups. */
export const monthlyCosts =
  '/costs/summary?start_date=2026-03-01&end_date=2026-04-30&granularity=monthly&cost_metric=billed';

/** Path of the same request for fact files, since rollups have no resources. */
export const monthlyCostsOfFacts =
  '/costs?resource=vm-*&granularity=monthly&limit=1&cost_metric=billed&start_date=2026-03-01&end_date=2026-04-30';

/** Answer to `monthlyCosts`. */
export interface MonthlyCosts {
  readonly periods: readonly { readonly cost: number }[];
}

/** Answer to `monthlyCostsOfFacts`. */
export interface MonthlyCostsOfFacts {
  readonly rows: readonly { readonly points: readonly { readonly date: string; readonly cost: number }[] }[];
}

/** The cost of each month per line item. */
export function costsIn(answer: MonthlyCosts, lines: number): number[] {
  return answer.periods.map((period) => period.cost / lines);
}

/** The cost of each month per line item; 0 for a month without costs. */
export function costsInFacts(answer: MonthlyCostsOfFacts, lines: number): number[] {
  const points = answer.rows[0]?.points ?? [];
  return restatedMonths.map((month) => (points.find(({ date }) => date === `${month}-01`)?.cost ?? 0) / lines);
}
