import { CoverageAnswerType, moneyText, percentText } from '../../facts/coverage/graphql-types.ts';
import { answerType, decimal, uuid, int, listOf, of, orNull, text, texts, type Answer } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { namedAccount } from '../../tenancy/accounts/graphql.ts';
import { pageType } from '../../graph/paging.ts';

const KindEnum = wordEnum('CommitmentKind', 'FOCUS CommitmentDiscountCategory.', {
  reserved: 'Commitment to an amount of usage (`Usage`).',
  savings_plan: 'Commitment to spend per hour (`Spend`).',
});

const PaymentEnum = wordEnum('CommitmentPayment', 'Payment option of a commitment.', {
  no_upfront: 'Monthly payments (AWS).',
  partial_upfront: 'Half at the start, half monthly (AWS).',
  all_upfront: 'Full payment at the start (AWS).',
  monthly: 'Monthly payments (Azure, Google).',
  upfront: 'Full payment at the start (Azure).',
});

const MethodEnum = wordEnum('DiscountMethod', 'Source of a discount.', {
  observed: 'Measured on the account’s covered usage.',
  documented: 'Published by the provider, rounded down.',
});

const Gap = answerType('CoverageGap', 'On-demand usage of a service in a region that commitments could cover.', {
  provider: text('Provider on the bill, as a slug such as `aws`.'),
  service: text('FOCUS ServiceName.'),
  region: text('FOCUS RegionId; `global` for charges without one.'),
  currency: text('The organization’s currency, ISO 4217.'),
  onDemandCost: decimal(`EffectiveCost of on-demand usage that a commitment could cover, ${moneyText}.`),
  coveredCost: decimal(`On-demand cost of the usage that commitments cover, ${moneyText}.`),
  coveragePercent: orNull(
    decimal(`\`coveredCost\` in relation to \`coveredCost\` plus \`onDemandCost\`, ${percentText}.`),
  ),
  estimatedMonthlySavings: decimal(
    `Estimated saving per month of 30.4375 days with the one-year commitment that has the lowest upfront payment, ${moneyText}.`,
  ),
});
export type CoverageGap = Answer<typeof Gap>;

/** `/coverage/gaps`. */
export const CoverageGapPage = pageType('CoverageGap', Gap);

const Sensitivity = answerType('PlannerSensitivity', 'Saving if usage changes.', {
  low: decimal(`Saving per month if usage decreases by \`usageChangePercent\`, ${moneyText}; negative for a loss.`),
  high: decimal(`Saving per month if usage increases by \`usageChangePercent\`, ${moneyText}.`),
});

const Planned = answerType('PlannedCommitment', 'A commitment to consider. Costkeep never buys anything.', {
  accountId: uuid('UUID of the connected account with the usage.'),
  accountName: text('Name of the connected account.'),
  provider: text('Provider on the bill, as a slug such as `aws`.'),
  kind: of(KindEnum, 'Kind of commitment.'),
  product: text('Product name at the provider.'),
  services: texts('FOCUS ServiceName of the usage.'),
  region: orNull(text('FOCUS RegionId of the commitment. Null for all regions.')),
  family: orNull(
    text(
      'Instance family, with the engine for databases, such as `db.r6g postgresql`. Null for everything that the product covers.',
    ),
  ),
  termMonths: int('Term in months: 12 or 36.'),
  payment: of(PaymentEnum, 'Payment option.'),
  hourlyCommitment: decimal(
    `Cost per hour, ${moneyText}: the hourly commitment of a savings plan, the amortized cost of reservations.`,
  ),
  upfrontPayment: decimal(`Upfront payment, ${moneyText}.`),
  monthlyPayment: decimal(`Payment per month of 30.4375 days, ${moneyText}.`),
  currency: text('The organization’s currency, ISO 4217.'),
  estimatedMonthlySavings: decimal(`Estimated saving per month of 30.4375 days at unchanged usage, ${moneyText}.`),
  savingsPercent: decimal('Saving as a percentage of the on-demand cost.'),
  expectedUtilizationPercent: decimal('Utilization over the history, in percent.'),
  coverageAfterPercent: decimal('Coverage of the eligible usage after the purchase, at on-demand cost, in percent.'),
  breakEvenMonths: decimal('Months of use after which the commitment has paid off, 1 decimal.'),
  sensitivity: of(Sensitivity, 'The saving with less and with more usage.'),
  discountPercent: decimal('Assumed discount on the on-demand price, in percent.'),
  discountMethod: of(MethodEnum, 'Source of the discount.'),
  onDemandCostPerHour: decimal(`Mean on-demand cost per hour over the history, ${moneyText}, without covered usage.`),
  expiringCostPerHour: decimal(
    `Mean on-demand cost per hour of usage whose commitments end soon, ${moneyText}. Included in the plan.`,
  ),
  flaggedCostPerHour: decimal(
    `The part of \`onDemandCostPerHour\` of resources that an open recommendation would stop or delete, as of the account’s last evaluation, ${moneyText}. Excluded from the plan.`,
  ),
  historyDays: int('Days of history available in the account.'),
  hourlyPercent: decimal(
    'Share of the planned usage that has hourly data on the bill and is constant over its hours, at on-demand cost, in percent. For the rest see `assumedDailySwingPercent`.',
  ),
});
builder.objectField(Planned, 'account', (t) => t.prismaField(namedAccount('Connected account with the usage.')));
export type PlannedCommitment = Answer<typeof Planned>;

const Parameters = answerType('PlannerParameters', 'Parameters of the planner.', {
  historyDays: int('Days of history, up to each account’s last complete day.'),
  minimumHistoryDays: int('Accounts with fewer days of history are excluded.'),
  assumedDailySwingPercent: decimal(
    'For bills without hourly data, usage that did not run all day is assumed to vary by this percentage around its daily mean, so that low usage at night is not over-committed. For hourly bills, this applies only to usage that can vary from hour to hour.',
  ),
  expiringWithinDays: int('Commitments that end within this number of days are treated as ended.'),
  usageChangePercent: decimal('Change in usage assumed for `sensitivity`, in percent.'),
});

/** `/coverage/planner`. */
export const CoveragePlannerType = answerType(
  'CoveragePlanner',
  'Lowest-cost commitments for the usage of the last 60 days.',
  {
    parameters: of(Parameters, 'Parameters of the planner.'),
    recommendations: listOf(
      Planned,
      'The best commitment per pool of usage, term and payment option. These are alternatives: their savings do not add up. Largest saving first, at most 100 pools.',
    ),
  },
  CoverageAnswerType,
);
export type CoveragePlanner = Answer<typeof CoveragePlannerType>;
