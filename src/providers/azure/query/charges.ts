import { csvLine } from '../../../kit/text/csv.ts';
import { addDays, addMonths, type Day, firstDay, type Month } from '../../../kit/time/period.ts';

/** A charge from the Query API, for FOCUS: daily cost by subscription, service and charge type. */
export interface QueryCharge {
  readonly day: Day;
  readonly subscription: string;
  readonly service: string;
  readonly chargeType: string;
  readonly currency: string;
  /** Exact decimals, without exponents. */
  readonly billed: string;
  readonly effective: string;
}

/** FOCUS columns of a charge type. */
interface FocusKind {
  readonly category: 'Usage' | 'Purchase' | 'Tax' | 'Credit' | 'Adjustment';
  readonly chargeClass: '' | 'Correction';
}

/** Maps Azure's ChargeType to FOCUS, as for files of actual and amortized costs. Unused commitments count as usage: no resource
 *  has their part of the amortized cost. */
function focusKind(chargeType: string): FocusKind {
  switch (chargeType.toLowerCase().replace(/[\s_-]/g, '')) {
    case 'purchase':
      return { category: 'Purchase', chargeClass: '' };
    case 'refund':
      return { category: 'Credit', chargeClass: 'Correction' };
    case 'tax':
      return { category: 'Tax', chargeClass: '' };
    case 'credit':
      return { category: 'Credit', chargeClass: '' };
    case 'adjustment':
    case 'roundadjustment':
    case 'roundingadjustment':
      return { category: 'Adjustment', chargeClass: '' };
    default:
      return { category: 'Usage', chargeClass: '' };
  }
}

const header = [
  'BilledCost',
  'BillingAccountId',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'ContractedCost',
  'EffectiveCost',
  'InvoiceIssuerName',
  'ListCost',
  'ProviderName',
  'PublisherName',
  'ServiceName',
  'SubAccountId',
  'SubAccountName',
] as const;

/** Formats a month as a FOCUS file.
 *  @param account BillingAccountId
 *  @param names of subscriptions, by id */
export function focusCsv(
  charges: readonly QueryCharge[],
  { month, account, names }: { month: Month; account: string; names: ReadonlyMap<string, string> },
): string {
  const lines = charges.map((charge) => {
    const { category, chargeClass } = focusKind(charge.chargeType);
    const row: Record<(typeof header)[number], string> = {
      BilledCost: charge.billed,
      BillingAccountId: account,
      BillingCurrency: charge.currency,
      BillingPeriodEnd: instant(firstDay(addMonths(month, 1))),
      BillingPeriodStart: instant(firstDay(month)),
      ChargeCategory: category,
      ChargeClass: chargeClass,
      ChargeDescription: `${charge.service} (${charge.chargeType})`,
      ChargePeriodEnd: instant(addDays(charge.day, 1)),
      ChargePeriodStart: instant(charge.day),
      // Unknown, so that there is no discount.
      ContractedCost: category === 'Usage' ? charge.effective : charge.billed,
      EffectiveCost: charge.effective,
      InvoiceIssuerName: 'Microsoft',
      ListCost: category === 'Usage' ? charge.effective : charge.billed,
      ProviderName: 'Microsoft',
      PublisherName: 'Microsoft',
      ServiceName: charge.service,
      SubAccountId: charge.subscription,
      SubAccountName: names.get(charge.subscription) ?? '',
    };
    return csvLine(header.map((name) => row[name]));
  });
  return csvLine(header) + lines.join('');
}

function instant(day: Day): string {
  return `${day}T00:00:00Z`;
}
