import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { restName, takeOf, toMany } from '../../graph/relations.ts';
import { changePercent, microsToNumber, parseAmount, roundAmount, type Micros } from '../../kit/money.ts';
import { dayOf } from '../../kit/time/period.ts';
import { accountRelation, newestOfAccount } from '../../tenancy/accounts/graphql.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { explainedOf, kindOf, seriesOf, severityOf, selectAnomaliesById } from './store.ts';
import { explanationOf, type Explanation } from './explanation/compose.ts';
import type { Driver } from './explanation/facts.ts';
import type { ChartDay } from './evaluation/finding.ts';

export const AnomalyStatusType = wordEnum('AnomalyStatus', 'Status of an anomaly.', {
  open: 'Not yet reviewed.',
  acknowledged: 'Acknowledged by a user.',
  resolved: 'Resolved by a user, or automatically after the provider restated costs; see the reason.',
});

export const SeverityType = wordEnum(
  'AnomalySeverity',
  'Severity of an anomaly, by amount and by excess over the expectation.',
  {
    low: 'A small amount, less than 50% above the expectation.',
    medium: 'A medium amount, or a larger share of the expectation.',
    high: 'A large amount, or several times the expectation.',
    critical: 'Thousands of dollars, or a large amount and several times the expectation.',
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
  resource: 'FOCUS ResourceId.',
  usage_type: 'FOCUS SkuMeter, or the charge’s description.',
  pricing: 'Pricing: on_demand, spot, reserved, savings_plan, unused_reservation, unused_savings_plan or other.',
});

const SourceType = wordEnum('ExplanationSource', 'Source of an explanation’s wording. Drivers are always computed.', {
  model: 'The configured language model, based on these drivers alone.',
  composed: 'Fixed rules, without a language model.',
});

const DriverType = builder.objectRef<Driver>('AnomalyDriver').implement({
  description: 'A driver of the difference.',
  fields: (t) => ({
    dimension: t.expose('dimension', { type: DimensionType, description: 'Dimension of the driver.' }),
    value: t.exposeString('value', { description: 'Value of the dimension, as on the bill.' }),
    change: t.expose('change', {
      type: 'Decimal',
      description: 'Cost above its expectation, in the anomaly’s currency; negative for a decrease.',
    }),
    share: t.exposeFloat('share', {
      description:
        'Share of the whole difference in percent, 2 decimals. Shares of one dimension add up to 100, including drivers too small to list.',
    }),
  }),
});

const ExplanationType = builder.objectRef<Explanation>('AnomalyExplanation').implement({
  description: 'Explanation of an unexpected cost, based on the bill.',
  fields: (t) => ({
    summary: t.exposeString('summary', { description: 'Summary in a few sentences.' }),
    drivers: t.expose('drivers', {
      type: [DriverType],
      description: 'Drivers of the difference, from region to usage type, largest first within each dimension.',
    }),
    likelyCauses: t.exposeStringList('likelyCauses', { description: 'Likely causes, most likely first.' }),
    nextSteps: t.exposeStringList('nextSteps', {
      description: 'Suggested next steps, in order. None is carried out automatically.',
    }),
    source: t.expose('source', { type: SourceType, description: 'Source of the wording.' }),
  }),
});

const DayType = builder.objectRef<ChartDay>('AnomalyDay').implement({
  description: 'Usage cost of the service on one day.',
  fields: (t) => ({
    date: t.field({ type: 'Date', description: 'The UTC day.', resolve: ({ date }) => date }),
    cost: t.expose('cost', { type: 'Decimal', nullable: true, description: 'Actual cost; null if unknown.' }),
    expectedCost: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Expected cost, based on the days before; null without enough history.',
      resolve: (day) => day.expected_cost,
    }),
    expectedLow: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Lower bound of the usual range; below 0 only if `expectedCost` is. Decreases are not reported. Null if not evaluated, or recorded before this field existed.',
      resolve: (day) => day.expected_low ?? null,
    }),
    expectedHigh: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Cost above which an anomaly is reported: `expectedCost` plus the largest of 4.5 times the usual spread, the usual excess, 25% and about 10 dollars. A repeat of an earlier day or a recovery from a drop is not an anomaly. Null if not evaluated, or recorded before this field existed.',
      resolve: (day) => day.expected_high ?? null,
    }),
  }),
});

const byId = {
  select: { id: true },
  findUnique: ({ id }: { id: string }, ctx: Context) => ({ id, organizationId: viewerOf(ctx).scope.organizationId }),
} as const;

