// The requirements of FOCUS 1.2 on single rows of Cost and Usage, in our own words, from the column pages of its specification
// (focus.finops.org). SHOULD and MAY are left out, except the unit format. The FinOps Foundation publishes the same as JSON, in
// its validator (finopsfoundation/focus_validator, `model-1.2.json`); it is not used here, because only text of our own may be
// in this repository, and a test must not need the network.

/** A requirement: SQL that is true for a row that breaks it, and the columns that it needs. */
export interface Rule {
  readonly name: string;
  readonly columns: readonly string[];
  readonly broken: string;
}

/** Columns that every dataset must have. */
export const mandatory = (
  'BilledCost BillingAccountId BillingAccountName BillingCurrency BillingPeriodEnd BillingPeriodStart ChargeCategory ChargeClass ' +
  'ChargeDescription ChargePeriodEnd ChargePeriodStart ContractedCost EffectiveCost InvoiceIssuerName ListCost PricingQuantity ' +
  'PricingUnit ProviderName PublisherName ServiceCategory ServiceName'
).split(' ');

const neverNull = (
  'BilledCost BillingAccountId BillingAccountName BillingCurrency BillingPeriodEnd BillingPeriodStart ChargeCategory ChargeFrequency ' +
  'ChargePeriodEnd ChargePeriodStart ContractedCost EffectiveCost InvoiceIssuerName ListCost PricingCurrency ' +
  'PricingCurrencyEffectiveCost ProviderName PublisherName ServiceCategory ServiceName ServiceSubcategory'
).split(' ');

/** Both are null, or neither is. */
const together = (
  'SubAccountId=SubAccountName SubAccountId=SubAccountType BillingAccountId=BillingAccountType RegionId=RegionName ' +
  'ResourceId=ResourceType PricingQuantity=PricingUnit ConsumedQuantity=ConsumedUnit ' +
  'CommitmentDiscountId=CommitmentDiscountCategory CommitmentDiscountId=CommitmentDiscountType ' +
  'CommitmentDiscountQuantity=CommitmentDiscountUnit CapacityReservationId=CapacityReservationStatus'
)
  .split(' ')
  .map((pair) => pair.split('='));

/** The second is null where the first is. */
const depends =
  'CommitmentDiscountId>CommitmentDiscountName CommitmentDiscountId>CommitmentDiscountStatus ResourceId>ResourceName SkuId>SkuMeter SkuPriceId>SkuPriceDetails RegionId>AvailabilityZone'
    .split(' ')
    .map((pair) => pair.split('>'));

const words: Readonly<Record<string, string>> = {
  ChargeCategory: 'Usage|Purchase|Tax|Credit|Adjustment',
  ChargeClass: 'Correction',
  ChargeFrequency: 'One-Time|Recurring|Usage-Based',
  CommitmentDiscountCategory: 'Spend|Usage',
  CommitmentDiscountStatus: 'Used|Unused',
  CapacityReservationStatus: 'Used|Unused',
  PricingCategory: 'Standard|Dynamic|Committed|Other',
  ServiceCategory:
    'AI and Machine Learning|Analytics|Business Applications|Compute|Databases|Developer Tools|Multicloud|Identity|Integration|' +
    'Internet of Things|Management and Governance|Media|Migration|Mobile|Networking|Security|Storage|Web|Other',
};

const decimals = (
  'BilledCost EffectiveCost ListCost ContractedCost PricingQuantity ConsumedQuantity CommitmentDiscountQuantity ListUnitPrice ' +
  'ContractedUnitPrice PricingCurrencyEffectiveCost PricingCurrencyListUnitPrice PricingCurrencyContractedUnitPrice'
).split(' ');
const times = 'BillingPeriodStart BillingPeriodEnd ChargePeriodStart ChargePeriodEnd'.split(' ');

/** Needed where something is used or bought, and absent on taxes. */
const priced =
  'PricingQuantity SkuId SkuPriceId PricingCategory ListUnitPrice ContractedUnitPrice PricingCurrencyListUnitPrice'.split(
    ' ',
  );

const isCharge = `ChargeCategory IN ('Usage', 'Purchase') AND ChargeClass IS NULL`;
const size = '(?:[KMGTPE]i?)?[bB]';
const countOrSize = `(?:${size}|[A-Z][A-Za-z]*)`;
const time = '(?:Year|Month|Day|Hour|Minute|Second)';
const unit = `^(?:[0-9]+ )?(?:${countOrSize}(?:-${time}s|/${time}|/[0-9]+ ${time}s)?|${time}s)$`;

const rule = (name: string, columns: readonly string[], broken: string): Rule => ({ name, columns, broken });

