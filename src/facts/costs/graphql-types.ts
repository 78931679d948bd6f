import {
  answerInterface,
  answerType,
  day,
  decimal,
  flag,
  uuid,
  listOf,
  month,
  of,
  orNull,
  text,
  type Answer,
} from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { itemsOf, sizedBy } from '../../graph/complexity.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { seriesLength, type CostRequest } from './question.ts';
import { namedAccount } from '../../tenancy/accounts/graphql.ts';

/** The cost metric to sum. */
export const CostMetricType = wordEnum('CostMetric', 'Cost metric.', {
  effective: 'FOCUS EffectiveCost: commitments amortized over the usage that they cover.',
  billed: 'FOCUS BilledCost: as invoiced.',
  list: 'FOCUS ListCost: at public prices.',
  contracted: 'FOCUS ContractedCost: at negotiated prices, without commitments.',
});

/** FOCUS ChargeCategory. */
export const ChargeCategoryType = wordEnum('ChargeCategory', 'FOCUS ChargeCategory.', {
  usage: 'Consumption.',
  purchase: 'Prepaid purchases, such as commitments.',
  tax: 'Taxes.',
  credit: 'Vouchers, incentives and refunds.',
  adjustment: 'Corrections that fit no other category.',
});

/** The length of a period. */
export const GranularityType = wordEnum('CostGranularity', 'The length of a period.', {
  daily: 'UTC days.',
  monthly: 'UTC calendar months, clipped to the range.',
});

/** Dimension that splits each day. */
export const DailyGroup = wordEnum('CostDailyGroup', 'Dimension by which each day is split.', {
  service: 'Service and provider.',
  account: 'Connected account and provider.',
  region: 'Region and provider.',
  provider: 'Provider.',
});

/** Cost without an exchange rate; also used by coverage answers. */
export const UnconvertedType = answerType(
  'UnconvertedCost',
  'Cost in a currency that has no exchange rate for its charge month or an earlier one.',
  { currency: text('Billing currency, ISO 4217.'), cost: decimal('Cost in that currency.') },
);

export const ProvisionalRateType = answerType(
  'ProvisionalRate',
  'Charges of a month that are converted at an exchange rate that can still change: that of an earlier month, because their month has none, or the average of a month that has not ended.',
  {
    currency: text('Billing currency, ISO 4217.'),
    month: month('Charge month.'),
    rateMonth: month('Month of the rate; equal to `month` if that month has not ended.'),
  },
);

export const provisionalRatesText =
  'Months of the accounts in the response that are converted at a provisional exchange rate. Their costs change with the rate.';

/** The provisional exchange rates of an answer. */
export const provisionalRateList = listOf(ProvisionalRateType, provisionalRatesText);

export const MissingBillType = answerType(
  'MissingBill',
  'A month without a bill of an account that has bills of months before and after it: its costs are unknown.',
  {
    month: month('Billing month.'),
    accountId: uuid('The connected account.'),
    accountName: text('Name of the connected account.'),
  },
);

builder.objectField(MissingBillType, 'account', (t) => t.prismaField(namedAccount('The connected account.')));

/** The missing bills of an answer. */
export const missingBillsText = 'Missing bills of the accounts in the response, in the months of its figures.';

export const missingBillList = listOf(MissingBillType, missingBillsText);

/** Description of monetary fields. */
export const moneyText = 'in the response’s `currency`, rounded to 6 decimals';
export const cost = decimal(`Cost ${moneyText}.`);
/** A cost that can be zero. */
export const costOrZero = decimal(`Cost ${moneyText}; 0 without charges.`);
/** A share. */
export const percentage = orNull(decimal('Share of `totalCost` in percent, 2 decimals. Null if the total is 0.'));
const provider = text('Provider on the bill, as a slug such as `aws`.');

