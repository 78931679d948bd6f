import type { Prompt } from './prompt.ts';
import { accountNames } from './suggestions.ts';

/** What to switch off, resize or commit to, the most worthwhile first. */
export const findSavings: Prompt = {
  name: 'find_savings',
  title: 'Find savings',
  description:
    'Makes a plan of what to save: waste to remove, resources to resize, commitments to buy, most worthwhile first.',
  args: {
    account: { description: 'Name of an account; all where it is left out', suggest: accountNames },
    goal: { description: 'How much to save, such as 500 USD a month; as much as is sensible where it is left out' },
  },
  message: ({ account, goal }) => {
    const where = account === undefined ? '' : ` in the account ${JSON.stringify(account)}`;
    return `Make a plan to lower our cloud costs${where}${goal === undefined ? '' : `, by ${JSON.stringify(goal)} if that can be had`}.
${account === undefined ? '' : `\nTake the id of the account from list_accounts and pass it as account_id to every tool.\n`}
1. get_recommendations_summary: how much there is to save, and of which types.
2. list_recommendations: the largest ones. For the first three get_recommendation: the evidence and the scripts.
3. get_coverage: how much of the usage that commitments could cover they cover, and whether what was bought is used. Unused commitments come before new ones.
4. get_commitment_plan: what to commit to, for the usage that is left after steps 1 and 2; its savings and those of removing the same usage do not add up.
5. get_cost_breakdown of the last 30 days by service: is a large service missing from the plan? Say so.
6. get_tag_compliance: which costs nobody can be asked about because their owner tag is missing.

Then write the plan as a table: what, where, saving a month with its currency, effort, risk, whether it can be undone, who decides. Order: waste that nobody uses, then resizing, then commitments. Give the sum of what does not overlap. Nothing is changed by this; ask before you call update_recommendation to mark one as in_progress or snooze it.`;
  },
};
