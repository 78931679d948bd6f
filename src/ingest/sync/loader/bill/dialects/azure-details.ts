import { identifier, literal } from '../../../../../engine/sql.ts';
import { codeMark } from '../categories.ts';
import {
  amount,
  asItIs,
  checkColumn,
  checkCurrency,
  checkNumber,
  checkText,
  type Columns,
  columnsOf,
  commitmentId,
  type Dialect,
  expectedRange,
  firstMonth,
  instantText,
  lastMonth,
  type Made,
  money,
  type OwnRows,
  renamed,
  type RowCheck,
  selectList,
  textOf,
} from '../layout.ts';

// Azure cost details: exports of actual or amortized costs, and portal downloads. Column names differ by agreement, age and
// export: in case, spaces and wording. The charges are the same.

/** Names of each column, preferred one first: lower case, letters and digits only. */
const names = {
  cost: ['costinbillingcurrency', 'cost', 'pretaxcost', 'billingpretaxtotal'],
  currency: ['billingcurrencycode', 'billingcurrency', 'currency', 'currencycode'],
  date: ['date', 'usagedatetime', 'usagedate'],
  period: ['billingperiodstartdate', 'billingperiodstart'],
  kind: ['chargetype'],
  pricing: ['pricingmodel'],
  category: ['metercategory'],
  consumed: ['consumedservice'],
  subcategory: ['metersubcategory'],
  publisher: ['publishername'],
  product: ['product', 'productname'],
  meter: ['metername'],
  meterId: ['meterid'],
  part: ['partnumber'],
  unit: ['unitofmeasure'],
  quantity: ['quantity', 'usagequantity', 'consumedquantity'],
  unitPrice: ['unitprice', 'resourcerate'],
  retailPrice: ['paygprice'],
  retailCost: ['paygcostinbillingcurrency'],
  pricingCurrency: ['pricingcurrency', 'pricingcurrencycode'],
  exchangeRate: ['exchangeratepricingtobilling', 'exchangerate'],
  region: ['resourcelocation', 'resourcelocationnormalized', 'location', 'meterregion'],
  resource: ['resourceid', 'instanceid', 'instancename'],
  resourceName: ['resourcename'],
  resourceType: ['resourcetype'],
  account: ['billingaccountid', 'billingprofileid', 'enrollmentnumber'],
  accountName: ['billingaccountname', 'billingprofilename'],
  subscription: ['subscriptionid', 'subscriptionguid'],
  subscriptionName: ['subscriptionname'],
  invoice: ['invoiceid'],
  zone: ['availabilityzone'],
  tags: ['tags'],
  benefit: ['benefitid'],
  benefitName: ['benefitname', 'reservationname'],
  reservation: ['reservationid'],
  order: ['productorderid'],
} as const;

/** FOCUS ChargeCategory → Azure charge types. */
const kinds = {
  Usage: ['usage', 'unusedreservation', 'unusedsavingsplan', 'unusedbenefit'],
  Purchase: ['purchase'],
  Tax: ['tax'],
  Credit: ['credit', 'refund'],
  Adjustment: ['adjustment', 'roundadjustment', 'roundingadjustment'],
} as const;

type Column = keyof typeof names;

