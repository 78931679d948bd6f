// The columns of each provider's export, in order.

/** FOCUS 1.0 with the extra Azure columns. */
export const azureColumns = (
  'AvailabilityZone,BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodEnd,BillingPeriodStart,' +
  'ChargeCategory,ChargeClass,ChargeDescription,ChargeFrequency,ChargePeriodEnd,ChargePeriodStart,' +
  'CommitmentDiscountCategory,CommitmentDiscountId,CommitmentDiscountName,CommitmentDiscountStatus,CommitmentDiscountType,' +
  'ConsumedQuantity,ConsumedUnit,ContractedCost,ContractedUnitPrice,EffectiveCost,InvoiceIssuerName,ListCost,ListUnitPrice,' +
  'PricingCategory,PricingQuantity,PricingUnit,ProviderName,PublisherName,RegionId,RegionName,ResourceId,ResourceName,' +
  'ResourceType,ServiceCategory,ServiceName,SkuId,SkuPriceId,SubAccountId,SubAccountName,Tags,x_SkuMeterCategory,x_SkuMeterName'
).split(',');

/** FOCUS 1.2 with the three extra AWS columns. */
export const awsColumns = (
  'AvailabilityZone,BilledCost,BillingAccountId,BillingAccountName,BillingAccountType,BillingCurrency,BillingPeriodEnd,' +
  'BillingPeriodStart,CapacityReservationId,CapacityReservationStatus,ChargeCategory,ChargeClass,ChargeDescription,' +
  'ChargeFrequency,ChargePeriodEnd,ChargePeriodStart,CommitmentDiscountCategory,CommitmentDiscountId,CommitmentDiscountName,' +
  'CommitmentDiscountQuantity,CommitmentDiscountStatus,CommitmentDiscountType,CommitmentDiscountUnit,ConsumedQuantity,' +
  'ConsumedUnit,ContractedCost,ContractedUnitPrice,EffectiveCost,InvoiceId,InvoiceIssuerName,ListCost,ListUnitPrice,' +
  'PricingCategory,PricingCurrency,PricingCurrencyContractedUnitPrice,PricingCurrencyEffectiveCost,' +
  'PricingCurrencyListUnitPrice,PricingQuantity,PricingUnit,ProviderName,PublisherName,RegionId,RegionName,ResourceId,' +
  'ResourceName,ResourceType,ServiceCategory,ServiceName,ServiceSubcategory,SkuId,SkuMeter,SkuPriceId,SkuPriceDetails,' +
  'SubAccountId,SubAccountName,SubAccountType,Tags,x_Discounts,x_Operation,x_ServiceCode'
).split(',');

/** The columns of Google's FOCUS table, including resource labels, with their SQL types. */
export const gcpColumns: readonly (readonly [column: string, type: string])[] = [
  ...['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'].map((name) => [name, 'DECIMAL(38,12)'] as const),
  ...['ListUnitPrice', 'ContractedUnitPrice'].map((name) => [name, 'DECIMAL(38,8)'] as const),
  ...['PricingQuantity', 'ConsumedQuantity'].map((name) => [name, 'DECIMAL(38,4)'] as const),
  ...['BillingPeriodStart', 'BillingPeriodEnd', 'ChargePeriodStart', 'ChargePeriodEnd'].map(
    (name) => [name, 'TIMESTAMPTZ'] as const,
  ),
  ...(
    'BillingAccountId,BillingAccountName,BillingCurrency,ChargeCategory,ChargeClass,ChargeDescription,ChargeFrequency,' +
    'CommitmentDiscountCategory,CommitmentDiscountId,CommitmentDiscountName,CommitmentDiscountStatus,CommitmentDiscountType,' +
    'ConsumedUnit,InvoiceIssuerName,PricingCategory,PricingUnit,ProviderName,PublisherName,RegionId,RegionName,ResourceId,' +
    'ResourceName,ResourceType,ServiceCategory,ServiceName,ServiceSubcategory,SkuId,SkuMeter,SkuPriceId,SubAccountId,SubAccountName'
  )
    .split(',')
    .map((name) => [name, 'VARCHAR'] as const),
  ['Tags', 'MAP(VARCHAR, VARCHAR)'],
];
