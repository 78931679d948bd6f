import { z } from 'zod';
import * as shapes from '../../../schema/rest.ts';
import { costFilters, idInput, pageInput, several } from '../input.ts';
import { hint, joined, listAnswer, listOf, pageOf, provisionalHint, sumOf } from '../output.ts';
import { fit, trimRow } from '../fit.ts';
import { defineTool } from './tool.ts';
import { apiPath } from '../api/client.ts';
import { addDays, dayOf, instantOf, parseDay } from '../../kit/time/period.ts';
import { BadArguments } from '../api/failure.ts';

// Shared by the recommendation tools.

type Status = z.output<typeof shapes.RecommendationStatus>;

/** Default statuses: savings that can still be realized. */
const pending: readonly Status[] = ['open', 'in_progress'];

const recommendationId = idInput.describe('Id from list_recommendations');

/** Recommendation filters. */
const recommendationFilters = {
  status: z.array(shapes.RecommendationStatus).min(1).optional().describe('Default open, in_progress'),
  type: several.describe('From get_recommendations_summary'),
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  include_snoozed: z.boolean().optional(),
};

/** A recommendation without its evidence. */
const recommendation = shapes.Recommendation.omit({
  converted: true,
  evidence: true,
  updated_at: true,
  assignee_id: true,
  note: true,
});

/** Status and savings of a recommendation. */
const standing = recommendation.omit({
  description: true,
  confidence: true,
  provider: true,
  account_id: true,
  resource: true,
  created_at: true,
});

const row = recommendation.omit({ status_changed_at: true });

const nothing =
  'No matching recommendation: use fewer filters, set include_snoozed, or add applied and archived to ' +
  'status; list_accounts shows which days have data';

/** Lists savings recommendations. */
export const listRecommendations = defineTool({
  name: 'list_recommendations',
  title: 'List savings recommendations',
  description:
    'Waste (idle, unattached, oversized or outdated resources) and other savings, largest first. For totals ' +
    'use get_recommendations_summary, for scripts and evidence get_recommendation, for commitments ' +
    'get_commitment_plan.',
  effect: 'read',
  input: z.strictObject({
    ...recommendationFilters,
    min_savings: z.number().min(0).optional().describe("Per month, in the organization's currency"),
    sort_by: z
      .enum(['-estimated_monthly_savings', '-created_at', '-status_changed_at', '-realized_monthly_savings'])
      .optional()
      .describe('Default -estimated_monthly_savings: largest first'),
    ...pageInput,
  }),
  output: z.object(listOf(row)),
  async run({ api }, args) {
    const query = { sort_by: '-estimated_monthly_savings', ...args, status: args.status ?? pending };
    return listAnswer(await api.get('/recommendations', query, pageOf(row)), nothing);
  },
});

const details = shapes.RecommendationDetails.omit({ converted: true, updated_at: true, assignee_id: true, note: true });

/** Maximum total characters of scripts, leaving room for the rest. */
const mostOfScripts = 40_000;

/** One recommendation with all details. */
export const getRecommendation = defineTool({
  name: 'get_recommendation',
  title: 'Explain a recommendation',
  description:
    'One savings recommendation with the evidence behind its amount and the scripts (CLI, Terraform) that ' +
    'carry it out; nothing is executed.',
  effect: 'read',
  input: z.strictObject({ recommendation_id: recommendationId }),
  output: z.object({
    ...details.shape,
    scripts_left_out: z.number().describe('Too long to show'),
    truncated: z.boolean().optional(),
  }),
  async run({ api }, { recommendation_id: id }) {
    const { remediation_scripts: all, ...rest } = await api.get(apiPath`/recommendations/${id}`, {}, details);
    const scripts = whole(all);
    return {
      ...fit((limits) => ({ ...trimRow(rest, limits), remediation_scripts: scripts })),
      scripts_left_out: all.length - scripts.length,
    };
  },
});

/** A truncated script is worse than none, because it may be run. */
function whole<Script extends { readonly script: string }>(scripts: readonly Script[]): Script[] {
  let left = mostOfScripts;
  return scripts.filter((each) => {
    const length = JSON.stringify(each).length;
    if (length > left) return false;
    left -= length;
    return true;
  });
}

