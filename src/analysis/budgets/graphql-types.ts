import { orNull, text } from '../../graph/answers.ts';
import { wordEnum } from '../../graph/stored-words.ts';

/** The period of a budget. */
export const BudgetPeriodType = wordEnum('BudgetPeriod', 'Budget period.', {
  monthly: 'A calendar month in UTC.',
  quarterly: 'A calendar quarter in UTC, such as January to March.',
  yearly: 'A calendar year in UTC.',
});

/** Scope of a budget or alert rule, besides the account. */
export const targetColumns = {
  provider: orNull(text('Provider in scope, as a slug such as `aws`; null for all.')),
  service: orNull(text('FOCUS ServiceName in scope; null for all.')),
  subAccountId: orNull(text('FOCUS SubAccountId in scope; null for all.')),
  tagKey: orNull(
    text('Only charges with this tag key, ignoring case, or `virtual:KEY` for a virtual tag; null for all charges.'),
  ),
  tagValue: orNull(text('Only charges with this tag value; null for any value.')),
};
