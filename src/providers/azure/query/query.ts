import { z } from 'zod';
import { type Day, parseDay } from '../../../kit/time/period.ts';
import { AzureRefusal } from '../faults.ts';
import { type AzureManagement, azurePages } from '../request.ts';

/** Two views of a month: invoiced cost, and amortized cost. */
type CostType = 'ActualCost' | 'AmortizedCost';

/** A query of the Query API. */
export interface CostQuery {
  /** `/subscriptions/…`, or a billing scope. */
  readonly scope: string;
  readonly type: CostType;
  /** Both inclusive; at most 31 days for daily costs. */
  readonly from: Day;
  readonly to: Day;
  readonly granularity: 'Daily' | 'None';
  /** Dimensions; the API allows at most two. */
  readonly by: readonly [string, string];
  /** Only charges of this ChargeType. */
  readonly chargeType?: string;
}

/** A row of a response. */
export interface CostRow {
  /** Exact, as written by Azure, without an exponent. */
  readonly cost: string;
  /** Null without granularity. */
  readonly day: Day | null;
  readonly currency: string;
  /** By lower-case dimension name. */
  readonly dimensions: Readonly<Record<string, string>>;
}

const pageShape = z.object({
  properties: z.object({
    nextLink: z.string().nullish(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  }),
});

/** Queries costs from Cost Management, page by page. Falls back to `PreTaxCost` for offers without `Cost`.
 *  @throws as `azureRequest` */
export async function queryCosts(
  management: AzureManagement,
  query: CostQuery,
  signal: AbortSignal,
): Promise<CostRow[]> {
  try {
    return await ask(management, query, 'Cost', signal);
  } catch (error) {
    const isUnknown =
      error instanceof AzureRefusal && error.refusedStatus === 400 && /\bCost\b/.test(error.refusedText);
    if (!isUnknown || !/aggregation|column|dataset/i.test(error.refusedText)) throw error;
    return ask(management, query, 'PreTaxCost', signal);
  }
}

async function ask(
  management: AzureManagement,
  query: CostQuery,
  column: 'Cost' | 'PreTaxCost',
  signal: AbortSignal,
): Promise<CostRow[]> {
  const request = {
    operation: 'query',
    path: `${query.scope}/providers/Microsoft.CostManagement/query`,
    body: bodyOf(query, column),
  } as const;
  const rows: CostRow[] = [];
  // 204 is also a valid response: no costs.
  for await (const page of azurePages(management, request, linkOf, signal))
    if (page !== null) rows.push(...rowsOf(page));
  return rows;
}

function bodyOf({ type, from, to, granularity, by, chargeType }: CostQuery, column: string): object {
  return {
    type,
    timeframe: 'Custom',
    timePeriod: { from: `${from}T00:00:00Z`, to: `${to}T23:59:59Z` },
    dataset: {
      granularity,
      aggregation: { totalCost: { name: column, function: 'Sum' } },
      grouping: by.map((name) => ({ type: 'Dimension', name })),
      ...(chargeType === undefined
        ? {}
        : { filter: { dimensions: { name: 'ChargeType', operator: 'In', values: [chargeType] } } }),
    },
  };
}

function linkOf(page: unknown): string | null {
  return pageShape.safeParse(page).data?.properties.nextLink || null;
}

function rowsOf(page: unknown): CostRow[] {
  const { columns, rows } = parse(page);
  const names = columns.map(({ name }) => name.toLowerCase());
  const cost = columns.findIndex(({ name, type }) => type === 'Number' && !/^(usagedate|billingmonth)$/i.test(name));
  const day = names.indexOf('usagedate');
  const currency = names.indexOf('currency');
  if (cost < 0 || currency < 0) throw unreadable();
  return rows.map((row) => ({
    cost: plainDecimal(row[cost]),
    day: day < 0 ? null : dayIn(row[day]),
    currency: String(row[currency] ?? ''),
    dimensions: Object.fromEntries(names.map((name, at) => [name, String(row[at] ?? '')])),
  }));
}

function parse(page: unknown): z.infer<typeof pageShape>['properties'] {
  const parsed = pageShape.safeParse(page);
  if (!parsed.success) throw unreadable();
  return parsed.data.properties;
}

function unreadable(): AzureRefusal {
  return new AzureRefusal('The Azure Query API returned unknown columns', {
    status: 200,
    code: '',
    text: '',
  });
}

/** Parses the number 20261031, or an ISO date. */
function dayIn(value: string | number | null | undefined): Day {
  const day = parseDay(String(value ?? '').replace(/^(\d{4})-?(\d{2})-?(\d{2}).*$/, '$1-$2-$3'));
  if (day === null) throw unreadable();
  return day;
}

/** Avoids the exponent that JavaScript writes for tiny amounts. */
function plainDecimal(value: string | number | null | undefined): string {
  const amount = Number(value ?? 0);
  if (!Number.isFinite(amount)) throw unreadable();
  const text = String(amount);
  return text.includes('e') ? amount.toFixed(20).replace(/\.?0+$/, '') : text;
}
