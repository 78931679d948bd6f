import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { namedAccount } from '../../tenancy/accounts/graphql.ts';
import { UnconvertedType } from '../costs/graphql.ts';
import type {
  Coverage,
  CoverageDaily,
  CoverageDay,
  CoverageGap,
  CoverageHead,
  CoveragePlanner,
  PlannedCommitment,
  PlannerParameters,
  SplitPart,
} from './answer.ts';

const SplitKindEnum = builder.enumType('CoverageKind', {
  description: 'Pricing of charges.',
  values: {
    RESERVED: {
      value: 'reserved',
      description: 'Reservations and resource-based commitments, including the unused part.',
    },
    SAVINGS_PLAN: {
      value: 'savings_plan',
      description: 'Savings plans and committed spend, including the unused part.',
    },
    SPOT: { value: 'spot', description: 'Usage at dynamic prices: spot, preemptible, low priority.' },
    ON_DEMAND: { value: 'on_demand', description: 'On-demand usage that a commitment could cover.' },
    OTHER: {
      value: 'other',
      description:
        'Charges that no commitment can cover: storage, data transfer, requests, tax, support, credits, marketplace …',
    },
  } as const,
});

const KindEnum = builder.enumType('CommitmentKind', {
  description: 'FOCUS CommitmentDiscountCategory.',
  values: {
    RESERVED: { value: 'reserved', description: 'Commitment to an amount of usage (`Usage`).' },
    SAVINGS_PLAN: { value: 'savings_plan', description: 'Commitment to spend per hour (`Spend`).' },
  } as const,
});

const PaymentEnum = builder.enumType('CommitmentPayment', {
  description: 'Payment option of a commitment.',
  values: {
    NO_UPFRONT: { value: 'no_upfront', description: 'Monthly payments (AWS).' },
    PARTIAL_UPFRONT: { value: 'partial_upfront', description: 'Half at the start, half monthly (AWS).' },
    ALL_UPFRONT: { value: 'all_upfront', description: 'Full payment at the start (AWS).' },
    MONTHLY: { value: 'monthly', description: 'Monthly payments (Azure, Google).' },
    UPFRONT: { value: 'upfront', description: 'Full payment at the start (Azure).' },
  } as const,
});

const MethodEnum = builder.enumType('DiscountMethod', {
  description: 'Source of a discount.',
  values: {
    OBSERVED: { value: 'observed', description: 'Measured on the organization’s covered usage.' },
    DOCUMENTED: { value: 'documented', description: 'Published by the provider, rounded down.' },
  } as const,
});

const moneyText = 'in `currency`, rounded to 6 decimals';

/** What all coverage answers share. */
const CoverageAnswerType = builder.interfaceRef<CoverageHead>('CoverageAnswer').implement({
  description: 'An answer about commitment coverage: its range and currency.',
  fields: (t) => ({
    startDate: t.expose('startDate', { type: 'Date', description: 'First UTC day of the range.' }),
    endDate: t.expose('endDate', { type: 'Date', description: 'Last UTC day of the range, inclusive.' }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217, of all amounts.' }),
    completeThrough: t.expose('completeThrough', {
      type: 'Date',
      nullable: true,
      description: 'Last UTC day with complete bills for all accounts in the answer. Null if there is none.',
    }),
    unconverted: t.expose('unconverted', {
      type: [UnconvertedType],
      description: 'Costs without an exchange rate for their month, excluded from all other figures.',
    }),
  }),
});

const percentText = 'in percent, 2 decimals; null if nothing is eligible';

const Part = builder.objectRef<SplitPart>('CoveragePart').implement({
  description: 'A part of the split.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SplitKindEnum, description: 'Pricing.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `EffectiveCost ${moneyText}.` }),
    percentage: t.expose('percentage', {
      type: 'Decimal',
      nullable: true,
      description: 'Share of `totalCost` in percent, 2 decimals. Null if the total is 0.',
    }),
  }),
});

/** `/coverage`. */
export const CoverageType = builder.objectRef<Coverage>('Coverage').implement({
  interfaces: [CoverageAnswerType],
  description: 'Spend by pricing, with coverage and utilization of commitments.',
  fields: (t) => ({
    totalCost: t.expose('totalCost', {
      type: 'Decimal',
      description: `EffectiveCost of all charges ${moneyText}: the total of the cost endpoints for the same filters.`,
    }),
    eligibleCost: t.expose('eligibleCost', {
      type: 'Decimal',
      description: `On-demand cost of usage that commitments cover or could cover, ${moneyText}: \`coveredCost\` and the on-demand part of the split.`,
    }),
    coveredCost: t.expose('coveredCost', {
      type: 'Decimal',
      description: `On-demand cost of the usage that commitments cover, ${moneyText}.`,
    }),
    split: t.expose('split', { type: [Part], description: 'All five parts; they add up to `totalCost`.' }),
    coveragePercent: t.expose('coveragePercent', {
      type: 'Decimal',
      nullable: true,
      description: `\`coveredCost\` in relation to \`eligibleCost\`, ${percentText}. Both are on-demand costs, so a larger discount does not lower coverage.`,
    }),
    utilizationPercent: t.expose('utilizationPercent', {
      type: 'Decimal',
      nullable: true,
      description: 'Used part of the commitments’ cost, in percent, 2 decimals; null without commitments.',
    }),
    unusedCommitmentCost: t.expose('unusedCommitmentCost', {
      type: 'Decimal',
      description: `Cost of unused commitments, ${moneyText}. Included in the split.`,
    }),
  }),
});

