import type { Prompt } from './prompt.ts';
import { accountNames } from './suggestions.ts';

/** What to switch off, resize or commit to, the most worthwhile first. */
export const findSavings: Prompt = {
  name: 'find_savings',
  title: 'Find savings',
  description: 'Plans savings: waste to remove, resources to resize, commitments to buy, most worthwhile first.',
  args: {
    account: { description: 'Name of an account. Default: all', suggest: accountNames },
    goal: { description: 'How much to save, such as 500 USD per month. Default: as much as is sensible' },
  },
  message: ({ account, goal }) => {
    const where = account === undefined ? '' : ` in the account ${JSON.stringify(account)}`;
    return `Make a plan to lower our cloud costs${where}${goal === undefined ? '' : `, by ${JSON.stringify(goal)} if possible`}.
${account === undefined ? '' : `\nTake the id of the account from list_accounts and pass it as account_id to every tool.\n`}
1. get_recommendations_summary: possible savings by type.
2. list_recommendations: the largest ones. For the first three get_recommendation: the evidence and the scripts.
3. get_coverage: the coverage and the utilization of commitments. Use existing commitments fully before you propose new ones.
4. get_commitment_plan: commitments for the usage that remains after steps 1 and 2; their savings and those of removing the same usage do not add up.
5. get_cost_breakdown of the last 30 days by service: is a large service missing from the plan? Say so.
6. get_tag_compliance: costs without an owner because the owner tag is missing.

Then write the plan as a table: action, location, saving per month with its currency, effort, risk, reversibility, decision maker. Order: unused resources, then resizing, then commitments. Give the sum of the savings that do not overlap. Change nothing; ask before you call update_recommendation to mark one as in_progress or snooze it.`;
  },
};
