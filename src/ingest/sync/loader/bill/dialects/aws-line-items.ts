import { literal } from '../../../../../engine/sql.ts';
import { amount, type Columns, type Made, money, textOf } from '../layout.ts';

/** FOCUS ChargeCategory → line item types. Other types are rejected, except discounts, whose names differ per program. */
export const kinds = {
  Usage: ['Usage', 'DiscountedUsage', 'SavingsPlanCoveredUsage', 'FlatRateSubscription'],
  Purchase: ['Fee', 'RIFee', 'SavingsPlanUpfrontFee', 'SavingsPlanRecurringFee'],
  Tax: ['Tax'],
  Credit: ['Credit', 'Refund'],
  Adjustment: ['SavingsPlanNegation'],
} as const;

/** Columns required to amortize a line item type: without them, its billed cost would be used instead, and be wrong. */
export const amortizedBy: Readonly<Record<string, readonly string[]>> = {
  SavingsPlanCoveredUsage: ['savings_plan_savings_plan_effective_cost'],
  SavingsPlanRecurringFee: ['savings_plan_total_commitment_to_date', 'savings_plan_used_commitment'],
  DiscountedUsage: ['reservation_effective_cost'],
};

/** Returns SQL for the FOCUS ChargeCategory of a line item type; null if unknown. */
export function categories(type: string): string {
  const cases = Object.entries(kinds).map(([category, types]) => {
    return `WHEN ${type} IN (${types.map(literal).join(', ')}) THEN '${category}'`;
  });
  return `CASE ${cases.join(' ')} WHEN ${type} LIKE '%Discount' THEN 'Adjustment' END`;
}

/** Returns SQL for the unused part of a commitment fee: 0 for every other line item. */
export function unusedCost(columns: Columns): string {
  const of = (name: string) => `coalesce(${amount(columns, name)}, 0)`;
  return `CASE ${textOf(columns, ['line_item_line_item_type'])}
    WHEN 'RIFee' THEN ${of('reservation_unused_amortized_upfront_fee_for_billing_period')} + ${of('reservation_unused_recurring_fee')}
    WHEN 'SavingsPlanRecurringFee' THEN ${of('savings_plan_total_commitment_to_date')} - ${of('savings_plan_used_commitment')}
    ELSE 0::${money} END`;
}

/** Returns the four costs of a charge by line item type. Commitment fees are part of the usage they cover and of their unused
 *  part, so their purchase has no effective cost.
 *  - Contracted: without commitments, so that covered usage has its on-demand price; negotiated discounts lower it.
 *  - List: the public on-demand price if the report has one. */
export function awsCosts(
  columns: Columns,
): Record<'BilledCost' | 'EffectiveCost' | 'ListCost' | 'ContractedCost', Made> {
  const type = textOf(columns, ['line_item_line_item_type']);
  const reservation = textOf(columns, ['reservation_reservation_a_r_n']);
  const plan = textOf(columns, ['savings_plan_savings_plan_a_r_n']);
  const billed = amount(columns, 'line_item_unblended_cost');
  const effectiveOf = (name: string) => `coalesce(${amount(columns, name)}, ${billed})`;
  const none = `0::${money}`;
  const atList = `nullif(${amount(columns, 'pricing_public_on_demand_cost')}, 0)`;
  const unused = unusedCost(columns);
  const contracted = `CASE WHEN is_unused THEN ${unused}
    WHEN ${type} = 'DiscountedUsage' THEN coalesce(${atList}, ${effectiveOf('reservation_effective_cost')})
    WHEN ${type} = 'SavingsPlanNegation' THEN ${none} ELSE ${billed} END`;
  const cost = (sql: string): Made => ({ sql: `(${sql})`, type: money });
  return {
    BilledCost: cost(`CASE WHEN is_unused THEN ${none} ELSE ${billed} END`),
    EffectiveCost: cost(`CASE WHEN is_unused THEN ${unused}
      WHEN ${type} = 'SavingsPlanCoveredUsage' THEN ${effectiveOf('savings_plan_savings_plan_effective_cost')}
      WHEN ${type} = 'DiscountedUsage' THEN ${effectiveOf('reservation_effective_cost')}
      WHEN ${type} IN ('SavingsPlanRecurringFee', 'SavingsPlanUpfrontFee', 'SavingsPlanNegation', 'RIFee') THEN ${none}
      WHEN ${type} = 'Fee' AND ${reservation} IS NOT NULL THEN ${none}
      WHEN ${type} = 'Refund' AND ${plan} IS NOT NULL THEN ${none}
      ELSE ${billed} END`),
    ListCost: cost(`CASE WHEN is_unused THEN ${unused}
      WHEN ${type} IN (${kinds.Usage.map(literal).join(', ')}) THEN coalesce(${atList}, ${contracted})
      WHEN ${type} = 'SavingsPlanNegation' OR ${type} LIKE '%Discount' THEN ${none} ELSE ${billed} END`),
    ContractedCost: cost(contracted),
  };
}
