import { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { microsToNumber, parseAmount, roundAmount } from '../../kit/money.ts';
import type { RecommendationsSummary } from './list.ts';
import type { Script } from './script.ts';
import type { RecommendationRow } from './store.ts';

export const StatusType = builder.enumType('RecommendationStatus', {
  description: 'How a recommendation stands.',
  values: {
    OPEN: { value: RecommendationStatus.open, description: 'Nobody has taken it up.' },
    IN_PROGRESS: { value: RecommendationStatus.in_progress, description: 'Somebody is at it.' },
    APPLIED: { value: RecommendationStatus.applied, description: 'It was carried out; the bill shows what it saved.' },
    ARCHIVED: {
      value: RecommendationStatus.archived,
      description: 'It was set aside, or is no longer true: the reason says.',
    },
  },
});

const ConfidenceType = builder.enumType('RecommendationConfidence', {
  description: 'How sure the saving is.',
  values: {
    LOW: { value: 'low', description: 'At most this much, or something must be looked into first.' },
    MEDIUM: { value: 'medium', description: 'By a documented share of what it costs.' },
    HIGH: { value: 'high', description: 'By the account’s own bills.' },
  } as const,
});

const ScriptKind = builder.enumType('RemediationKind', {
  description: 'What runs a script.',
  values: {
    AWS_CLI: { value: 'aws_cli', description: 'A POSIX shell with the AWS CLI.' },
    AZURE_CLI: { value: 'azure_cli', description: 'A POSIX shell with the Azure CLI.' },
    GCLOUD: { value: 'gcloud', description: 'A POSIX shell with the gcloud CLI.' },
    TERRAFORM: { value: 'terraform', description: 'Terraform: what to put into the configuration.' },
  } as const,
});

const ScriptType = builder.objectRef<Script>('RemediationScript').implement({
  description: 'A way to carry out a recommendation. Nothing here runs it.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ScriptKind, description: 'What runs it.' }),
    title: t.exposeString('title', { description: 'What it does.' }),
    script: t.exposeString('script', { description: 'The script, with the names of the resource quoted.' }),
    reversible: t.exposeBoolean('reversible', { description: 'Whether what it does can be undone.' }),
  }),
});

const ResourceRef = builder.objectRef<RecommendationRow>('RecommendationResource').implement({
  description: 'What a recommendation is about.',
  fields: (t) => ({
    id: t.exposeID('resourceId', {
      nullable: true,
      description: 'UUID in the inventory; null where it is not in it: a commitment, or a resource that has left.',
    }),
    nativeId: t.string({
      description: 'What the provider calls it: FOCUS ResourceId or CommitmentDiscountId.',
      resolve: ({ nativeId }) => nativeId ?? '',
    }),
    name: t.string({
      description: 'Its display name; its native id where it has none.',
      resolve: ({ resourceName, nativeId }) => resourceName ?? nativeId ?? '',
    }),
  }),
});

const toNumber = (decimal: string): number => microsToNumber(roundAmount(parseAmount(decimal)));
const monthText = 'in a month of 30.4375 days, in `currency`, rounded to 6 decimals';

/** The fields that a recommendation has in a list and by itself. */
const RecommendationType = builder.objectRef<RecommendationRow>('Recommendation');
/** The same, and how to carry it out. */
export const RecommendationDetailsType = builder.objectRef<RecommendationRow>('RecommendationDetails');

builder.objectType(RecommendationType, {
  description: 'Money that could be saved.',
});
builder.objectType(RecommendationDetailsType, {
  description: 'Money that could be saved, with how.',
  fields: (t) => ({
    remediationScripts: t.field({
      type: [ScriptType],
      description: 'Ways to carry it out; empty where it takes more than a command.',
      resolve: ({ scripts }) => scripts ?? [],
    }),
  }),
});

