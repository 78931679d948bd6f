import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
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

type Types = (typeof builder)['$inferSchemaTypes'];

const SplitKindEnum = builder.enumType('CoverageKind', {
  description: 'How charges are paid for.',
  values: {
    RESERVED: {
      value: 'reserved',
      description: 'Reservations and committed amounts of resources, the unused part too.',
    },
    SAVINGS_PLAN: { value: 'savings_plan', description: 'Savings plans and committed spend, the unused part too.' },
    SPOT: { value: 'spot', description: 'Usage at dynamic prices: spot, preemptible, low priority.' },
    ON_DEMAND: { value: 'on_demand', description: 'Usage that a commitment could cover, and none does.' },
    OTHER: {
      value: 'other',
      description:
        'What no commitment can cover: storage, data transfer, requests, tax, support, credits, marketplace …',
    },
  } as const,
});

const KindEnum = builder.enumType('CommitmentKind', {
  description: 'What a commitment is to: FOCUS CommitmentDiscountCategory.',
  values: {
    RESERVED: { value: 'reserved', description: 'An amount of a resource (`Usage`).' },
    SAVINGS_PLAN: { value: 'savings_plan', description: 'An amount of money an hour (`Spend`).' },
  } as const,
});

const PaymentEnum = builder.enumType('CommitmentPayment', {
  description: 'How a commitment is paid.',
  values: {
    NO_UPFRONT: { value: 'no_upfront', description: 'By the month (AWS).' },
    PARTIAL_UPFRONT: { value: 'partial_upfront', description: 'Half at its start, half by the month (AWS).' },
    ALL_UPFRONT: { value: 'all_upfront', description: 'At its start (AWS).' },
    MONTHLY: { value: 'monthly', description: 'By the month (Azure, Google).' },
    UPFRONT: { value: 'upfront', description: 'At its start (Azure).' },
  } as const,
});

const MethodEnum = builder.enumType('DiscountMethod', {
  description: 'Where a discount is known from.',
  values: {
    OBSERVED: { value: 'observed', description: 'From what the organization’s own covered usage cost.' },
    DOCUMENTED: { value: 'documented', description: 'From what the provider publishes, rounded down.' },
  } as const,
});

const moneyText = 'in `currency`, rounded to 6 decimals';

function headFields(t: PothosSchemaTypes.ObjectFieldBuilder<Types, CoverageHead>) {
  return {
    startDate: t.expose('startDate', { type: 'Date', description: 'The first UTC day that counts.' }),
    endDate: t.expose('endDate', { type: 'Date', description: 'The last UTC day that counts, inclusive.' }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217: all money is in it.' }),
    completeThrough: t.expose('completeThrough', {
      type: 'Date',
      nullable: true,
      description: 'The last UTC day up to which the bills of all accounts used are complete. Null before any is.',
    }),
    unconverted: t.expose('unconverted', {
      type: [UnconvertedType],
      description: 'Costs that no other figure holds, because their currency has no exchange rate for their month.',
    }),
  };
}

const percentText = 'in percent, 2 decimals; null where there is nothing to cover';

const Part = builder.objectRef<SplitPart>('CoveragePart').implement({
  description: 'A part of the split.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SplitKindEnum, description: 'How it is paid for.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `EffectiveCost ${moneyText}.` }),
    percentage: t.expose('percentage', {
      type: 'Decimal',
      nullable: true,
      description: 'Share of `totalCost` in percent, 2 decimals. Null where the total is 0.',
    }),
  }),
});

/** `/coverage`. */
export const CoverageType = builder.objectRef<Coverage>('Coverage').implement({
  description: 'How spend is split, and how much of what commitments can cover they do.',
  fields: (t) => ({
    ...headFields(t),
    totalCost: t.expose('totalCost', {
      type: 'Decimal',
      description: `EffectiveCost of all charges ${moneyText}: the total of the cost endpoints for the same filters.`,
    }),
    eligibleCost: t.expose('eligibleCost', {
      type: 'Decimal',
      description: `What the usage that commitments cover or could would cost on demand, ${moneyText}: \`coveredCost\` and the on-demand part of the split.`,
    }),
    coveredCost: t.expose('coveredCost', {
      type: 'Decimal',
      description: `What the usage that commitments cover would cost on demand, ${moneyText}.`,
    }),
    split: t.expose('split', { type: [Part], description: 'All five parts; they add up to `totalCost`.' }),
    coveragePercent: t.expose('coveragePercent', {
      type: 'Decimal',
      nullable: true,
      description: `\`coveredCost\` of \`eligibleCost\` ${percentText}. On-demand costs are compared, so that a better discount does not look like less coverage.`,
    }),
    utilizationPercent: t.expose('utilizationPercent', {
      type: 'Decimal',
      nullable: true,
      description: 'How much of what the commitments cost was used, in percent, 2 decimals; null without commitments.',
    }),
    unusedCommitmentCost: t.expose('unusedCommitmentCost', {
      type: 'Decimal',
      description: `What of the commitments went unused, ${moneyText}. It is part of the split too.`,
    }),
  }),
});

