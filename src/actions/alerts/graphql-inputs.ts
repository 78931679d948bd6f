import { tagKeyRule, tagValueRule, thresholdRule } from './input.ts';
import { providerRule } from '../../facts/provider.ts';
import { sharedTexts } from '../../analysis/budgets/graphql-inputs.ts';
import { emailsRule, serviceRule } from '../../analysis/budgets/target.ts';
import { nameRule } from '../../tenancy/login/input.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { AlertMetricType, AlertOperatorType } from './graphql-types.ts';

const nameText = 'Display name, 1 to 100 characters on one line.';
const metricText = 'Metric.';
const operatorText = 'How the value of the metric is compared with the threshold.';
const thresholdText = 'Threshold: money in the organization’s currency, or percent; at most 6 decimals.';
const keyText = 'Only charges with this tag key, with or without the `user:` prefix of AWS; null for all charges.';
const valueText = 'Only charges with this tag value; null for any value. Requires `tagKey`.';
const enabledText = 'Whether the rule is evaluated and sends notifications.';

/** The input of `createAlertRule`. */
export const CreateAlertRuleInput = builder.inputType('CreateAlertRuleInput', {
  description: 'An alert rule to create.',
  fields: (t) => ({
    name: t.string({ ...bounded(nameRule), required: true, description: nameText }),
    metric: t.field({ type: AlertMetricType, required: true, description: metricText }),
    operator: t.field({ type: AlertOperatorType, required: true, description: operatorText }),
    threshold: t.field({ ...bounded(thresholdRule), type: 'Decimal', required: true, description: thresholdText }),
    accountId: t.id({ description: sharedTexts.account }),
    provider: t.string({ ...bounded(providerRule), description: sharedTexts.provider }),
    service: t.string({ ...bounded(serviceRule), description: sharedTexts.service }),
    tagKey: t.string({ ...bounded(tagKeyRule), description: keyText }),
    tagValue: t.string({ ...bounded(tagValueRule), description: valueText }),
    emails: t.stringList({ ...bounded(emailsRule), description: sharedTexts.emails }),
    slack: t.boolean({ defaultValue: false, description: sharedTexts.slack }),
    enabled: t.boolean({ defaultValue: true, description: enabledText }),
  }),
});

/** The input of `updateAlertRule`. */
export const UpdateAlertRuleInput = builder.inputType('UpdateAlertRuleInput', {
  description: 'Changes to an alert rule: omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ ...unclearable(nameRule), description: nameText }),
    metric: t.field({ ...unclearable(), type: AlertMetricType, description: metricText }),
    operator: t.field({ ...unclearable(), type: AlertOperatorType, description: operatorText }),
    threshold: t.field({ ...unclearable(thresholdRule), type: 'Decimal', description: thresholdText }),
    accountId: t.id({ description: sharedTexts.account }),
    provider: t.string({ ...bounded(providerRule), description: sharedTexts.provider }),
    service: t.string({ ...bounded(serviceRule), description: sharedTexts.service }),
    tagKey: t.string({ ...bounded(tagKeyRule), description: keyText }),
    tagValue: t.string({ ...bounded(tagValueRule), description: valueText }),
    emails: t.stringList({
      ...bounded(emailsRule),
      description: `${sharedTexts.emails} Replaces the current addresses.`,
    }),
    slack: t.boolean({ ...unclearable(), description: sharedTexts.slack }),
    enabled: t.boolean({ ...unclearable(), description: enabledText }),
  }),
});
