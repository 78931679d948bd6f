import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

const AlertRuleRow = graphql(`
  fragment AlertRuleRow on AlertRule {
    id
    name
    metric
    operator
    threshold
    accountId
    provider
    service
    tagKey
    tagValue
    emails
    slack
    enabled
    lastTriggeredAt
    createdById
    createdAt
  }
`);

export const AlertRulesQuery = graphql(operations.alertRules, [AlertRuleRow]);

const AlertRuleFields = graphql(
  `
    fragment AlertRuleFields on AlertRule {
      ...AlertRuleRow
    }
  `,
  [AlertRuleRow],
);

export const AlertRuleQuery = graphql(operations.alertRule, [AlertRuleFields]);

export const CreateAlertRule = graphql(operations.createAlertRule);

export const UpdateAlertRule = graphql(operations.updateAlertRule);

export const DeleteAlertRule = graphql(operations.deleteAlertRule);

export type AlertRule = ResultOf<typeof AlertRuleFields>;