const Day = builder.objectRef<CoverageDay>('CoverageDay').implement({
  description: 'How a day’s spend is split. The five parts add up to the day’s EffectiveCost.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The UTC day.' }),
    reserved: t.expose('reserved', {
      type: 'Decimal',
      description: `Reservations, the unused part too, ${moneyText}.`,
    }),
    savingsPlan: t.expose('savingsPlan', {
      type: 'Decimal',
      description: `Savings plans and committed spend, the unused part too, ${moneyText}.`,
    }),
    spot: t.expose('spot', { type: 'Decimal', description: `Usage at dynamic prices, ${moneyText}.` }),
    onDemand: t.expose('onDemand', {
      type: 'Decimal',
      description: `Usage that a commitment could cover, and none does, ${moneyText}.`,
    }),
    other: t.expose('other', { type: 'Decimal', description: `What no commitment can cover, ${moneyText}.` }),
    coveragePercent: t.expose('coveragePercent', {
      type: 'Decimal',
      nullable: true,
      description: `Covered part of eligible usage, both at on-demand cost, ${percentText}.`,
    }),
  }),
});

/** `/coverage/daily`. */
export const CoverageDailyType = builder.objectRef<CoverageDaily>('CoverageDaily').implement({
  description: 'How spend is split, day by day.',
  fields: (t) => ({
    ...headFields(t),
    totalCost: t.expose('totalCost', { type: 'Decimal', description: `What the days add up to, ${moneyText}.` }),
    days: t.expose('days', { type: [Day], description: 'The 90 days, in order.' }),
  }),
});

const Gap = builder.objectRef<CoverageGap>('CoverageGap').implement({
  description: 'A service in a region, and what of its usage commitments could cover and do not.',
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    service: t.exposeString('service', { description: 'FOCUS ServiceName.' }),
    region: t.exposeString('region', { description: 'FOCUS RegionId; `global` where a charge has none.' }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217.' }),
    onDemandCost: t.expose('onDemandCost', {
      type: 'Decimal',
      description: `EffectiveCost of usage that a commitment could cover and none does, ${moneyText}.`,
    }),
    coveredCost: t.expose('coveredCost', {
      type: 'Decimal',
      description: `What the usage that commitments cover would cost on demand, ${moneyText}.`,
    }),
    coveragePercent: t.expose('coveragePercent', {
      type: 'Decimal',
      nullable: true,
      description: `\`coveredCost\` of both together ${percentText}.`,
    }),
    estimatedMonthlySavings: t.expose('estimatedMonthlySavings', {
      type: 'Decimal',
      description: `What the best commitment of one year with the least paid ahead would have saved on these days, per month of 30.4375 days, ${moneyText}.`,
    }),
  }),
});

/** `/coverage/gaps`. */
export const CoverageGapPage = pageType('CoverageGap', Gap);

const Sensitivity = builder.objectRef<PlannedCommitment['sensitivity']>('PlannerSensitivity').implement({
  description: 'What the commitment would save if usage were not what it was.',
  fields: (t) => ({
    low: t.expose('low', {
      type: 'Decimal',
      description: `Per month, if usage fell by \`usageChangePercent\`, ${moneyText}; a loss is negative.`,
    }),
    high: t.expose('high', { type: 'Decimal', description: `Per month, if usage rose by as much, ${moneyText}.` }),
  }),
});