/** All requirements on rows. */
export const rules: readonly Rule[] = [
  ...neverNull.map((column) => rule(`${column} is not null`, [column], `${column} IS NULL`)),
  ...together.map(([a = '', b = '']) =>
    rule(`${b} is null exactly where ${a} is`, [a, b], `(${a} IS NULL) <> (${b} IS NULL)`),
  ),
  ...depends.map(([a = '', b = '']) => rule(`${b} is null where ${a} is`, [a, b], `${a} IS NULL AND ${b} IS NOT NULL`)),
  ...Object.entries(words).map(([column, list]) =>
    rule(`${column} is an allowed value`, [column], `${column} NOT IN ('${list.split('|').join(`', '`)}')`),
  ),
  ...decimals.map((column) =>
    rule(
      `${column} is a number`,
      [column],
      `NOT regexp_matches(${column}::VARCHAR, '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$')`,
    ),
  ),
  ...times.map((column) =>
    rule(
      `${column} is a UTC time in ISO 8601`,
      [column],
      `NOT regexp_matches(${column}::VARCHAR, '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z$')`,
    ),
  ),
  ...priced.map((column) =>
    rule(
      `${column} is not null on usage and purchases`,
      [column, 'ChargeCategory', 'ChargeClass'],
      `${isCharge} AND ${column} IS NULL`,
    ),
  ),
  ...priced.map((column) =>
    rule(`${column} is null on taxes`, [column, 'ChargeCategory'], `ChargeCategory = 'Tax' AND ${column} IS NOT NULL`),
  ),
  ...['List', 'Contracted'].map((kind) =>
    rule(
      `${kind}Cost is the product of quantity and unit price`,
      [`${kind}UnitPrice`, `${kind}Cost`, 'PricingQuantity', 'ChargeClass'],
      `ChargeClass IS NULL AND ${kind}UnitPrice::DECIMAL(18,12)::DECIMAL(38,12) * PricingQuantity::DECIMAL(18,4) <> ${kind}Cost::DECIMAL(38,12)`,
    ),
  ),
  ...['ListUnitPrice', 'ContractedUnitPrice', 'PricingCurrencyListUnitPrice'].map((column) =>
    rule(`${column} is not negative`, [column], `${column}::DOUBLE < 0`),
  ),
  rule('BillingCurrency is a currency code', ['BillingCurrency'], `NOT regexp_matches(BillingCurrency, '^[A-Z]{3}$')`),
  rule(
    'a period ends after it begins',
    ['BillingPeriodStart', 'BillingPeriodEnd'],
    'BillingPeriodEnd <= BillingPeriodStart',
  ),
  rule(
    'a charge ends after it begins',
    ['ChargePeriodStart', 'ChargePeriodEnd'],
    'ChargePeriodEnd <= ChargePeriodStart',
  ),
  rule(
    'a purchase is not charged by usage',
    ['ChargeFrequency', 'ChargeCategory'],
    `ChargeCategory = 'Purchase' AND ChargeFrequency = 'Usage-Based'`,
  ),
  rule(
    'usage of a commitment has a status',
    ['CommitmentDiscountStatus', 'CommitmentDiscountId', 'ChargeCategory'],
    `ChargeCategory = 'Usage' AND CommitmentDiscountId IS NOT NULL AND CommitmentDiscountStatus IS NULL`,
  ),
  rule(
    'usage and purchases of a commitment have its quantity',
    ['CommitmentDiscountQuantity', 'CommitmentDiscountId', 'ChargeCategory', 'ChargeClass'],
    `${isCharge} AND CommitmentDiscountId IS NOT NULL AND CommitmentDiscountQuantity IS NULL`,
  ),
  rule(
    'only commitments have a quantity of one',
    ['CommitmentDiscountQuantity', 'CommitmentDiscountId'],
    'CommitmentDiscountId IS NULL AND CommitmentDiscountQuantity IS NOT NULL',
  ),
  rule(
    'only usage is consumed, and unused commitments are not',
    ['ConsumedQuantity', 'ChargeCategory', 'CommitmentDiscountStatus'],
    `ConsumedQuantity IS NOT NULL AND (ChargeCategory <> 'Usage' OR coalesce(CommitmentDiscountStatus = 'Unused', false))`,
  ),
  rule(
    'usage has a consumed quantity',
    ['ConsumedQuantity', 'ChargeCategory', 'ChargeClass', 'CommitmentDiscountStatus'],
    `ChargeCategory = 'Usage' AND ChargeClass IS NULL AND CommitmentDiscountStatus IS DISTINCT FROM 'Unused' AND ConsumedQuantity IS NULL`,
  ),
  rule(
    'the purchase of a commitment has no effective cost',
    ['EffectiveCost', 'ChargeCategory', 'CommitmentDiscountId'],
    `ChargeCategory = 'Purchase' AND CommitmentDiscountId IS NOT NULL AND EffectiveCost::DOUBLE <> 0`,
  ),
  rule(
    'tags are a JSON object',
    ['Tags'],
    `coalesce(json_type(try_cast(Tags AS JSON)) <> 'OBJECT', true) AND Tags IS NOT NULL`,
  ),
  ...['PricingUnit', 'ConsumedUnit'].map((column) =>
    rule(`${column} has the unit format`, [column], `NOT regexp_matches(${column}, '${unit}')`),
  ),
];

/** Values of the first column that must each have one value of the second. */
export const functional = [
  ['SkuPriceId', 'SkuId'],
  ['ServiceName', 'ServiceCategory'],
] as const;
