import { AnomalyStatus } from '../../../prisma/generated/client/enums.ts';
import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { changePercent, microsToNumber, parseAmount, roundAmount } from '../../kit/money.ts';
import { explanationOf, type Explanation } from './explanation/explanation.ts';
import type { Driver } from './explanation/facts.ts';
import type { ChartDay } from './finding.ts';
import type { AnomalyDetailsRow, AnomalyRow } from './list-store.ts';

export const AnomalyStatusType = builder.enumType('AnomalyStatus', {
  description: 'How an anomaly stands.',
  values: {
    OPEN: { value: AnomalyStatus.open, description: 'Nobody has looked into it.' },
    ACKNOWLEDGED: { value: AnomalyStatus.acknowledged, description: 'Somebody knows of it.' },
    RESOLVED: {
      value: AnomalyStatus.resolved,
      description:
        'It is dealt with; or the provider restated the costs, so that it is none any more: the reason says.',
    },
  },
});

export const SeverityType = builder.enumType('AnomalySeverity', {
  description: 'How much an anomaly matters, by its money and by how far beyond the expectation it was.',
  values: {
    LOW: { value: 'low', description: 'Little money, and less than half as much again as expected.' },
    MEDIUM: { value: 'medium', description: 'More money, or a larger part of what was expected.' },
    HIGH: { value: 'high', description: 'Much money, or several times what was expected.' },
    CRITICAL: {
      value: 'critical',
      description: 'Thousands of dollars, or much money and several times what was expected.',
    },
  } as const,
});

const KindType = builder.enumType('AnomalyKind', {
  description: 'How the cost went.',
  values: {
    SPIKE: { value: 'spike', description: 'Too high for some days.' },
    STEP: { value: 'step', description: 'At a higher level for a week or more.' },
    LEAK: { value: 'leak', description: 'Risen slowly over weeks.' },
    NEW_SERVICE: { value: 'new_service', description: 'Cost from nothing.' },
  } as const,
});

const DimensionType = builder.enumType('AnomalyDriverDimension', {
  description: 'What a difference is taken apart by.',
  values: {
    REGION: { value: 'region', description: 'FOCUS RegionId.' },
    SUB_ACCOUNT: { value: 'sub_account', description: 'FOCUS SubAccountId.' },
    RESOURCE: { value: 'resource', description: 'FOCUS ResourceId.' },
    USAGE_TYPE: { value: 'usage_type', description: 'What is metered: FOCUS SkuMeter, or the charge’s description.' },
    PRICING: {
      value: 'pricing',
      description:
        'How it is priced: on_demand, spot, reserved, savings_plan, unused_reservation, unused_savings_plan or other.',
    },
  } as const,
});

const SourceType = builder.enumType('ExplanationSource', {
  description: 'Who put an explanation into words. Its drivers are computed either way.',
  values: {
    MODEL: { value: 'model', description: 'The configured language model, of these drivers alone.' },
    COMPOSED: { value: 'composed', description: 'The service, by rules.' },
  } as const,
});

const DriverType = builder.objectRef<Driver>('AnomalyDriver').implement({
  description: 'What made a part of the difference.',
  fields: (t) => ({
    dimension: t.expose('dimension', { type: DimensionType, description: 'What it is.' }),
    value: t.exposeString('value', { description: 'Which one, as the bill names it.' }),
    change: t.expose('change', {
      type: 'Decimal',
      description: 'What it cost beyond its expectation, in the anomaly’s currency; negative where it cost less.',
    }),
    share: t.exposeFloat('share', {
      description:
        'Of the whole difference, in percent with 2 decimals. Those of one dimension add up to 100 with those too small to be named.',
    }),
  }),
});

const ExplanationType = builder.objectRef<Explanation>('AnomalyExplanation').implement({
  description: 'Why the cost was higher, as far as the bill tells.',
  fields: (t) => ({
    summary: t.exposeString('summary', { description: 'What happened, in a few sentences.' }),
    drivers: t.expose('drivers', {
      type: [DriverType],
      description: 'What made the difference, from the region down to the usage type; of each the largest first.',
    }),
    likelyCauses: t.exposeStringList('likelyCauses', { description: 'What may be behind it, the likeliest first.' }),
    nextSteps: t.exposeStringList('nextSteps', { description: 'What to do, in order. The service does none of it.' }),
    source: t.expose('source', { type: SourceType, description: 'Who put it into words.' }),
  }),
});