const ServiceGroup = answerType('ServiceCost', 'Cost of a service.', {
  service: text('FOCUS ServiceName.'),
  serviceCategory: text('FOCUS ServiceCategory of most of the cost.'),
  provider,
  cost,
  percentage,
});
export type ServiceCost = Answer<typeof ServiceGroup>;

const SubAccountGroup = answerType('SubAccountCost', 'Cost of a sub-account.', {
  subAccountId: text('FOCUS SubAccountId; `unassigned` for charges without one.'),
  subAccountName: text('FOCUS SubAccountName.'),
  cost,
});
export type SubAccountCost = Answer<typeof SubAccountGroup>;

const AccountGroup = answerType('AccountCost', 'Cost of a connected account at one provider.', {
  accountId: uuid('The connected account.'),
  accountName: text('Name of the connected account.'),
  provider,
  cost,
  percentage,
  subAccounts: listOf(SubAccountGroup, 'Sub-accounts, largest cost first. They add up to `cost`.'),
});
builder.objectField(AccountGroup, 'account', (t) => t.prismaField(namedAccount('The connected account.')));
export type AccountCost = Answer<typeof AccountGroup>;

const RegionGroup = answerType('RegionCost', 'Cost of a region.', {
  region: text('FOCUS RegionId; `global` for charges without one.'),
  provider,
  cost,
  percentage,
});
export type RegionCost = Answer<typeof RegionGroup>;

const TagGroup = answerType('TagCost', 'Cost of the charges with one value of the tag key.', {
  tagValue: orNull(text('The value. Null for charges without the key.')),
  cost,
  percentage,
});
export type TagCost = Answer<typeof TagGroup>;

const Period = answerType('PeriodCost', 'Cost of a period.', {
  periodStart: day('First day.'),
  periodEnd: day('Last day, inclusive.'),
  cost: costOrZero,
  unconverted: listOf(UnconvertedType, 'Costs of the period without an exchange rate, excluded from `cost`.'),
});

const DayGroupType = answerType(
  'DayGroupCost',
  'A group of a day’s cost. Fields that the day is not grouped by are null.',
  {
    service: orNull(text('FOCUS ServiceName.')),
    accountId: orNull(uuid('The connected account.')),
    accountName: orNull(text('The connected account’s name.')),
    region: orNull(text('FOCUS RegionId.')),
    provider: orNull(text('Provider on the bill, as a slug.')),
    cost,
  },
);
builder.objectField(DayGroupType, 'account', (t) => t.prismaField(namedAccount('The connected account.')));
export type DayGroup = Answer<typeof DayGroupType>;

const DayType = answerType('DayCost', 'Cost of a day.', {
  date: day('The UTC day.'),
  cost: costOrZero,
  groups: orNull(
    listOf(
      DayGroupType,
      'Groups of the day, largest cost first. They add up to `cost`. Null without `groupBy`.',
      sizedBy<CostRequest>(({ groupBy = null }) => (groupBy === null ? 0 : 10)),
    ),
  ),
  // Rarely any.
  unconverted: listOf(UnconvertedType, 'Costs of the day without an exchange rate, excluded from `cost`.', {
    complexity: { field: 1, multiplier: 1 },
  }),
});
export type DayCost = Answer<typeof DayType>;

const MonthType = answerType('MonthCost', 'Cost of a month, compared with the month before.', {
  month: month('The UTC calendar month.'),
  cost: costOrZero,
  previousCost: decimal(`Cost of the month before, ${moneyText}.`),
  change: decimal(`\`cost\` minus \`previousCost\`, ${moneyText}.`),
  changePercent: orNull(
    decimal(
      '`change` as a percentage of `previousCost`, 2 decimals. Null if `previousCost` is 0 or less, if the month before begins before `dataFrom`, if one of the two months has a missing bill or costs without an exchange rate, or if `partial` is true.',
    ),
  ),
  partial: flag('True from the current month on: the cost can still increase.'),
  unconverted: listOf(UnconvertedType, 'Costs of the month without an exchange rate, excluded from `cost`.'),
  previousUnconverted: listOf(
    UnconvertedType,
    'Costs of the month before without an exchange rate, excluded from `previousCost`.',
  ),
});
export type MonthCost = Answer<typeof MonthType>;