/** Returns the dialect of an Azure cost details header; null for any other. */
export function azureDetails(written: Columns): Dialect | null {
  const columns = renamed(written, (name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const has = (column: Column) => names[column].some((name) => columns.has(name));
  if (!has('cost') || !(has('category') || has('consumed') || has('meterId'))) return null;
  const made = focusColumns(columns);
  const missing = (['date', 'currency'] as const).filter((column) => !has(column));
  return {
    dialect: 'azure-details',
    columns: columnsOf(made),
    tagForm: '',
    missing: missing.map((column) => ({ date: 'Date', currency: 'BillingCurrency' })[column]),
    needs: 'required to read Azure cost details; export all columns of actual or amortized costs, in English',
    own: ownRows(columns),
    parts: null,
    view: (rows, isSeveral) => `(SELECT ${isSeveral ? 'file_index, ' : ''}${selectList(made)} FROM ${rows})`,
  };
}

function first(columns: Columns, column: Column): string | null {
  return names[column].find((name) => columns.has(name)) ?? null;
}

function text(columns: Columns, column: Column): string {
  return textOf(columns, names[column]);
}

function number(columns: Columns, column: Column): string {
  return amount(columns, first(columns, column) ?? '');
}

/** Returns SQL for the FOCUS ChargeCategory of a charge type. Old bills lack the column and contain only usage. */
function category(columns: Columns): string {
  if (!first(columns, 'kind')) return `'Usage'`;
  const cases = Object.entries(kinds).map(
    ([name, types]) => `WHEN lower(${text(columns, 'kind')}) IN (${types.map(literal).join(', ')}) THEN '${name}'`,
  );
  return `CASE ${cases.join(' ')} END`;
}

function focusColumns(columns: Columns): Record<string, Made> {
  const of = (column: Column): Made => ({ sql: text(columns, column) });
  const date = day(columns, first(columns, 'date') ?? '');
  const period = day(columns, first(columns, 'period') ?? '');
  const quantity: Made = { sql: number(columns, 'quantity'), type: money };
  const tags = first(columns, 'tags');
  return {
    ...costs(columns),
    ...commitment(columns),
    ProviderName: { sql: `'Microsoft'` },
    PublisherName: of('publisher'),
    InvoiceId: of('invoice'),
    BillingCurrency: of('currency'),
    // Some exports omit the billing month; an unreadable one is rejected, not guessed.
    BillingPeriodStart: {
      sql: `CASE WHEN ${text(columns, 'period')} IS NULL THEN ${date} ELSE ${period} END`,
      type: 'TIMESTAMP',
    },
    ChargePeriodStart: { sql: date, type: 'TIMESTAMP' },
    ChargeCategory: { sql: category(columns) },
    ChargeClass: { sql: `CASE WHEN lower(${text(columns, 'kind')}) = 'refund' THEN 'Correction' END` },
    ChargeDescription: { sql: `coalesce(${text(columns, 'product')}, ${text(columns, 'meter')})` },
    BillingAccountId: of('account'),
    BillingAccountName: of('accountName'),
    SubAccountId: of('subscription'),
    SubAccountName: of('subscriptionName'),
    ServiceName: {
      sql: `coalesce(${[...(['category', 'subcategory', 'publisher', 'consumed'] as const)].map((column) => text(columns, column)).join(', ')})`,
    },
    ServiceCategory: { sql: `'${codeMark}' || ${text(columns, 'consumed')}` },
    RegionId: { sql: regionOf(text(columns, 'region')) },
    AvailabilityZone: of('zone'),
    ResourceId: of('resource'),
    ResourceName: {
      sql: `coalesce(${text(columns, 'resourceName')}, nullif(regexp_extract(${text(columns, 'resource')}, '([^/]+)/?$', 1), ''))`,
    },
    ResourceType: of('resourceType'),
    SkuId: { sql: `coalesce(${text(columns, 'part')}, ${text(columns, 'meterId')})` },
    SkuPriceId: of('meterId'),
    SkuMeter: of('meter'),
    PricingQuantity: quantity,
    PricingUnit: of('unit'),
    ConsumedQuantity: { sql: `CASE WHEN ${category(columns)} = 'Usage' THEN ${quantity.sql} END`, type: money },
    ConsumedUnit: { sql: `CASE WHEN ${category(columns)} = 'Usage' THEN ${text(columns, 'unit')} END` },
    Tags: tags ? asItIs(columns, tags) : { sql: 'NULL::VARCHAR' },
  };
}

/** The cost column is billed or amortized, depending on the export; if both are read, each cost comes from its own. Contracted
 *  and list costs are prices times quantity, but never below the cost: a price may be missing. `madeRepairs` counts the amounts by
 *  which they are raised. Only usage and purchases have prices. */
function costs(columns: Columns): Record<string, Made> {
  const cost = number(columns, 'cost');
  const hasPrice = `${cost} > 0 AND ${category(columns)} IN ('Usage', 'Purchase')`;
  const atUnit = `coalesce(${atPrice(columns, 'unitPrice')}, 0)`;
  const contracted = `CASE WHEN ${hasPrice} THEN greatest(${cost}, ${atUnit}) ELSE ${cost} END`;
  const atRetail = `coalesce(${number(columns, 'retailCost')}, ${atPrice(columns, 'retailPrice')}, 0)`;
  const made = (sql: string): Made => ({ sql: `(${sql})`, type: money });
  // A smaller difference comes from the rounding of a unit price.
  const raise = (to: string, from: string) =>
    made(`CASE WHEN ${hasPrice} AND ${to} - ${from} > 0.000001 THEN ${to} - ${from} END`);
  return {
    BilledCost: made(cost),
    EffectiveCost: made(cost),
    ContractedCost: made(contracted),
    ListCost: made(`CASE WHEN ${hasPrice} THEN greatest(${contracted}, ${atRetail}) ELSE ${cost} END`),
    x_ContractedRaise: raise(cost, atUnit),
    x_ListRaise: raise(contracted, atRetail),
  };
}

/** Returns SQL for a unit price times the quantity, in the billing currency. Prices are in the pricing currency, which differs
 *  under a Microsoft Customer Agreement; null if the row lacks the exchange rate then. */
function atPrice(columns: Columns, price: 'unitPrice' | 'retailPrice'): string {
  const inPricing = `(${number(columns, price)} * ${number(columns, 'quantity')})`;
  const isOtherCurrency = `upper(${text(columns, 'pricingCurrency')}) <> upper(${text(columns, 'currency')})`;
  // A product of three amounts would have more than 38 digits.
  return `CASE WHEN ${isOtherCurrency} THEN (${inPricing}::DECIMAL(38,15) * ${number(columns, 'exchangeRate')})::${money}
    ELSE ${inPricing}::${money} END`;
}

function commitment(columns: Columns): Record<string, Made> {
  const kind = `lower(${text(columns, 'kind')})`;
  const pricing = `lower(${text(columns, 'pricing')})`;
  const reservation = commitmentId(text(columns, 'reservation'));
  const order = text(columns, 'order');
  const asPath = `CASE WHEN ${reservation} LIKE '/%' OR ${order} IS NULL THEN ${reservation}
    ELSE '/providers/microsoft.capacity/reservationorders/' || ${order} || '/reservations/' || ${reservation} END`;
  // A purchase's id ends where the reservation's id would follow.
  const id = `lower(coalesce(${commitmentId(`nullif(rtrim(${text(columns, 'benefit')}, '/'), '')`)}, ${asPath}))`;
  const isPlan = `(${pricing} = 'savingsplan' OR ${kind} = 'unusedsavingsplan' OR ${id} LIKE '%/savingsplan%')`;
  const isUnused = `${kind} LIKE 'unused%'`;
  return {
    CommitmentDiscountId: { sql: id },
    CommitmentDiscountName: { sql: text(columns, 'benefitName') },
    CommitmentDiscountCategory: {
      sql: `CASE WHEN ${isPlan} THEN 'Spend' WHEN ${id} IS NOT NULL OR ${pricing} = 'reservation' THEN 'Usage' END`,
    },
    CommitmentDiscountType: {
      sql: `CASE WHEN ${isPlan} THEN 'Savings Plan' WHEN ${id} IS NOT NULL OR ${pricing} = 'reservation' THEN 'Reservation' END`,
    },
    CommitmentDiscountStatus: {
      sql: `CASE WHEN ${isUnused} THEN 'Unused' WHEN ${id} IS NOT NULL AND coalesce(${kind}, 'usage') = 'usage' THEN 'Used' END`,
    },
    PricingCategory: {
      sql: `CASE WHEN ${pricing} IN ('reservation', 'savingsplan') OR ${isUnused} THEN 'Committed' WHEN ${pricing} = 'spot' THEN 'Dynamic' ELSE 'Standard' END`,
    },
  };
}

function ownRows(columns: Columns): Omit<OwnRows, 'from' | 'headerRows'> {
  const named = (key: string | null) => (key ? columns.get(key)?.name : undefined);
  const checkDay = (column: Column, nullable: boolean): RowCheck[] => {
    const key = first(columns, column);
    if (!key) return [];
    return [
      ...checkColumn(columns, key, {
        bad: () => `${day(columns, key)} NOT BETWEEN '${firstMonth}' AND '${lastMonth}'`,
        expected: expectedRange,
        name: named(key),
      }),
      ...checkColumn(columns, key, {
        bad: (value) => `${nullable ? `${value} IS NOT NULL AND ` : ''}${day(columns, key)} IS NULL`,
        expected: dayExpected,
        name: named(key),
      }),
    ];
  };
  const numbers = (['quantity', 'unitPrice', 'retailPrice', 'retailCost', 'exchangeRate'] as const).flatMap(
    (column) => {
      const key = first(columns, column);
      return key ? checkNumber(columns, key, true, named(key)) : [];
    },
  );
  const cost = first(columns, 'cost') ?? '';
  const kind = first(columns, 'kind');
  const checks: RowCheck[] = [
    ...checkNumber(columns, cost, false, named(cost)),
    ...numbers,
    ...checkDay('date', false),
    ...checkDay('period', true),
    ...names.currency
      .slice(0)
      .flatMap((key) => (key === first(columns, 'currency') ? checkCurrency(columns, key, named(key)) : [])),
    ...(kind
      ? checkColumn(columns, kind, {
          bad: () => `${category(columns)} IS NULL`,
          expected: 'Usage, Purchase, Refund, UnusedReservation, UnusedSavingsPlan, Tax, Credit or RoundAdjustment',
          name: named(kind),
        })
      : []),
    ...Object.values(names)
      .flat()
      .flatMap((key) => checkText(columns, key, named(key))),
  ];
  const tags = first(columns, 'tags');
  return {
    checks,
    month: columns.get(first(columns, 'period') ?? '') ?? null,
    tags: { column: named(tags) ?? 'Tags', sql: tags ? text(columns, 'tags') : 'NULL' },
  };
}

/** Expected format of a day. */
const dayExpected = 'a day as MM/DD/YYYY or YYYY-MM-DD';

/** Returns SQL for a day of cost details; null if invalid. The month comes first in every locale: `09/30/2023`. */
function day(columns: Columns, key: string): string {
  const column = columns.get(key);
  if (!column) return 'NULL::TIMESTAMP';
  const value = identifier(column.name);
  if (column.type.startsWith('TIMESTAMP') || column.type === 'DATE') return `${value}::TIMESTAMP`;
  const written = `nullif(${value}::VARCHAR, '')`;
  return `CASE WHEN contains(${written}, '/') THEN try_strptime(split_part(${written}, ' ', 1), '%m/%d/%Y')
    WHEN regexp_matches(${written}, '^\\d{8}$') THEN try_strptime(${written}, '%Y%m%d') ELSE ${instantText(written)} END`;
}

/** Older bills' names of regions, with the country first or colloquial. */
const regions: Readonly<Record<string, readonly string[]>> = {
  eastus: ['useast'],
  eastus2: ['useast2'],
  centralus: ['uscentral'],
  westus: ['uswest'],
  westus2: ['uswest2'],
  westus3: ['uswest3'],
  northcentralus: ['usnorthcentral'],
  southcentralus: ['ussouthcentral'],
  westcentralus: ['uswestcentral'],
  westeurope: ['euwest'],
  northeurope: ['eunorth'],
  eastasia: ['apeast'],
  southeastasia: ['apsoutheast'],
  japaneast: ['jaeast'],
  japanwest: ['jawest'],
  australiaeast: ['aueast'],
  australiasoutheast: ['ausoutheast'],
  brazilsouth: ['brsouth'],
  centralindia: ['incentral', 'indiacentral'],
  southindia: ['insouth', 'indiasouth'],
  westindia: ['inwest', 'indiawest'],
  canadacentral: ['cacentral'],
  canadaeast: ['caeast'],
  koreacentral: ['krcentral'],
  koreasouth: ['krsouth'],
  francecentral: ['frcentral'],
  germanywestcentral: ['dewestcentral'],
  switzerlandnorth: ['chnorth'],
};
const nowhere = ['unassigned', 'global', 'intercontinental', 'unknown', 'allregions'];

/** Returns SQL for the FOCUS RegionId of a location: `eastus2` for `US East 2` and `EastUS2`; null if it is in no region. */
function regionOf(location: string): string {
  const plain = `lower(regexp_replace(${location}, '[ _-]', '', 'g'))`;
  const cases = Object.entries(regions).map(
    ([id, known]) => `WHEN ${plain} IN (${known.map(literal).join(', ')}) THEN '${id}'`,
  );
  return `CASE WHEN ${plain} IN (${nowhere.map(literal).join(', ')}) THEN NULL ${cases.join(' ')} ELSE ${plain} END`;
}