const Day = builder.objectRef<CoverageDay>('CoverageDay').implement({
  description: 'Spend of a day by pricing. The five parts add up to the day’s EffectiveCost.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The UTC day.' }),
    reserved: t.expose('reserved', {
      type: 'Decimal',
      description: `Reservations, including the unused part, ${moneyText}.`,
    }),
    savingsPlan: t.expose('savingsPlan', {
      type: 'Decimal',
      description: `Savings plans and committed spend, including the unused part, ${moneyText}.`,
    }),
    spot: t.expose('spot', { type: 'Decimal', description: `Usage at dynamic prices, ${moneyText}.` }),
    onDemand: t.expose('onDemand', {
      type: 'Decimal',
      description: `On-demand usage that a commitment could cover, ${moneyText}.`,
    }),
    other: t.expose('other', { type: 'Decimal', description: `Charges that no commitment can cover, ${moneyText}.` }),
    coveragePercent: t.expose('coveragePercent', {
      type: 'Decimal',
      nullable: true,
      description: `Covered part of the eligible usage at on-demand cost, ${percentText}.`,
    }),
  }),
});

/** `/coverage/daily`. */
export const CoverageDailyType = builder.objectRef<CoverageDaily>('CoverageDaily').implement({
  interfaces: [CoverageAnswerType],
  description: 'Spend by pricing per day.',
  fields: (t) => ({
    totalCost: t.expose('totalCost', { type: 'Decimal', description: `Total of the days, ${moneyText}.` }),
    days: t.expose('days', { type: [Day], description: 'The 90 days, in order.' }),
  }),
});

const Gap = builder.objectRef<CoverageGap>('CoverageGap').implement({
  description: 'On-demand usage of a service in a region that commitments could cover.',
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    service: t.exposeString('service', { description: 'FOCUS ServiceName.' }),
    region: t.exposeString('region', { description: 'FOCUS RegionId; `global` for charges without one.' }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217.' }),
    onDemandCost: t.expose('onDemandCost', {
      type: 'Decimal',
      description: `EffectiveCost of on-demand usage that a commitment could cover, ${moneyText}.`,
    }),
    coveredCost: t.expose('coveredCost', {
      type: 'Decimal',
      description: `On-demand cost of the usage that commitments cover, ${moneyText}.`,
    }),
    coveragePercent: t.expose('coveragePercent', {
      type: 'Decimal',
      nullable: true,
      description: `\`coveredCost\` in relation to \`coveredCost\` plus \`onDemandCost\`, ${percentText}.`,
    }),
    estimatedMonthlySavings: t.expose('estimatedMonthlySavings', {
      type: 'Decimal',
      description: `Estimated saving per month of 30.4375 days with the best one-year commitment and the lowest upfront payment, ${moneyText}.`,
    }),
  }),
});

/** `/coverage/gaps`. */
export const CoverageGapPage = pageType('CoverageGap', Gap);

const Sensitivity = builder.objectRef<PlannedCommitment['sensitivity']>('PlannerSensitivity').implement({
  description: 'Saving if usage changes.',
  fields: (t) => ({
    low: t.expose('low', {
      type: 'Decimal',
      description: `Saving per month if usage decreases by \`usageChangePercent\`, ${moneyText}; negative for a loss.`,
    }),
    high: t.expose('high', {
      type: 'Decimal',
      description: `Saving per month if usage increases by \`usageChangePercent\`, ${moneyText}.`,
    }),
  }),
});