/** Summarizes potential savings. */
export const getRecommendationsSummary = defineTool({
  name: 'get_recommendations_summary',
  title: 'Summarize savings recommendations',
  description:
    'Potential savings per month, in total, by type and by status. For single recommendations use list_recommendations.',
  effect: 'read',
  input: z.strictObject({
    ...recommendationFilters,
    limit: z.int().min(1).max(100).optional().describe('Types; default 20'),
  }),
  output: z.object({
    status: z.array(z.string()).describe('Included statuses'),
    ...shapes.RecommendationsSummary.omit({ provisional_rates: true }).shape,
    other_types: shapes.RecommendationTypeSavings.omit({ type: true }).extend({ types: z.int() }).nullable(),
    unconverted: shapes.RecommendationsSummary.shape.unconverted.optional(),
    hint,
  }),
  async run({ api }, { limit = 20, ...query }) {
    const wanted = [...new Set(query.status ?? pending)];
    const {
      by_type: types,
      unconverted: none,
      provisional_rates: rates,
      ...sums
    } = await api.get('/recommendations/summary', { ...query, status: wanted }, shapes.RecommendationsSummary);
    return {
      status: wanted,
      ...sums,
      by_type: types.slice(0, limit),
      other_types: otherOf(types.slice(limit)),
      ...(none.length > 0 && { unconverted: none }),
      ...joined(
        provisionalHint(rates),
        none.length > 0 && 'The unconverted savings are excluded from all amounts: an exchange rate is missing.',
      ),
      ...(sums.total_count === 0 && {
        hint: 'No match: use fewer filters, set include_snoozed, or add applied and archived to status',
      }),
    };
  },
});

function otherOf(rest: readonly z.output<typeof shapes.RecommendationTypeSavings>[]) {
  if (rest.length === 0) return null;
  return {
    types: rest.length,
    count: rest.reduce((so, { count }) => so + count, 0),
    estimated_monthly_savings: sumOf(rest.map((each) => each.estimated_monthly_savings)),
  };
}

const input = z.strictObject({
  recommendation_id: recommendationId,
  status: shapes.RecommendationStatus.optional(),
  reason: z.string().max(500).optional().describe('Reason for the status; empty removes it'),
  snooze_days: z.int().min(1).max(365).optional().describe('Snoozes: hides it from lists for this number of UTC days'),
  snoozed_until: z
    .string()
    .optional()
    .describe('Snoozes until a timestamp, or until the start of a day (UTC), within a year'),
  wake: z.boolean().optional().describe('true ends the snooze'),
});

type Arguments = z.output<typeof input>;

/** Updates the status of a recommendation. */
export const updateRecommendation = defineTool({
  name: 'update_recommendation',
  title: 'Update a recommendation',
  description:
    'Sets the status of a savings recommendation, snoozes it or ends its snooze. Changes nothing in ' +
    'the cloud: applied means carried out, archived means dismissed.',
  effect: 'update',
  input,
  output: z.object({ ...standing.shape }),
  async run({ api, now }, args) {
    const { recommendation_id: id, status: next, reason } = args;
    const change = { status: next, status_reason: reason, ...snoozeOf(args, now) };
    if (Object.values(change).every((value) => value === undefined))
      throw new BadArguments('Nothing to change: set status, reason, snooze_days, snoozed_until or wake');
    return {
      ...(await api.send('PATCH', apiPath`/recommendations/${id}`, change, standing)),
    };
  },
});

/** Converts the snooze arguments for the API, where null ends the snooze. Days are counted from the start of the day, so that
 *  repeating the call changes nothing. */
function snoozeOf({ snooze_days: days, snoozed_until: until, wake }: Arguments, now: Date) {
  const given = Object.entries({ snooze_days: days, snoozed_until: until, wake: wake || undefined })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (given.length > 1) throw new BadArguments(`${given.join(' and ')} contradict each other: use one of them`);
  if (wake === true) return { snoozed_until: null };
  if (days !== undefined) return { snoozed_until: instantOf(addDays(dayOf(now), days)).toISOString() };
  return { snoozed_until: until === undefined ? undefined : readInstant(until) };
}

/** Validates the date separately: `Date.parse` turns 31 February into 3 March. */
function readInstant(text: string): string {
  const time = text.slice('2026-12-31'.length);
  const isWritten = time === '' || /^T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(time);
  const instant = isWritten && parseDay(text.slice(0, '2026-12-31'.length)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant))
    throw new BadArguments(
      `snoozed_until "${text}" is not a valid timestamp: use a date such as 2026-12-31 or a timestamp such as 2026-12-31T08:00:00Z`,
      'snoozed_until',
    );
  return new Date(instant).toISOString();
}