const DayType = builder.objectRef<ChartDay>('AnomalyDay').implement({
  description: 'A day of the service’s usage cost in the account.',
  fields: (t) => ({
    date: t.field({ type: 'Date', description: 'The UTC day.', resolve: ({ date }) => date }),
    cost: t.expose('cost', { type: 'Decimal', nullable: true, description: 'What it cost; null: not known.' }),
    expectedCost: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'What it was expected to cost by the days before; null: too little was known.',
      resolve: (day) => day.expected_cost,
    }),
    expectedLow: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'How far below its expectation ordinary days reach, never below 0 unless the expectation is. What costs less is no ' +
        'anomaly: falls are not told. Null: the day was not judged, or before this was kept.',
      resolve: (day) => day.expected_low ?? null,
    }),
    expectedHigh: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'From which cost on the detector finds it too high: beyond its expectation by 4.5 times the spread of ordinary days, by ' +
        'more than they usually exceed theirs, by 25 % and by about ten dollars, whichever is most. No anomaly for all that is ' +
        'what repeats an earlier day or returns from a drop. Null: the day was not judged, or before this was kept.',
      resolve: (day) => day.expected_high ?? null,
    }),
  }),
});

const micros = (decimal: string) => roundAmount(parseAmount(decimal));
const money = (decimal: string) => microsToNumber(micros(decimal));
const impactOf = ({ actual, expected }: AnomalyRow) => microsToNumber(micros(actual) - micros(expected));

/** The fields that an anomaly has in a list and by itself. */
const AnomalyType = builder.objectRef<AnomalyRow>('Anomaly');
/** The same, and why. */
export const AnomalyDetailsType = builder.objectRef<AnomalyDetailsRow>('AnomalyDetails');

builder.objectType(AnomalyType, {
  description: 'Usage of a service that cost more than the days before let expect.',
});
builder.objectType(AnomalyDetailsType, {
  description: 'Usage of a service that cost more than the days before let expect, with why.',
  fields: (t) => ({
    explanation: t.field({ type: ExplanationType, description: 'Why it cost more.', resolve: explanationOf }),
    series: t.expose('series', {
      type: [DayType],
      description: 'Its days, the four weeks before and up to two weeks after, in order.',
    }),
  }),
});

for (const type of [AnomalyType, AnomalyDetailsType]) {
  builder.objectFields(type, (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the anomaly; the same over syncs.' }),
    accountId: t.exposeID('accountId', { description: 'The connected account that it is in.' }),
    provider: t.exposeString('provider', { description: 'Provider, as a slug such as `aws`.' }),
    service: t.exposeString('service', { description: 'FOCUS ServiceName.' }),
    region: t.exposeString('region', {
      nullable: true,
      description: 'FOCUS RegionId of the region that explains most of it; null: several do.',
    }),
    kind: t.expose('kind', { type: KindType, description: 'How the cost went.' }),
    startDate: t.field({ type: 'Date', description: 'Its first day.', resolve: ({ startDate }) => startDate }),
    endDate: t.field({ type: 'Date', description: 'Its last day, inclusive.', resolve: ({ endDate }) => endDate }),
    status: t.expose('status', { type: AnomalyStatusType, description: 'How it stands.' }),
    severity: t.expose('severity', { type: SeverityType, description: 'How much it matters.' }),
    expectedCost: t.field({
      type: 'Decimal',
      description: 'What its days were expected to cost, rounded to 6 decimals: usage at EffectiveCost, in `currency`.',
      resolve: ({ expected }) => money(expected),
    }),
    actualCost: t.field({
      type: 'Decimal',
      description: 'What they cost, in the same measure: taxes, credits, purchases and corrections are in neither.',
      resolve: ({ actual }) => money(actual),
    }),
    impact: t.field({ type: 'Decimal', description: 'The difference, more than 0.', resolve: impactOf }),
    impactPercent: t.float({
      nullable: true,
      description: 'The difference in percent of what was expected, with 2 decimals; null: nothing was expected.',
      resolve: ({ actual, expected }) => changePercent(micros(actual), micros(expected)),
    }),
    currency: t.exposeString('currency', { description: 'What it is billed in, ISO 4217.' }),
    detectedAt: t.expose('detectedAt', { type: 'DateTime', description: 'When it was found.' }),
    statusChangedAt: t.expose('statusChangedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its status last changed; null: never.',
    }),
    statusChangedBy: t.exposeID('statusChangedById', {
      nullable: true,
      description: 'UUID of the user who last changed its status; null: nobody, or the service itself.',
    }),
    statusReason: t.exposeString('statusReason', {
      nullable: true,
      description: 'Why its status changed, in words: somebody’s, or why it was resolved by itself.',
    }),
  }));
}

/** A page of anomalies. */
export const AnomalyPage = pageType('Anomaly', AnomalyType);
