import { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import { providersRule } from '../../facts/provider.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { storedWords } from '../../graph/stored-words.ts';
import { oldReason, reasonRule, statusReasonText } from '../status-reason.ts';
import { savingsRule, snoozeRule } from './input.ts';
import { recommendationTypes } from './detectors/all.ts';

export const TypeEnum = builder.enumType('RecommendationType', {
  description: 'Type of a recommendation: what was found.',
  values: storedWords(recommendationTypes),
});

export const StatusType = builder.enumType('RecommendationStatus', {
  description: 'Status of a recommendation.',
  values: {
    OPEN: { value: RecommendationStatus.open, description: 'Not started.' },
    IN_PROGRESS: { value: RecommendationStatus.in_progress, description: 'In progress.' },
    APPLIED: {
      value: RecommendationStatus.applied,
      description: 'Carried out; the realized saving is measured on the bill.',
    },
    ARCHIVED: {
      value: RecommendationStatus.archived,
      description: 'Dismissed by a user, or no longer applicable; see the reason.',
    },
  },
});

/** Confidence in the saving. */
export const ConfidenceType = builder.enumType('RecommendationConfidence', {
  description: 'Confidence in the saving.',
  values: {
    LOW: { value: 'low', description: 'Upper bound, or needs a check first.' },
    MEDIUM: { value: 'medium', description: 'Calculated from a documented share of the cost.' },
    HIGH: { value: 'high', description: 'Calculated from the account’s own bills.' },
  } as const,
});

/** Tool that runs a script. */
export const ScriptKind = builder.enumType('RemediationKind', {
  description: 'Tool that runs a script.',
  values: {
    AWS_CLI: { value: 'aws_cli', description: 'A POSIX shell with the AWS CLI.' },
    AZURE_CLI: { value: 'azure_cli', description: 'A POSIX shell with the Azure CLI.' },
    GCLOUD: { value: 'gcloud', description: 'A POSIX shell with the gcloud CLI.' },
    TERRAFORM: { value: 'terraform', description: 'Terraform configuration.' },
    SHELL: { value: 'shell', description: 'Any POSIX shell, for providers without a supported client.' },
  } as const,
});

/** Filters shared by list and summary. */
export const filterArgs = builder.args((t) => ({
  status: t.field({ type: [StatusType], description: 'Only items with these statuses. Default: all.' }),
  type: t.field({ type: [TypeEnum], description: 'Only these types.' }),
  accountId: t.idList({ description: 'Only items of these connected accounts.' }),
  provider: t.stringList({
    ...bounded(providersRule),
    description: 'Only items of these providers, as slugs such as `aws`.',
  }),
  resourceId: t.id({
    description:
      'Only recommendations for this inventory resource (UUID). Matches nothing once the resource has been removed from the inventory.',
  }),
  minSavings: t.field({
    ...bounded(savingsRule),
    type: 'Decimal',
    description:
      'Minimum monthly saving in the organization’s currency, with at most 6 decimals, by the exchange rate of the month of the account’s last complete day; recommendations without a rate are excluded.',
  }),
  includeSnoozed: t.boolean({ description: 'True: includes snoozed ones. Default: excluded.' }),
}));

export const UpdateRecommendationInput = builder.inputType('UpdateRecommendationInput', {
  description: 'Changes to a recommendation: omitted fields stay unchanged.',
  fields: (t) => ({
    status: t.field({ ...unclearable(), type: StatusType, description: 'New status; all transitions are allowed.' }),
    statusReason: t.string({ ...bounded(reasonRule), description: statusReasonText }),
    reason: t.string({ ...bounded(reasonRule), ...oldReason }),
    snoozedUntil: t.field({
      type: 'DateTime',
      description: 'Hides the recommendation from lists until this time, at most 365 days ahead; null ends the snooze.',
    }),
    snoozeDays: t.int({
      description: 'Snooze in days from now, 1 to 365; null ends the snooze.',
      ...bounded(snoozeRule),
    }),
  }),
});
