import { formatMonth } from '../../kit/format.ts';
import { addMonths, firstDay, lastDay, monthAt, parseMonth, type Month } from '../../kit/period.ts';
import { BadArguments } from '../bad-arguments.ts';
import type { Prompt } from './prompt.ts';
import { accountNames, months } from './suggestions.ts';

/** What a month cost, why, and what to do about it. */
export const monthlyCostReview: Prompt = {
  name: 'monthly_cost_review',
  title: 'Monthly cost review',
  description:
    'Reviews a month of cloud costs: total, change and its drivers, budgets, anomalies and possible savings.',
  args: {
    month: { description: 'Such as 2026-10. Default: the last complete month', suggest: months },
    account: { description: 'Name of an account. Default: all', suggest: accountNames },
  },
  message: ({ month: text, account }, now) => {
    const month = text === undefined ? addMonths(monthAt(now), -1) : monthIn(text, now);
    const days = `start_date ${firstDay(month)} and end_date ${lastDay(month)}`;
    return `Review our cloud costs of ${formatMonth(month)}${account === undefined ? '' : ` in the account ${JSON.stringify(account)}`} for a monthly FinOps meeting.

1. list_accounts: note failed syncs and accounts whose complete_through is before ${lastDay(month)}: their figures are incomplete.${account === undefined ? '' : ` Take the id of the account from this list and pass it as account_id below.`}
2. get_cost_summary with ${days}: the total, and the change from the month before.
3. get_cost_trend with end_month ${month}: how it compares with the last six months, and the drivers.
4. get_cost_breakdown with ${days} and compare_previous, grouped by service and once more by ${account === undefined ? 'account' : 'region'}: increases and decreases.
5. list_anomalies with ${days}; get_anomaly for the two with the largest impact: what happened.
6. list_budgets: which are or will be exceeded. get_forecast: the projected cost of the current month.
7. get_recommendations_summary and list_recommendations: the five largest savings.

Then write at most one page: the total and its change in a sentence; a table of the five largest changes with their reasons; anomalies; budgets; the savings, largest first, and who should decide. Give each figure with its currency and the days it covers, and separate facts from the tools from your assumptions. Change nothing.`;
  },
};

function monthIn(text: string, now: Date): Month {
  const month = parseMonth(text);
  if (!month) throw new BadArguments(`month "${text}" is not a valid month: use YYYY-MM`, 'month');
  if (month > monthAt(now)) throw new BadArguments(`month ${month} has not begun: review a past one`, 'month');
  return month;
}
