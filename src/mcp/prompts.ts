import { z } from 'zod';
import type { Caller } from './tools/tool.ts';
import {
  addDays,
  addMonths,
  type Day,
  dayOf,
  firstDay,
  lastDay,
  type Month,
  monthAt,
  parseDay,
  parseMonth,
} from '../kit/time/period.ts';
import { formatMonth } from '../kit/text/format.ts';
import { BadArguments } from './api/failure.ts';

/** A prompt argument: text, which may be omitted or blank. */
export interface PromptArgument {
  readonly description: string;
  /** Suggests values for completion.
   *  @throws {ApiFailure} */
  suggest?(caller: Caller): Promise<readonly string[]>;
}

/** A reusable prompt: users choose it by name, and the model receives the message. */
export interface Prompt {
  /** snake_case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: Readonly<Record<string, PromptArgument>>;
  /** Builds the user message.
   *  @param args the given arguments, none of them blank
   *  @throws {BadArguments} */
  message(args: Readonly<Record<string, string>>, now: Date): string;
}

// Suggestions for prompt arguments.

/** The last twelve months, latest complete one first. */
function pastMonths({ now }: Caller): Promise<string[]> {
  return Promise.resolve(Array.from({ length: 12 }, (_, back) => addMonths(monthAt(now), -1 - back)));
}

/** The last 30 days, latest first. */
function recentDays({ now }: Caller): Promise<string[]> {
  return Promise.resolve(Array.from({ length: 30 }, (_, back) => addDays(dayOf(now), -back)));
}

const services = z.object({ groups: z.array(z.object({ service: z.string() })) });

/** Services of the last 30 days, most expensive first.
 *  @throws {ApiFailure} */
async function serviceNames({ api }: Caller): Promise<string[]> {
  const { groups } = await api.get('/costs/by-service', {}, services);
  return [...new Set(groups.map(({ service }) => service))];
}

const accounts = z.object({ data: z.array(z.object({ name: z.string() })) });

/** Names of connected accounts.
 *  @throws {ApiFailure} */
async function accountNames({ api }: Caller): Promise<string[]> {
  const { data } = await api.get('/accounts', { per_page: 100, sort_by: 'name' }, accounts);
  return data.map(({ name }) => name);
}

