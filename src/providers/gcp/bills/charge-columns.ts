/** A row of a FOCUS file, by column. */
export type Charge = Readonly<Record<ChargeColumn, string>>;

/** The columns that are written, in order. */
export const chargeColumns = [
  'ProviderName',
  'BillingPeriodStart',
  'BillingPeriodEnd',
  'ChargePeriodStart',
  'ChargePeriodEnd',
  'BillingAccountId',
  'SubAccountId',
  'SubAccountName',
  'BillingCurrency',
  'BilledCost',
  'EffectiveCost',
  'ContractedCost',
  'ListCost',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'PricingCategory',
  'PricingQuantity',
  'PricingUnit',
  'ConsumedQuantity',
  'ConsumedUnit',
  'ServiceName',
  'SkuId',
  'SkuMeter',
  'RegionId',
  'ResourceId',
  'ResourceName',
  'ResourceType',
  'Tags',
  'CommitmentDiscountId',
  'CommitmentDiscountName',
  'CommitmentDiscountCategory',
  'CommitmentDiscountType',
  'CommitmentDiscountStatus',
] as const;

type ChargeColumn = (typeof chargeColumns)[number];