/** Fields common to all cost answers. */
export const CostAnswerType = answerInterface('CostAnswer', 'A response about costs: its range, currency and total.', {
  startDate: day('First UTC day of the range.'),
  endDate: day('Last UTC day of the range, inclusive.'),
  currency: text('The organization’s currency, ISO 4217, of all costs.'),
  costMetric: of(CostMetricType, 'Cost metric.'),
  totalCost: decimal(`Total of the rows, ${moneyText}.`),
  completeThrough: orNull(
    day('Last UTC day with complete bills for all accounts in the response. Null if there is none.'),
  ),
  lastCompleteDay: orNull(
    day(
      'Last UTC day of the range, at most today, with complete bills for all accounts except stopped ones: those more than 7 days behind the account with the latest bills. It can be before the range. Null if no account has bills. End both sides of a comparison with it.',
    ),
  ),
  dataFrom: orNull(
    day(
      'First UTC day with costs in the bills of the accounts in the response: costs before it are unknown. Null if no account has bills.',
    ),
  ),
  unconverted: listOf(
    UnconvertedType,
    'Costs in months before the first exchange rate of their currency, excluded from all other figures.',
  ),
  provisionalRates: provisionalRateList,
  missingBills: missingBillList,
});
export type CostAnswer = Answer<typeof CostAnswerType>;

/** The answer of `costsSummary`. */
export const SummaryType = answerType(
  'CostsSummary',
  'Total spend per period.',
  {
    granularity: of(GranularityType, 'The length of the periods.'),
    periods: listOf(Period, 'Every period of the range, in order.', {
      ...sizedBy<CostRequest>((args) => itemsOf(seriesLength(args, args.granularity ?? 'monthly'))),
      inTurns: true,
    }),
  },
  CostAnswerType,
);
export type CostsSummary = Answer<typeof SummaryType>;

function groupedType<Group>(name: string, description: string, item: { readonly $inferType: Group }) {
  const groups = listOf(item, 'Groups, largest cost first. They add up to `totalCost`.', { inTurns: true });
  return answerType(name, description, { groups }, CostAnswerType);
}

export const ByServiceType = groupedType('CostsByService', 'Spend by service.', ServiceGroup);
export const ByAccountType = groupedType('CostsByAccount', 'Spend by connected account and provider.', AccountGroup);
export const ByRegionType = groupedType('CostsByRegion', 'Spend by region.', RegionGroup);
export const ByTagType = groupedType('CostsByTag', 'Spend by the values of a tag key.', TagGroup);
/** An answer whose rows are groups, largest cost first. */
export type GroupedCosts<Group> = CostAnswer & { readonly groups: readonly Group[] };

/** The answer of `costsDaily`. */
export const DailyType = answerType(
  'CostsDaily',
  'Spend per day.',
  {
    groupBy: orNull(of(DailyGroup, 'Dimension by which each day is split; null if it is not split.')),
    days: listOf(DayType, 'Every day of the range, in order.', {
      ...sizedBy<CostRequest>((args) => itemsOf(seriesLength(args, 'daily'))),
      inTurns: true,
    }),
  },
  CostAnswerType,
);
export type CostsDaily = Answer<typeof DailyType>;

/** The answer of `costsTrend`. */
export const TrendType = answerType(
  'CostsTrend',
  'Spend per month, with the change from the month before.',
  {
    months: listOf(
      MonthType,
      'Every month of the range, in order.',
      sizedBy<CostRequest>((args) => itemsOf(seriesLength(args, 'monthly'))),
    ),
  },
  CostAnswerType,
);
export type CostsTrend = Answer<typeof TrendType>;
