import {
  answerType,
  columns,
  day,
  decimal,
  float,
  from,
  instant,
  listOf,
  of,
  orNull,
  text,
  texts,
  uuid,
} from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { pageType } from '../../graph/paging.ts';
import { foundById, restName } from '../../graph/relations.ts';
import { monthAt } from '../../kit/time/period.ts';
import { changePercent, microsToNumber, parseAmount, roundAmount, type Micros } from '../../kit/money.ts';
import { accountRelation, listOnAccount } from '../../tenancy/accounts/graphql.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { conversionOf, convertedAmountText, convertedInText, ownCurrency } from '../../facts/graphql.ts';
import { updatedType } from '../graphql.ts';
import { anomalies, explainedOf, seriesOf } from './store.ts';
import { explanationOf } from './explanation/compose.ts';

export const AnomalyStatusType = wordEnum('AnomalyStatus', 'Status of an anomaly.', {
  open: 'Not yet reviewed.',
  acknowledged: 'Acknowledged by a user.',
  resolved:
    'Resolved by a user, or automatically: after the provider restated costs, or once the costs have been back in the expected range for more than 7 complete days. See the reason.',
});

export const SeverityType = wordEnum(
  'AnomalySeverity',
  'Severity of an anomaly, in points: one each for an `impact` of about $100, $1,000 and $10,000, and one each for 50% and 200% of the expected cost.',
  {
    low: 'No points.',
    medium: '1 or 2 points.',
    high: '3 points.',
    critical: '4 or 5 points.',
  },
);

const KindType = wordEnum('AnomalyKind', 'Pattern of the cost.', {
  spike: 'Increase for a few days.',
  step: 'Higher level for a week or more.',
  leak: 'Slow increase over weeks.',
  new_service: 'First cost of a service.',
});

const DimensionType = wordEnum('AnomalyDriverDimension', 'Dimension by which a difference is explained.', {
  region: 'FOCUS RegionId.',
  sub_account: 'FOCUS SubAccountId.',
  virtual_tag: 'A virtual tag, by its `key`.',
  resource: 'FOCUS ResourceId.',
  usage_type: 'FOCUS SkuMeter, or the charge’s description.',
  pricing: 'Pricing: on_demand, spot, reserved, savings_plan, unused_reservation, unused_savings_plan or other.',
});

const SourceType = wordEnum('ExplanationSource', 'Source of an explanation’s wording. Drivers are always computed.', {
  model: 'The configured language model, based only on these drivers.',
  composed: 'Fixed rules, without a language model.',
});

const DriverType = answerType('AnomalyDriver', 'A driver of the difference.', {
  dimension: of(DimensionType, 'Dimension of the driver.'),
  key: orNull(text('Key of the virtual tag; null for other dimensions.')),
  value: text('Value of the dimension, as on the bill or by the rules of the virtual tag.'),
  change: decimal('Cost above its expectation, in the anomaly’s currency; negative for a decrease.'),
  share: float(
    'Share of the whole difference in percent, 2 decimals. Shares of one dimension, or of one virtual tag, add up to 100, including drivers too small to list.',
  ),
});

const ExplanationType = answerType('AnomalyExplanation', 'Explanation of an unexpected cost, based on the bill.', {
  summary: text('Summary in a few sentences.'),
  drivers: listOf(
    DriverType,
    'Drivers of the difference, from region to pricing, largest first within each dimension.',
  ),
  likelyCauses: texts('Likely causes, most likely first.'),
  nextSteps: texts('Suggested next steps, in order. None is carried out automatically.'),
  source: of(SourceType, 'Source of the wording.'),
});

const DayType = answerType('AnomalyDay', 'Usage cost of the service on one day.', {
  date: day('The UTC day.'),
  cost: orNull(decimal('Actual cost; null if unknown.')),
  expectedCost: from(
    'expected_cost',
    orNull(decimal('Expected cost, based on the days before; null without enough history.')),
  ),
  expectedLow: from(
    'expected_low',
    orNull(
      decimal(
        'Lower bound of the usual range; below 0 only if `expectedCost` is. Decreases are not reported. Null if not evaluated, or recorded before this field existed.',
      ),
    ),
  ),
  expectedHigh: from(
    'expected_high',
    orNull(
      decimal(
        'Cost at which an anomaly is reported: `expectedCost` plus the largest of 4.5 times the usual spread, 2.2 times the usual excess, 25% (at most about 1,000 dollars) and about 10 dollars. A repeat of an earlier day or a recovery from a drop is not an anomaly. Null if not evaluated, or recorded before this field existed.',
      ),
    ),
  ),
});

const ConvertedImpactType = answerType('ConvertedImpact', 'Costs of an anomaly in the organization’s currency.', {
  currency: ownCurrency,
  expectedCost: decimal(convertedAmountText('expectedCost')),
  actualCost: decimal(convertedAmountText('actualCost')),
  impact: decimal('`actualCost` minus `expectedCost`.'),
});