for (const type of [RecommendationType, RecommendationDetailsType]) {
  builder.objectFields(type, (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the recommendation; the same over syncs.' }),
    accountId: t.exposeID('accountId', { description: 'The connected account that it is about.' }),
    provider: t.exposeString('provider', { description: 'Provider, as a slug such as `aws`.' }),
    type: t.exposeString('type', { description: 'What was found, such as `aws_ebs_unattached`.' }),
    title: t.exposeString('title', { description: 'What to do.' }),
    description: t.exposeString('description', { description: 'Why, and what to look into first.' }),
    status: t.expose('status', { type: StatusType, description: 'How it stands.' }),
    snoozedUntil: t.expose('snoozedUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until then lists leave it out; null, or past: it is awake.',
    }),
    resource: t.field({
      type: ResourceRef,
      nullable: true,
      description: 'What it is about; null for charges that have no resource.',
      resolve: (row) => (row.nativeId === null ? null : row),
    }),
    estimatedMonthlySavings: t.field({
      type: 'Decimal',
      description: `What it would save ${monthText}. Realisable on-demand spend alone; no two recommendations hold the same money.`,
      resolve: ({ savings }) => toNumber(savings),
    }),
    currency: t.exposeString('currency', { description: 'Billing currency of the savings, ISO 4217.' }),
    confidence: t.expose('confidence', { type: ConfidenceType, description: 'How sure the saving is.' }),
    evidence: t.expose('evidence', {
      type: 'JSON',
      description:
        'What was seen: the window, the charges with what each costs and saves in a month, how the figure was made (`method`), ' +
        'the alternatives that gave way, and what the finding itself rests on.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first found.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its figures last changed.' }),
    statusChangedAt: t.expose('statusChangedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its status last changed; null: never.',
    }),
    statusReason: t.exposeString('statusReason', {
      nullable: true,
      description: 'Why its status changed, in words: somebody’s, or why it was archived by itself.',
    }),
    realizedMonthlySavings: t.field({
      type: 'Decimal',
      nullable: true,
      description: `What the bill shows since it was applied: the cost of a day before, less that of a day since, ${monthText}. Negative where it costs more; null before.`,
      resolve: ({ realizedSavings }) => (realizedSavings === null ? null : toNumber(realizedSavings)),
    }),
  }));
}

/** A page of recommendations. */
export const RecommendationPage = pageType('Recommendation', RecommendationType);

type Group<Name extends keyof RecommendationsSummary> = RecommendationsSummary[Name] extends readonly (infer Item)[]
  ? Item
  : never;

const countText = 'How many recommendations there are.';
const savingsText = 'What they would save in a month, in the summary’s `currency`, rounded to 6 decimals.';

const TypeSavings = builder.objectRef<Group<'byType'>>('RecommendationTypeSavings').implement({
  description: 'Recommendations of a type.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'The type, such as `aws_ebs_unattached`.' }),
    count: t.exposeInt('count', { description: countText }),
    estimatedMonthlySavings: t.expose('savings', { type: 'Decimal', description: savingsText }),
  }),
});

const StatusSavings = builder.objectRef<Group<'byStatus'>>('RecommendationStatusSavings').implement({
  description: 'Recommendations of a status.',
  fields: (t) => ({
    status: t.expose('status', { type: StatusType, description: 'The status.' }),
    count: t.exposeInt('count', { description: countText }),
    estimatedMonthlySavings: t.expose('savings', { type: 'Decimal', description: savingsText }),
  }),
});

const UnconvertedSavings = builder.objectRef<Group<'unconverted'>>('UnconvertedSavings').implement({
  description: 'Savings in a currency that has no exchange rate for the month.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'Billing currency, ISO 4217.' }),
    estimatedMonthlySavings: t.expose('savings', {
      type: 'Decimal',
      description: 'What they would save in a month, in that currency.',
    }),
  }),
});

/** What recommendations come to. */
export const SummaryType = builder.objectRef<RecommendationsSummary>('RecommendationsSummary').implement({
  description: 'What recommendations come to. The groups of either kind add up to the totals.',
  fields: (t) => ({
    totalCount: t.exposeInt('totalCount', { description: countText }),
    totalEstimatedMonthlySavings: t.expose('totalSavings', { type: 'Decimal', description: savingsText }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217.' }),
    byType: t.expose('byType', { type: [TypeSavings], description: 'By type, the largest saving first.' }),
    byStatus: t.expose('byStatus', { type: [StatusSavings], description: 'By status, the largest saving first.' }),
    unconverted: t.expose('unconverted', {
      type: [UnconvertedSavings],
      description: 'Savings without an exchange rate: counted, but in no other figure.',
    }),
  }),
});