const Planned = builder.objectRef<PlannedCommitment>('PlannedCommitment').implement({
  description: 'A commitment to consider. Costkeep never buys anything.',
  fields: (t) => ({
    accountId: t.exposeID('accountId', { description: 'Connected account with the usage.' }),
    account: t.prismaField(namedAccount('Connected account with the usage.')),
    accountName: t.exposeString('accountName', { description: 'Name of the connected account.' }),
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    kind: t.expose('kind', { type: KindEnum, description: 'Kind of commitment.' }),
    product: t.exposeString('product', { description: 'Product name at the provider.' }),
    services: t.exposeStringList('services', { description: 'FOCUS ServiceName of the usage.' }),
    region: t.exposeString('region', {
      nullable: true,
      description: 'FOCUS RegionId of the commitment. Null for all regions.',
    }),
    family: t.exposeString('family', {
      nullable: true,
      description:
        'Instance family, with the engine for databases, such as `db.r6g postgresql`. Null for everything that the product covers.',
    }),
    termMonths: t.exposeInt('termMonths', { description: 'Term in months: 12 or 36.' }),
    payment: t.expose('payment', { type: PaymentEnum, description: 'Payment option.' }),
    hourlyCommitment: t.expose('hourlyCommitment', {
      type: 'Decimal',
      description: `Cost per hour, ${moneyText}: the hourly commitment of a savings plan, the amortized cost of reservations.`,
    }),
    upfrontPayment: t.expose('upfrontPayment', { type: 'Decimal', description: `Upfront payment, ${moneyText}.` }),
    monthlyPayment: t.expose('monthlyPayment', {
      type: 'Decimal',
      description: `Payment per month of 30.4375 days, ${moneyText}.`,
    }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217.' }),
    estimatedMonthlySavings: t.expose('estimatedMonthlySavings', {
      type: 'Decimal',
      description: `Estimated saving per month of 30.4375 days at unchanged usage, ${moneyText}.`,
    }),
    savingsPercent: t.expose('savingsPercent', {
      type: 'Decimal',
      description: 'Saving in percent of the on-demand cost.',
    }),
    expectedUtilizationPercent: t.expose('expectedUtilizationPercent', {
      type: 'Decimal',
      description: 'Utilization over the history, in percent.',
    }),
    coverageAfterPercent: t.expose('coverageAfterPercent', {
      type: 'Decimal',
      description: 'Coverage of the eligible usage after the purchase, at on-demand cost, in percent.',
    }),
    breakEvenMonths: t.expose('breakEvenMonths', {
      type: 'Decimal',
      description: 'Months of use after which the commitment has paid off, 1 decimal.',
    }),
    sensitivity: t.expose('sensitivity', {
      type: Sensitivity,
      description: 'The saving with less and with more usage.',
    }),
    discountPercent: t.expose('discountPercent', {
      type: 'Decimal',
      description: 'Assumed discount on the on-demand price, in percent.',
    }),
    discountMethod: t.expose('discountMethod', { type: MethodEnum, description: 'Source of the discount.' }),
    onDemandCostPerHour: t.expose('onDemandCostPerHour', {
      type: 'Decimal',
      description: `Mean on-demand cost per hour over the history, ${moneyText}, without covered usage.`,
    }),
    expiringCostPerHour: t.expose('expiringCostPerHour', {
      type: 'Decimal',
      description: `Mean on-demand cost per hour of usage whose commitments end soon, ${moneyText}. Included in the plan.`,
    }),
    flaggedCostPerHour: t.expose('flaggedCostPerHour', {
      type: 'Decimal',
      description: `The part of \`onDemandCostPerHour\` of resources that an open recommendation would stop or delete, as of the account’s last evaluation, ${moneyText}. Excluded from the plan.`,
    }),
    historyDays: t.exposeInt('historyDays', {
      description: 'Days of history available in the account.',
    }),
    hourlyPercent: t.expose('hourlyPercent', {
      type: 'Decimal',
      description:
        'Share of the planned usage with hourly data on the bill, at on-demand cost, in percent. For the rest see `assumedDailySwingPercent`.',
    }),
  }),
});

const Parameters = builder.objectRef<PlannerParameters>('PlannerParameters').implement({
  description: 'Parameters of the planner.',
  fields: (t) => ({
    historyDays: t.exposeInt('historyDays', {
      description: 'Days of history, up to each account’s last complete day.',
    }),
    minimumHistoryDays: t.exposeInt('minimumHistoryDays', {
      description: 'Accounts with fewer days of history are excluded.',
    }),
    assumedDailySwingPercent: t.expose('assumedDailySwingPercent', {
      type: 'Decimal',
      description:
        'For bills without hourly data, usage that did not run all day is assumed to vary by this percentage around its daily mean, so that low usage at night is not over-committed. For hourly bills, this applies only to usage with varying amounts within an hour.',
    }),
    expiringWithinDays: t.exposeInt('expiringWithinDays', {
      description: 'Commitments that end within this number of days are treated as ended.',
    }),
    usageChangePercent: t.expose('usageChangePercent', {
      type: 'Decimal',
      description: 'Change in usage assumed for `sensitivity`, in percent.',
    }),
  }),
});

/** `/coverage/planner`. */
export const CoveragePlannerType = builder.objectRef<CoveragePlanner>('CoveragePlanner').implement({
  interfaces: [CoverageAnswerType],
  description: 'Lowest-cost commitments for the usage of the last 60 days.',
  fields: (t) => ({
    parameters: t.expose('parameters', { type: Parameters, description: 'Parameters of the planner.' }),
    recommendations: t.expose('recommendations', {
      type: [Planned],
      description:
        'The best commitment per pool of usage, term and payment option. These are alternatives: their savings do not add up. Largest saving first, at most 100 pools.',
    }),
  }),
});