/** Fields of an anomaly, both in lists and on its own. */
const AnomalyFields = builder.prismaInterface('Anomaly', {
  ...foundById,
  variant: 'AnomalyFields',
  description: 'Fields that an anomaly has both in lists and in its details.',
  fields: (t) =>
    columns(t, 'Anomaly', {
      id: uuid('UUIDv7 of the anomaly, stable across syncs.'),
      accountId: uuid('The connected account.'),
      account: t.prismaField(accountRelation('The connected account.')),
      provider: text('Provider, as a slug such as `aws`.'),
      service: text('FOCUS ServiceName.'),
      region: t.string({
        nullable: true,
        description: 'FOCUS RegionId that explains most of the excess; null if several regions do.',
        select: { region: true },
        resolve: ({ region }) => region || null,
      }),
      kind: of(KindType, 'Pattern of the cost.'),
      startDate: day('First day.'),
      endDate: day('Last day, inclusive.'),
      status: of(AnomalyStatusType, 'Status.'),
      severity: of(SeverityType, 'Severity.'),
      expectedCost: decimal('Expected EffectiveCost of usage, in `currency`, rounded to 6 decimals.'),
      actualCost: decimal(
        'Actual cost, measured like `expectedCost`: without taxes, credits, purchases and corrections.',
      ),
      impact: t.field({
        ...money,
        type: 'Decimal',
        description: '`actualCost` minus `expectedCost`; always positive.',
        resolve: ({ actualCost, expectedCost }) => microsToNumber(micros(actualCost) - micros(expectedCost)),
      }),
      impactPercent: t.float({
        ...money,
        nullable: true,
        description: '`impact` as a percentage of `expectedCost`, 2 decimals; null if no cost was expected.',
        resolve: ({ actualCost, expectedCost }) => changePercent(micros(actualCost), micros(expectedCost)),
      }),
      currency: text('Billing currency, ISO 4217.'),
      converted: t.field({
        type: ConvertedImpactType,
        nullable: true,
        description: convertedInText('the month in which it started'),
        select: { currency: true, startDate: true, expectedCost: true, actualCost: true },
        resolve: async ({ expectedCost, actualCost, currency, startDate }, _args, ctx) => {
          const to = await conversionOf({ currency, month: monthAt(startDate) }, ctx);
          return (
            to && {
              currency: to.currency,
              expectedCost: to.of(expectedCost),
              actualCost: to.of(actualCost),
              impact: microsToNumber(to.micros(actualCost) - to.micros(expectedCost)),
            }
          );
        },
      }),
      detectedAt: instant('Detection time.'),
      statusChangedAt: orNull(instant('When the status last changed; null if never.')),
      statusChangedById: orNull(
        uuid(
          'UUID of the user who last changed the status; null if never changed, or changed automatically.',
          restName('status_changed_by'),
        ),
      ),
      statusChangedBy: t.field(
        memberRelation(
          'statusChangedById',
          'The member who last changed the status; null for a former member or an automatic change.',
        ),
      ),
      statusReason: orNull(text('Reason for the status change, given by a user or set on automatic resolution.')),
      assigneeId: orNull(uuid('UUID of the assigned user; null if unassigned.')),
      assignee: t.field(
        memberRelation('assigneeId', 'The assigned member; null for a former member or if unassigned.'),
      ),
      note: orNull(text('Note by members, in plain text.')),
    }),
});
/** An anomaly in a list. */
const AnomalyType = builder.prismaObject('Anomaly', {
  ...foundById,
  interfaces: [AnomalyFields],
  description: 'A period in which a service’s usage cost more than expected.',
});
/** An anomaly with its explanation. */
export const AnomalyDetailsType = builder.prismaObject('Anomaly', {
  ...foundById,
  variant: 'AnomalyDetails',
  interfaces: [AnomalyFields],
  description: 'A period in which a service’s usage cost more than expected, with an explanation.',
  fields: (t) => ({
    explanation: t.field({
      type: ExplanationType,
      description: 'Explanation of the increase.',
      select: { facts: true, prose: true },
      resolve: (row) => explanationOf(explainedOf(row)),
    }),
    series: t.field({
      type: [DayType],
      description: 'Daily costs: the days of the anomaly, four weeks before and up to two weeks after, in order.',
      select: { series: true },
      resolve: ({ series }) => seriesOf(series),
    }),
  }),
});

const money = { select: { expectedCost: true, actualCost: true } } as const;

listOnAccount('anomalies', 'anomalies', AnomalyType, {
  description: 'Anomalies of the account, in any status, latest start first.',
  select: (...read) => anomalies.select(...read),
});

function micros(amount: { toFixed(): string }): Micros {
  return roundAmount(parseAmount(amount.toFixed()));
}

export const AnomalyPage = pageType('Anomaly', AnomalyType);

export const UpdatedAnomalies = updatedType('Anomalies', AnomalyType);
