import { z } from 'zod';
import { addDays, dayOf, instantOf, parseDay } from '../../../kit/period.ts';
import { apiPath } from '../../api/api.ts';
import { asOf } from '../../output.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { defineTool } from '../tool.ts';
import { recommendationId, standing, status } from './recommendation.ts';

const input = z.strictObject({
  recommendation_id: recommendationId,
  status: status.optional(),
  reason: z.string().max(500).optional().describe('Reason of the status; empty removes it'),
  snooze_days: z.int().min(1).max(365).optional().describe('Snoozes: hides it from lists for this number of UTC days'),
  snoozed_until: z
    .string()
    .optional()
    .describe('Snoozes until a timestamp, or until the start of a day (UTC), within a year'),
  wake: z.boolean().optional().describe('true ends the snooze'),
});

type Arguments = z.output<typeof input>;

/** Says what became of a recommendation. */
export const updateRecommendation = defineTool({
  name: 'update_recommendation',
  title: 'Update a recommendation',
  description:
    'Sets the status of a savings recommendation, snoozes it or ends its snooze. Changes only its status in ' +
    'Costkeep, nothing in the cloud: applied means carried out, archived means dismissed.',
  effect: 'update',
  input,
  output: z.object({ as_of: asOf, ...standing.shape }),
  async run({ api, now }, args) {
    const { recommendation_id: id, status: next, reason } = args;
    const change = { status: next, status_reason: reason, ...snoozeOf(args, now) };
    if (Object.values(change).every((value) => value === undefined))
      throw new BadArguments('Nothing to change: set status, reason, snooze_days, snoozed_until or wake');
    return {
      as_of: now.toISOString(),
      ...(await api.send('PATCH', apiPath`/recommendations/${id}`, change, standing)),
    };
  },
});

/** The same in the API's words, where null wakes. Days end where one begins, so that saying it again moves nothing. */
function snoozeOf({ snooze_days: days, snoozed_until: until, wake }: Arguments, now: Date) {
  const given = Object.entries({ snooze_days: days, snoozed_until: until, wake: wake || undefined })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (given.length > 1) throw new BadArguments(`${given.join(' and ')} contradict each other: use one of them`);
  if (wake === true) return { snoozed_until: null };
  if (days !== undefined) return { snoozed_until: instantOf(addDays(dayOf(now), days)).toISOString() };
  return { snoozed_until: until === undefined ? undefined : readInstant(until) };
}

/** The date is checked apart: `Date.parse` takes 31 February for 3 March. */
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