/** Fields of an anomaly, both in lists and on its own. */
const AnomalyFields = builder.prismaInterface('Anomaly', {
  ...byId,
  variant: 'AnomalyFields',
  description: 'Fields that an anomaly has both in lists and in its details.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the anomaly, stable across syncs.' }),
    accountId: t.exposeID('accountId', { description: 'The connected account.' }),
    account: t.prismaField(accountRelation('The connected account.')),
    provider: t.exposeString('provider', { description: 'Provider, as a slug such as `aws`.' }),
    service: t.exposeString('service', { description: 'FOCUS ServiceName.' }),
    region: t.string({
      nullable: true,
      description: 'FOCUS RegionId that explains most of the excess; null if several regions do.',
      select: { region: true },
      resolve: ({ region }) => region || null,
    }),
    kind: t.field({
      type: KindType,
      description: 'Pattern of the cost.',
      select: { kind: true },
      resolve: ({ kind }) => kindOf(kind),
    }),
    startDate: t.field({
      type: 'Date',
      description: 'First day.',
      select: { startDate: true },
      resolve: ({ startDate }) => dayOf(startDate),
    }),
    endDate: t.field({
      type: 'Date',
      description: 'Last day, inclusive.',
      select: { endDate: true },
      resolve: ({ endDate }) => dayOf(endDate),
    }),
    status: t.expose('status', { type: AnomalyStatusType, description: 'Status.' }),
    severity: t.field({
      type: SeverityType,
      description: 'Severity.',
      select: { severity: true },
      resolve: ({ severity }) => severityOf(severity),
    }),
    expectedCost: t.field({
      type: 'Decimal',
      description: 'Expected EffectiveCost of usage, in `currency`, rounded to 6 decimals.',
      select: { expectedCost: true },
      resolve: ({ expectedCost }) => microsToNumber(micros(expectedCost)),
    }),
    actualCost: t.field({
      type: 'Decimal',
      description: 'Actual cost, measured like `expectedCost`: without taxes, credits, purchases and corrections.',
      select: { actualCost: true },
      resolve: ({ actualCost }) => microsToNumber(micros(actualCost)),
    }),
    impact: t.field({
      ...money,
      type: 'Decimal',
      description: '`actualCost` minus `expectedCost`; always positive.',
      resolve: ({ actualCost, expectedCost }) => microsToNumber(micros(actualCost) - micros(expectedCost)),
    }),
    impactPercent: t.float({
      ...money,
      nullable: true,
      description: '`impact` in percent of `expectedCost`, 2 decimals; null if nothing was expected.',
      resolve: ({ actualCost, expectedCost }) => changePercent(micros(actualCost), micros(expectedCost)),
    }),
    currency: t.exposeString('currency', { description: 'Billing currency, ISO 4217.' }),
    detectedAt: t.expose('detectedAt', { type: 'DateTime', description: 'Detection time.' }),
    statusChangedAt: t.expose('statusChangedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the status last changed; null if never.',
    }),
    statusChangedById: t.exposeID('statusChangedById', {
      ...restName('status_changed_by'),
      nullable: true,
      description: 'UUID of the user who last changed the status; null if never changed, or changed automatically.',
    }),
    statusChangedBy: t.field(
      memberRelation(
        'statusChangedById',
        'The member who last changed the status; null for a former member or an automatic change.',
      ),
    ),
    statusReason: t.exposeString('statusReason', {
      nullable: true,
      description: 'Reason of the status change, given by a user or set on automatic resolution.',
    }),
  }),
});
/** An anomaly in a list. */
const AnomalyType = builder.prismaObject('Anomaly', {
  ...byId,
  interfaces: [AnomalyFields],
  description: 'A period in which a service’s usage cost more than expected.',
});
/** An anomaly with its explanation. */
export const AnomalyDetailsType = builder.prismaObject('Anomaly', {
  ...byId,
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

const anomaliesOf = newestOfAccount('anomalies', selectAnomaliesById);

builder.prismaObjectField('Account', 'anomalies', (t) =>
  t.prismaField({
    ...toMany,
    type: [AnomalyType],
    description: 'Anomalies of the account, in any status, latest start first.',
    resolve: (query, { id: accountId }, args, ctx) => anomaliesOf({ accountId, first: takeOf(args) }, query, ctx),
  }),
);

function micros(decimal: { toFixed(): string }): Micros {
  return roundAmount(parseAmount(decimal.toFixed()));
}

export const AnomalyPage = pageType('Anomaly', AnomalyType);