/** Reviews a month's costs: what, why, and what to do. */
const monthlyCostReview: Prompt = {
  name: 'monthly_cost_review',
  title: 'Monthly cost review',
  description:
    'Reviews a month of cloud costs: total, change and its drivers, budgets, anomalies and potential savings.',
  args: {
    month: { description: 'Such as 2026-10. Default: the last complete month', suggest: pastMonths },
    account: { description: 'Name of an account. Default: all', suggest: accountNames },
  },
  message: ({ month: text, account }, now) => {
    const month = text === undefined ? addMonths(monthAt(now), -1) : monthIn(text, now);
    const days = `start_date ${firstDay(month)} and end_date ${lastDay(month)}`;
    return `Review our cloud costs for ${formatMonth(month)}${account === undefined ? '' : ` in the account ${JSON.stringify(account)}`} for a monthly FinOps meeting.

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

/** Explains a cost increase and whether it matters. */
const explainCostSpike: Prompt = {
  name: 'explain_cost_spike',
  title: 'Explain a cost spike',
  description: 'Finds when costs increased, in which account, service and region, why, and what to do.',
  args: {
    date: {
      description: 'Day of the increase, such as 2026-11-10. Default: search the last 30 days',
      suggest: recentDays,
    },
    service: { description: 'Name of a service. Default: all', suggest: serviceNames },
    account: { description: 'Name of an account. Default: all', suggest: accountNames },
  },
  message: ({ date, service, account }, now) => {
    const around = aroundOf(date === undefined ? null : dayIn(date), dayOf(now));
    const filters = [
      ...(service === undefined ? [] : [`service [${JSON.stringify(service)}]`]),
      ...(account === undefined ? [] : [`account_id of ${JSON.stringify(account)} (from list_accounts)`]),
    ].join(' and ');
    const narrowed = filters === '' ? '' : `, always with ${filters}`;
    return `Explain why our cloud costs increased${date === undefined ? ' in the last 30 days' : ` around ${date}`}${
      narrowed === ''
        ? ''
        : ` for ${[service, account]
            .filter((name) => name !== undefined)
            .map((name) => JSON.stringify(name))
            .join(' in ')}`
    }.

Work through these tools${narrowed}:
1. list_anomalies with ${around}. If one matches, get_anomaly returns its drivers, likely causes and next steps; that may be the whole answer.
2. get_daily_costs with ${around}, group_by service: find the first day of the increase, and whether it was one day, a step to a new level, or a slow rise. Days after complete_through are incomplete: do not report a decrease there.
3. get_cost_breakdown for the days of the increase with sort_by increase, by account, then region, then service_category: where the increase is. Use one dimension at a time, filtered by the result of the previous one.
4. list_resources for that account, service and region: new or large resources.
5. list_recommendations for that account: whether one of them would reverse the increase.

Then say in a few sentences: since when, how much per day and in total above the days before, where, why (with the evidence and your confidence), what to do next and who can do it. If the cost is amortized or prepaid (cost_metric billed shows purchases), say so. Change nothing.`;
  },
};

function dayIn(text: string): Day {
  const day = parseDay(text);
  if (!day) throw new BadArguments(`date "${text}" is not a valid date: use YYYY-MM-DD`, 'date');
  return day;
}

/** Two weeks before show the usual level, one week after shows whether it continued. */
function aroundOf(day: Day | null, today: Day): string {
  if (day === null) return 'period last_30_days';
  const [start, end] = [addDays(day, -14), addDays(day, 7)];
  return `start_date ${start} and end_date ${end > today && day <= today ? today : end}`;
}

/** Plans savings: waste to remove, resources to resize and commitments to buy. */
const findSavings: Prompt = {
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
1. get_recommendations_summary: potential savings by type.
2. list_recommendations: the largest ones. For the first three get_recommendation: the evidence and the scripts.
3. get_coverage: the coverage and the utilization of commitments. Use existing commitments fully before you propose new ones.
4. get_commitment_plan: commitments for the usage that remains after steps 1 and 2; their savings and those of removing the same usage do not add up.
5. get_cost_breakdown of the last 30 days by service: is a large service missing from the plan? Say so.
6. get_tag_compliance: costs without an owner because the owner tag is missing.

Then write the plan as a table: action, location, saving per month with its currency, effort, risk, reversibility, decision maker. Order: unused resources, then resizing, then commitments. Give the sum of the savings that do not overlap. Change nothing; ask before you call update_recommendation to mark one as in_progress or snooze it.`;
  },
};

/** Lists the budgets that are or will be exceeded. */
const checkBudgets: Prompt = {
  name: 'check_budgets',
  title: 'Check the budgets',
  description: 'Lists budgets that are or will be exceeded, with reasons and possible actions.',
  args: {},
  message: () => `Will we stay within our budgets?

1. list_budgets: spend, forecast and thresholds reached. Note complete_through: spend of later days is not included yet.
2. For each budget that is exceeded, or whose forecast is above its amount: get_cost_breakdown of its period (this_month, this_quarter or year_to_date) with sort_by increase and its scope as filters: the largest costs and increases.
3. get_forecast: the projected spend of the whole organization for this month and the next.
4. list_recommendations and list_anomalies for the accounts concerned: potential savings before the period ends, and temporary spikes.

Then list the budgets, those at risk first: amount, spend, forecast, drivers, actions. If there is no budget, propose amounts from get_cost_trend and ask before you call create_budget.`,
};

/** All prompts, in the order clients show them. */
export const prompts: readonly Prompt[] = [monthlyCostReview, explainCostSpike, findSavings, checkBudgets];
