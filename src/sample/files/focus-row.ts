import { type Day, type Month, addDays, addMonths, firstDay } from '../../kit/time/period.ts';
import { decimalText } from '../bill/amount.ts';
import { billOf } from '../bill/bill.ts';
import type { Cloud } from '../bill/cloud.ts';
import type { LineItem } from '../bill/line-item.ts';
import { hexOf } from '../random.ts';

/** A bill line keyed by FOCUS column name; absent values are empty strings. */
export type FocusRow = Readonly<Record<string, string>>;

/** Formats midnight UTC of a day in a provider's format. */
export type Midnight = (day: Day) => string;

/** The bill of a month, as `billOf` returns it. */
export function focusRows(cloud: Cloud, month: Month, today: Day, midnight: Midnight): FocusRow[] {
  return billOf(cloud, month, today).map((item) => focusRow(cloud, item, midnight));
}

/** All FOCUS 1.2 columns of a line item; each provider exports a subset. */
function focusRow(cloud: Cloud, item: LineItem, midnight: Midnight): FocusRow {
  return {
    ...billing(cloud, item.month, midnight),
    ...charge(cloud, item, midnight),
    ...origin(cloud, item),
    ...sku(item),
    ...costs(item),
  };
}

function billing(
  { billingAccount, currency, invoiceIssuer, provider }: Cloud,
  month: Month,
  midnight: Midnight,
): FocusRow {
  return {
    BillingAccountId: billingAccount.id,
    BillingAccountName: billingAccount.name,
    BillingAccountType: billingAccount.type,
    BillingCurrency: currency,
    BillingPeriodStart: midnight(firstDay(month)),
    BillingPeriodEnd: midnight(firstDay(addMonths(month, 1))),
    InvoiceId: hexOf(`${provider} ${month}`, 10).toUpperCase(),
    InvoiceIssuerName: invoiceIssuer,
    PricingCurrency: currency,
  };
}

function charge({ currency }: Cloud, item: LineItem, midnight: Midnight): FocusRow {
  const { commitment } = item;
  return {
    ChargeCategory: item.chargeCategory,
    ChargeClass: item.correction ? 'Correction' : '',
    ChargeDescription: item.sku.description,
    ChargeFrequency: item.chargeFrequency,
    ChargePeriodStart: midnight(item.day),
    ChargePeriodEnd: midnight(addDays(item.day, 1)),
    CommitmentDiscountCategory: commitment?.category ?? '',
    CommitmentDiscountId: commitment?.id ?? '',
    CommitmentDiscountName: commitment?.name ?? '',
    CommitmentDiscountStatus: commitment?.status ?? '',
    CommitmentDiscountType: commitment?.type ?? '',
    ...(commitment && {
      CommitmentDiscountQuantity: decimalText(commitment.quantity, 4),
      CommitmentDiscountUnit: commitment.category === 'Usage' ? 'Hours' : currency,
    }),
    PricingCategory: item.pricingCategory,
  };
}

function origin(cloud: Cloud, { subAccount, region, service, resource, tags, publisher }: LineItem): FocusRow {
  return {
    ProviderName: cloud.providerName,
    PublisherName: publisher ?? cloud.providerName,
    RegionId: region?.id ?? '',
    RegionName: region?.name ?? '',
    ResourceId: resource?.id ?? '',
    ResourceName: resource?.name ?? '',
    ResourceType: resource?.type ?? '',
    ServiceCategory: service.category,
    ServiceName: service.name,
    ServiceSubcategory: service.subcategory,
    SubAccountId: subAccount?.id ?? '',
    SubAccountName: subAccount?.name ?? '',
    SubAccountType: subAccount?.type ?? '',
    Tags: Object.keys(tags).length === 0 ? '' : JSON.stringify(tags),
    x_ServiceCode: service.code,
    x_SkuMeterCategory: service.code,
  };
}

/** The SKU and price of a charge. Taxes, credits and corrections have no price. */
function sku(item: LineItem): FocusRow {
  const { meter, operation, unit, listPrice, description } = item.sku;
  if (meter === '') return isPriced(item) ? flatPrice(item, description) : {};
  const quantity = decimalText(item.quantity, 4);
  return {
    ...skuIds(meter),
    SkuMeter: meter,
    x_SkuMeterName: meter,
    x_Operation: operation,
    PricingUnit: unit,
    PricingQuantity: quantity,
    ConsumedUnit: unit,
    ConsumedQuantity: quantity,
    ...unitPrices(decimalText(listPrice, 8), decimalText(item.contractedPrice, 8)),
  };
}

function isPriced({ chargeCategory, correction }: LineItem): boolean {
  return !correction && (chargeCategory === 'Usage' || chargeCategory === 'Purchase');
}

/** Commitments, support and marketplace offers have one price for the whole. */
function flatPrice({ list, contracted, chargeCategory, commitment }: LineItem, description: string): FocusRow {
  // Only usage is consumed, and the unused part of a commitment is not.
  const isConsumed = chargeCategory === 'Usage' && commitment === null;
  return {
    ...skuIds(description),
    PricingUnit: 'Units',
    PricingQuantity: '1',
    ...(isConsumed && { ConsumedUnit: 'Units', ConsumedQuantity: '1' }),
    ...unitPrices(decimalText(list, 12), decimalText(contracted, 12)),
  };
}

function skuIds(of: string): FocusRow {
  const id = hexOf(of, 16).toUpperCase();
  return { SkuId: id, SkuPriceId: `${id}.${hexOf(`${of} price`, 10).toUpperCase()}` };
}

/** The pricing currency is the billing currency. */
function unitPrices(list: string, contracted: string): FocusRow {
  return {
    ListUnitPrice: list,
    ContractedUnitPrice: contracted,
    PricingCurrencyListUnitPrice: list,
    PricingCurrencyContractedUnitPrice: contracted,
  };
}

function costs({ billed, effective, list, contracted }: LineItem): FocusRow {
  return {
    BilledCost: decimalText(billed, 12),
    EffectiveCost: decimalText(effective, 12),
    ListCost: decimalText(list, 12),
    ContractedCost: decimalText(contracted, 12),
    PricingCurrencyEffectiveCost: decimalText(effective, 12),
  };
}
