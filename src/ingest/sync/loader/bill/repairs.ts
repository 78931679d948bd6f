import type { CostRepair } from '../../../../engine/codebook.ts';
import type { Duck } from '../duck.ts';
import { isProvider } from './columns.ts';
import { type Columns, commitmentId, type Layout, money } from './layout.ts';

// Costs of FOCUS files that the specification does not allow: it requires all four, and an effective cost of 0 for a purchase
// that covers later usage. They are completed or corrected per line item, so that it does not matter how a bill is split or
// sorted, and counted for the account's warnings. A file's own values are kept, unless its provider is known to write wrong ones.

/** Columns with the amount of each repair; null where there is none. */
const repairColumns = {
  effective: 'x_EffectiveRepair',
  list: 'x_ListRepair',
  contracted: 'x_ContractedRepair',
  raised_contracted: 'x_ContractedRaise',
  raised_list: 'x_ListRaise',
  purchase: 'x_PurchaseRepair',
  kept_purchase: 'x_KeptPurchase',
} as const satisfies Partial<Record<CostRepair['kind'], string>>;

const none = `NULL::${money}`;

/** Returns SQL of the repaired costs, and of the columns that count the repairs, over the mapped columns of a line item.
 *  @param mark slug of the provider whose own columns the file has */
export function repairedCosts(mark: string): Readonly<Record<string, string>> {
  const isAzure = `coalesce(${isProvider('azure', `nullif(ProviderName, '')`)}, ${mark === 'azure'})`;
  const category = 'lower(ChargeCategory)';
  const isCommitment = `(${commitmentId(`nullif(CommitmentDiscountId, '')`)} IS NOT NULL OR lower(PricingCategory) = 'committed')`;
  const isPaidTwice = `EffectiveCost <> 0 AND ${category} = 'purchase' AND ${isCommitment}`;
  // Azure states it in the purchase, and again in the usage that it covers and in the unused part.
  const isRepaired = `${isPaidTwice} AND ${isAzure}`;
  const unlessRepaired = (cost: string) => `CASE WHEN ${isRepaired} THEN ${cost} * 0 ELSE ${cost} END`;
  // Null only where the provider is known to omit it.
  const effective = `coalesce(${unlessRepaired('EffectiveCost')}, BilledCost)`;
  // Azure writes 0 for usage that a reservation covers, and for purchases in the Marketplace.
  const isUnpriced = (cost: string) =>
    `${cost} IS NULL OR (${cost} = 0 AND ${category} IN ('usage', 'purchase') AND ${isAzure})`;
  const atCost = `CASE WHEN ${category} = 'usage' THEN ${effective} ELSE BilledCost END`;
  const contracted = `CASE WHEN ${isUnpriced('ContractedCost')} THEN ${atCost} ELSE ContractedCost END`;
  const list = `CASE WHEN ${isUnpriced('ListCost')} THEN ${contracted} ELSE ListCost END`;
  const amountWhere = (condition: string, amount: string) => `CASE WHEN ${condition} THEN nullif(${amount}, 0) END`;
  return {
    EffectiveCost: effective,
    PricingCurrencyEffectiveCost: unlessRepaired('PricingCurrencyEffectiveCost'),
    ContractedCost: contracted,
    ListCost: list,
    [repairColumns.effective]: amountWhere('EffectiveCost IS NULL', 'BilledCost'),
    [repairColumns.list]: amountWhere(isUnpriced('ListCost'), contracted),
    [repairColumns.contracted]: amountWhere(isUnpriced('ContractedCost'), atCost),
    [repairColumns.raised_contracted]: none,
    [repairColumns.raised_list]: none,
    [repairColumns.purchase]: amountWhere(isRepaired, 'EffectiveCost'),
    [repairColumns.kept_purchase]: amountWhere(`${isPaidTwice} AND NOT ${isAzure}`, 'EffectiveCost'),
  };
}

/** Returns whether a file's costs may be repaired. */
export function hasRepairs({ dialect, columns }: Pick<Layout, 'dialect' | 'columns'>): boolean {
  return dialect === 'focus' || Object.values(repairColumns).some((name) => columns.has(name.toLowerCase()));
}

/** Returns the columns that count the repairs of a file whose costs are computed: those that its dialect makes, others null. */
export function madeRepairs(columns: Columns): Readonly<Record<string, string>> {
  const names = Object.values(repairColumns);
  return Object.fromEntries(names.map((name) => [name, columns.has(name.toLowerCase()) ? name : none]));
}

/** Repairs of a file's billing month. */
export interface FileRepair extends CostRepair {
  readonly fileNo: string;
  /** `YYYY-MM` */
  readonly month: string;
}

/** Counts the repairs of line items.
 *  @param from SELECT of line items
 *  @param where filter on them */
export async function countRepairs(duck: Duck, from: string, where: string): Promise<FileRepair[]> {
  const kinds = Object.entries(repairColumns) as [CostRepair['kind'], string][];
  const counts = kinds.map(([kind, column]) => `count(${column}) AS ${kind}, sum(${column}) AS ${kind}_amount`);
  const rows = await duck.rows(`
    SELECT file_no, strftime(period, '%Y-%m') AS month, upper(BillingCurrency) AS currency, ${counts.join(', ')}
    FROM (${from}) WHERE ${where} GROUP BY ALL ORDER BY ALL`);
  return rows.flatMap((row) =>
    kinds.flatMap(([kind]) => {
      const charges = Number(row[kind]);
      const [fileNo, month, currency, amount] = ['file_no', 'month', 'currency', `${kind}_amount`].map(
        (name) => row[name] ?? '',
      ) as [string, string, string, string];
      return charges === 0 ? [] : [{ fileNo, month, kind, currency, charges, amount }];
    }),
  );
}
