import { placeArgs } from '../../facts/graphql.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { storedWords, wordEnum } from '../../graph/stored-words.ts';
import { assigneeArgs, idsField, ifNoteField, ifStatusesField, ifStatusText, triageFields } from '../graphql.ts';
import { oldReason, reasonRule, statusReasonText } from '../status-reason.ts';
import { savingsRule, snoozeRule } from './input.ts';
import { recommendationTypes } from './detectors/all.ts';

export const TypeEnum = builder.enumType('RecommendationType', {
  description: 'Type of a recommendation: what was found.',
  values: storedWords(recommendationTypes),
});

export const StatusType = wordEnum('RecommendationStatus', 'Status of a recommendation.', {
  open: 'Not started.',
  in_progress: 'In progress.',
  applied: 'Carried out; the realized saving is measured on the bill.',
  archived: 'Dismissed by a user, or no longer applicable; see the reason.',
});

/** Confidence in the saving. */
export const ConfidenceType = wordEnum('RecommendationConfidence', 'Confidence in the saving.', {
  low: 'Upper bound, or needs a check first.',
  medium: 'Calculated from a documented share of the cost, or likely but not certain.',
  high: 'Calculated from the account’s own bills or the provider’s prices.',
});

/** Tool that runs a script. */
export const ScriptKind = wordEnum('RemediationKind', 'Tool that runs a script.', {
  aws_cli: 'A POSIX shell with the AWS CLI.',
  azure_cli: 'A POSIX shell with the Azure CLI.',
  gcloud: 'A POSIX shell with the gcloud CLI.',
  terraform: 'Terraform configuration.',
  shell: 'Any POSIX shell, for providers without a supported client.',
});

/** Filters shared by list and summary. */
export const filterArgs = builder.args((t) => ({
  status: t.field({ type: [StatusType], description: 'Only items with these statuses. Default: all.' }),
  type: t.field({ type: [TypeEnum], description: 'Only these types.' }),
  ...placeArgs,
  ...assigneeArgs,
  resourceId: t.id({
    description:
      'Only recommendations for this inventory resource (UUID). Matches nothing once the resource has been removed from the inventory.',
  }),
  minSavings: t.field({
    ...bounded(savingsRule),
    type: 'Decimal',
    description:
      'Minimum monthly saving in the organization’s currency, with at most 6 decimals, at the exchange rate of the month of the account’s last complete day; recommendations without a rate are excluded.',
  }),
  includeSnoozed: t.boolean({ description: 'True: includes snoozed ones. Default: excluded.' }),
}));

type InputFields = Parameters<typeof triageFields>[0];

const changeFields = (t: InputFields) => ({
  status: t.field({ ...unclearable(), type: StatusType, description: 'New status; all transitions are allowed.' }),
  statusReason: t.string({ ...bounded(reasonRule), description: statusReasonText }),
  snoozedUntil: t.field({
    type: 'DateTime',
    description: 'Hides the recommendation from lists until this time, at most 365 days ahead; null ends the snooze.',
  }),
  snoozeDays: t.int({
    description: 'Snooze in days from now, 1 to 365; null ends the snooze.',
    ...bounded(snoozeRule),
  }),
  ...triageFields(t),
});

export const UpdateRecommendationInput = builder.inputType('UpdateRecommendationInput', {
  description: 'Changes to a recommendation: omitted fields stay unchanged.',
  fields: (t) => ({
    ...changeFields(t),
    ifNote: ifNoteField(t),
    ifStatus: t.field({ ...unclearable(), type: StatusType, description: ifStatusText }),
    reason: t.string({ ...bounded(reasonRule), ...oldReason }),
  }),
});

export const UpdateRecommendationsInput = builder.inputType('UpdateRecommendationsInput', {
  description: 'Recommendations, and the change that is made to each: omitted fields stay unchanged.',
  fields: (t) => ({
    ids: idsField(t, 'recommendations'),
    ...changeFields(t),
    ifStatus: ifStatusesField(t, StatusType),
  }),
});
