import {
  answerInterface,
  answerType,
  day,
  decimal,
  listOf,
  of,
  orNull,
  text,
  type Answer,
} from '../../graph/answers.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { missingBillList, provisionalRateList, UnconvertedType } from '../costs/graphql-types.ts';

const SplitKindEnum = wordEnum('CoverageKind', 'Pricing model of charges.', {
  reserved: 'Reservations and resource-based commitments, including the unused part.',
  savings_plan: 'Savings Plans and committed spend, including the unused part.',
  spot: 'Usage at dynamic prices: spot, preemptible, low priority.',
  on_demand: 'On-demand usage that a commitment could cover.',
  other: 'Charges that no commitment can cover: storage, data transfer, requests, tax, support, credits, marketplace …',
});

/** Pricing model of charges. */
export type SplitKind = Answer<typeof SplitKindEnum>;

/** Description of monetary fields. */
export const moneyText = 'in `currency`, rounded to 6 decimals';
/** Description of percentage fields. */
export const percentText = 'in percent, 2 decimals; null if nothing is eligible';

/** Fields common to all coverage answers. */
export const CoverageAnswerType = answerInterface(
  'CoverageAnswer',
  'A response about commitment coverage: its range and currency.',
  {
    startDate: day('First UTC day of the range.'),
    endDate: day('Last UTC day of the range, inclusive.'),
    currency: text('The organization’s currency, ISO 4217, of all amounts.'),
    completeThrough: orNull(
      day('Last UTC day with complete bills for all accounts in the response. Null if there is none.'),
    ),
    unconverted: listOf(
      UnconvertedType,
      'Costs in months before the first exchange rate of their currency, excluded from all other figures.',
    ),
    provisionalRates: provisionalRateList,
    missingBills: missingBillList,
  },
);
export type CoverageHead = Answer<typeof CoverageAnswerType>;

const Part = answerType('CoveragePart', 'A part of the split.', {
  kind: of(SplitKindEnum, 'Pricing model.'),
  cost: decimal(`EffectiveCost ${moneyText}.`),
  percentage: orNull(decimal('Share of `totalCost` in percent, 2 decimals. Null if the total is 0.')),
});
export type SplitPart = Answer<typeof Part>;

/** `/coverage`. */
export const CoverageType = answerType(
  'Coverage',
  'Cost by pricing model, with coverage and utilization of commitments.',
  {
    totalCost: decimal(
      `EffectiveCost of all charges ${moneyText}: the total of the cost endpoints for the same filters.`,
    ),
    eligibleCost: decimal(
      `On-demand cost of usage that commitments cover or could cover, ${moneyText}: \`coveredCost\` and the on-demand part of the split.`,
    ),
    coveredCost: decimal(`On-demand cost of the usage that commitments cover, ${moneyText}.`),
    unrecognizedCost: decimal(
      `Part of \`eligibleCost\` for which the bill does not show whether a commitment could cover it, ${moneyText}: usage in services with commitments whose SkuMeter is not one of the provider’s. If it is not 0, coverage may be higher than \`coveragePercent\`.`,
    ),
    split: listOf(Part, 'All five parts; they add up to `totalCost`.'),
    coveragePercent: orNull(
      decimal(
        `\`coveredCost\` in relation to \`eligibleCost\`, ${percentText}. Both are on-demand costs, so a larger discount does not lower coverage.`,
      ),
    ),
    utilizationPercent: orNull(
      decimal('Used part of the commitments’ cost, in percent, 2 decimals; null without commitments.'),
    ),
    unusedCommitmentCost: decimal(`Cost of unused commitments, ${moneyText}. Included in the split.`),
  },
  CoverageAnswerType,
);
export type Coverage = Answer<typeof CoverageType>;

const Day = answerType('CoverageDay', 'Spend of a day by pricing model. The five parts add up to its EffectiveCost.', {
  date: day('The UTC day.'),
  reserved: decimal(`Reservations, including the unused part, ${moneyText}.`),
  savingsPlan: decimal(`Savings Plans and committed spend, including the unused part, ${moneyText}.`),
  spot: decimal(`Usage at dynamic prices, ${moneyText}.`),
  onDemand: decimal(`On-demand usage that a commitment could cover, ${moneyText}.`),
  other: decimal(`Charges that no commitment can cover, ${moneyText}.`),
  coveragePercent: orNull(decimal(`Covered part of the eligible usage at on-demand cost, ${percentText}.`)),
});
export type CoverageDay = Answer<typeof Day>;

/** `/coverage/daily`. */
export const CoverageDailyType = answerType(
  'CoverageDaily',
  'Cost by pricing model per day.',
  {
    totalCost: decimal(`Total of the days, ${moneyText}.`),
    days: listOf(Day, 'The 90 days, in order.'),
  },
  CoverageAnswerType,
);
export type CoverageDaily = Answer<typeof CoverageDailyType>;