const Planned = builder.objectRef<PlannedCommitment>('PlannedCommitment').implement({
  description: 'A commitment that could be bought. Nothing is ever bought from here.',
  fields: (t) => ({
    accountId: t.exposeID('accountId', { description: 'The connected account whose usage it is for.' }),
    accountName: t.exposeString('accountName', { description: 'Its name.' }),
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    kind: t.expose('kind', { type: KindEnum, description: 'What the commitment is to.' }),
    product: t.exposeString('product', { description: 'The provider’s name for it.' }),
    services: t.exposeStringList('services', { description: 'FOCUS ServiceName of the usage it is for.' }),
    region: t.exposeString('region', {
      nullable: true,
      description: 'FOCUS RegionId that it is bought for. Null: good in every region.',
    }),
    family: t.exposeString('family', {
      nullable: true,
      description:
        'What it can be shared by: an instance family, of databases with the engine, such as `db.r6g postgresql`. Null: all that the product covers.',
    }),
    termMonths: t.exposeInt('termMonths', { description: 'Months that it is bought for: 12 or 36.' }),
    payment: t.expose('payment', { type: PaymentEnum, description: 'How it is paid.' }),
    hourlyCommitment: t.expose('hourlyCommitment', {
      type: 'Decimal',
      description: `What it costs an hour, ${moneyText}: the hourly commitment of a savings plan, the amortized cost of reservations.`,
    }),
    upfrontPayment: t.expose('upfrontPayment', { type: 'Decimal', description: `Paid at its start, ${moneyText}.` }),
    monthlyPayment: t.expose('monthlyPayment', {
      type: 'Decimal',
      description: `Paid each month of 30.4375 days, ${moneyText}.`,
    }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217.' }),
    estimatedMonthlySavings: t.expose('estimatedMonthlySavings', {
      type: 'Decimal',
      description: `What it saves per month of 30.4375 days if usage stays as it was, ${moneyText}.`,
    }),
    savingsPercent: t.expose('savingsPercent', {
      type: 'Decimal',
      description: 'The saving, of the on-demand cost that it is planned for, in percent.',
    }),
    expectedUtilizationPercent: t.expose('expectedUtilizationPercent', {
      type: 'Decimal',
      description: 'How much of it the history would have used, in percent.',
    }),
    coverageAfterPercent: t.expose('coverageAfterPercent', {
      type: 'Decimal',
      description: 'How much of the eligible usage would then be covered, at on-demand cost, in percent.',
    }),
    breakEvenMonths: t.expose('breakEvenMonths', {
      type: 'Decimal',
      description:
        'Months of use that pay for the whole term, 1 decimal: if usage ends later than that, nothing is lost.',
    }),
    sensitivity: t.expose('sensitivity', {
      type: Sensitivity,
      description: 'The saving with less and with more usage.',
    }),
    discountPercent: t.expose('discountPercent', {
      type: 'Decimal',
      description: 'Off the on-demand price that is reckoned with, in percent.',
    }),
    discountMethod: t.expose('discountMethod', { type: MethodEnum, description: 'Where the discount is known from.' }),
    onDemandCostPerHour: t.expose('onDemandCostPerHour', {
      type: 'Decimal',
      description: `Mean on-demand cost an hour over the history, ${moneyText}; what is covered already is left out.`,
    }),
    expiringCostPerHour: t.expose('expiringCostPerHour', {
      type: 'Decimal',
      description: `Mean on-demand cost an hour of what is covered by commitments that end soon, ${moneyText}; it is planned for too.`,
    }),
    flaggedCostPerHour: t.expose('flaggedCostPerHour', {
      type: 'Decimal',
      description: `The part of \`onDemandCostPerHour\` of resources that an open recommendation would stop or delete, as of the account’s last evaluation, ${moneyText}; it is not planned for.`,
    }),
    historyDays: t.exposeInt('historyDays', {
      description: 'Days of the account’s history that were there to plan from.',
    }),
    hourlyPercent: t.expose('hourlyPercent', {
      type: 'Decimal',
      description:
        'How much of the usage that is planned for was planned by the hours that the bill shows, at on-demand cost, in percent; for the rest see `assumedDailySwingPercent`.',
    }),
  }),
});

const Parameters = builder.objectRef<PlannerParameters>('PlannerParameters').implement({
  description: 'What the planner goes by.',
  fields: (t) => ({
    historyDays: t.exposeInt('historyDays', {
      description: 'Days that it looks back on, up to each account’s last complete one.',
    }),
    minimumHistoryDays: t.exposeInt('minimumHistoryDays', { description: 'Accounts with fewer days are left out.' }),
    assumedDailySwingPercent: t.expose('assumedDailySwingPercent', {
      type: 'Decimal',
      description:
        'Where bills have days, not hours, what did not run all day is taken to swing by so much around the day’s mean, so that no commitment is made to hours of the night in which little runs. In hourly bills, only what can run in different amounts in the hours in which it runs is.',
    }),
    expiringWithinDays: t.exposeInt('expiringWithinDays', {
      description:
        'Commitments that the inventory lists as ending within so many days are planned for as if they had ended.',
    }),
    usageChangePercent: t.expose('usageChangePercent', {
      type: 'Decimal',
      description: 'By how much usage is taken to fall and rise for `sensitivity`.',
    }),
  }),
});

/** `/coverage/planner`. */
export const CoveragePlannerType = builder.objectRef<CoveragePlanner>('CoveragePlanner').implement({
  description: 'Commitments that would have cost least over the hours of the last 60 days.',
  fields: (t) => ({
    ...headFields(t),
    parameters: t.expose('parameters', { type: Parameters, description: 'What the planner goes by.' }),
    recommendations: t.expose('recommendations', {
      type: [Planned],
      description:
        'For each pool of usage the best commitment of each term and payment: alternatives, whose savings do not add up. The pool that can save most comes first; at most 100 pools.',
    }),
  }),
});
