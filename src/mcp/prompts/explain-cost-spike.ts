import { addDays, dayOf, parseDay, type Day } from '../../kit/period.ts';
import { BadArguments } from '../bad-arguments.ts';
import type { Prompt } from './prompt.ts';
import { accountNames, days, serviceNames } from './suggestions.ts';

/** Why costs jumped, and whether it matters. */
export const explainCostSpike: Prompt = {
  name: 'explain_cost_spike',
  title: 'Explain a cost spike',
  description: 'Finds when costs increased, in which account, service and region, why, and what to do.',
  args: {
    date: {
      description: 'Day of the increase, such as 2026-11-10. Default: search the last 30 days',
      suggest: days,
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

/** Two weeks before show what is usual, one after shows whether it went on. */
function aroundOf(day: Day | null, today: Day): string {
  if (day === null) return 'period last_30_days';
  const [start, end] = [addDays(day, -14), addDays(day, 7)];
  return `start_date ${start} and end_date ${end > today && day <= today ? today : end}`;
}
