import { z } from 'zod';
import * as shapes from '../../../schema/rest.ts';
import { costFilters, daysOf, idInput, pageInput, periodInput, several } from '../input.ts';
import { listAnswer, listOf, pageOf, sumOf } from '../output.ts';
import { fit, type Limits, trimRow, trimText } from '../fit.ts';
import { defineTool } from './tool.ts';
import { apiPath } from '../api/client.ts';
import { BadArguments } from '../api/failure.ts';

// Shared by the anomaly tools.

const anomalyId = idInput.describe('Id from list_anomalies');

/** An anomaly without its explanation. */
const anomaly = shapes.Anomaly.omit({
  converted: true,
  status_changed_at: true,
  status_changed_by: true,
  assignee_id: true,
  note: true,
});

const input = z.strictObject({
  ...periodInput,
  period: periodInput.period.describe('Instead of start_date and end_date. Default: about six months'),
  status: z.array(shapes.AnomalyStatus).min(1).optional(),
  severity: z.array(shapes.AnomalySeverity).min(1).optional(),
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  service: several,
  sort_by: z
    .enum(['-start_date', '-impact', '-impact_percent', '-severity'])
    .optional()
    .describe('Default -start_date: newest first'),
  ...pageInput,
});

const nothing = 'No matching anomaly: use fewer filters or a longer period; list_accounts shows which days have data';

/** Lists unusual costs. */
export const listAnomalies = defineTool({
  name: 'list_anomalies',
  title: 'List cost anomalies',
  description:
    'Days on which a service cost more than expected (spikes, steps, leaks, new services). For an explanation ' +
    'use get_anomaly; for ordinary changes between months get_cost_trend.',
  effect: 'read',
  input,
  output: z.object({
    start_date: z.string().nullable(),
    end_date: z.string().nullable(),
    ...listOf(anomaly),
  }),
  async run({ api, now }, { period, start_date: start, end_date: end, ...filters }) {
    const isAsked = [period, start, end].some((given) => given !== undefined);
    const days = isAsked ? daysOf({ period, start_date: start, end_date: end }, now) : null;
    const query = { sort_by: '-start_date', ...filters, ...days };
    const page = await api.get('/anomalies', query, pageOf(anomaly));
    return { ...(days ?? { start_date: null, end_date: null }), ...listAnswer(page, nothing) };
  },
});

const point = shapes.AnomalyDay.omit({ expected_low: true, expected_high: true });

const answered = shapes.AnomalyExplanation.omit({ source: true });
const driverShape = shapes.AnomalyDriver.omit({ key: true }).extend({ share: z.number().describe('%') });
const explanation = answered.extend({ drivers: z.array(driverShape) });

const details = z.object({ ...anomaly.shape, explanation, series: z.array(point) });
const asAnswered = details.extend({ explanation: answered });

/** One anomaly with its explanation. */
export const getAnomaly = defineTool({
  name: 'get_anomaly',
  title: 'Explain an anomaly',
  description:
    'Explains one anomaly: its drivers, likely causes, next steps, and actual compared with expected cost over time.',
  effect: 'read',
  input: z.strictObject({ anomaly_id: anomalyId }),
  output: z.object({
    ...details.shape,
    series_granularity: z.enum(['daily', 'weekly']).describe('weekly: each date starts a week'),
    truncated: z.boolean().optional(),
  }),
  async run({ api }, { anomaly_id: id }) {
    const { explanation: why, series, ...rest } = await api.get(apiPath`/anomalies/${id}`, {}, asAnswered);
    return {
      ...fit((limits) => ({ ...trimRow(rest, limits), explanation: explanationWithin(why, limits) })),
      ...readable(series),
    };
  },
});

function explanationWithin(why: z.output<typeof answered>, limits: Limits): z.output<typeof explanation> {
  const texts = (all: readonly string[]) => all.slice(0, limits.entries).map((each) => trimText(each, limits));
  return {
    summary: trimText(why.summary, limits),
    drivers: why.drivers
      .slice(0, limits.entries)
      // A value of a virtual tag as filters spell it.
      .map(({ key, value, ...driver }) => ({
        ...driver,
        value: trimText(key === null ? value : `${key}:${value}`, limits),
      })),
    likely_causes: texts(why.likely_causes),
    next_steps: texts(why.next_steps),
  };
}

/** A service's cost on a day, or in a week with its first day as the date; null for an unknown day. */
export interface Point {
  readonly date: string;
  readonly cost: number | null;
  readonly expected_cost: number | null;
}

/** Nine weeks: a three-week anomaly and the surrounding days that are kept. */
const mostDays = 63;

const week = 7;

/** Shortens a series for reading: long ones are summed by week, counted from the first day. The last week may be
 *  shorter. */
export function readable(days: readonly Point[]): { series_granularity: 'daily' | 'weekly'; series: Point[] } {
  if (days.length <= mostDays) return { series_granularity: 'daily', series: [...days] };
  const weeks = Array.from({ length: Math.ceil(days.length / week) }, (_, at) =>
    days.slice(at * week, (at + 1) * week),
  );
  return { series_granularity: 'weekly', series: weeks.flatMap(weekOf) };
}

function weekOf(days: readonly Point[]): Point[] {
  const [first] = days;
  if (!first) return [];
  return [
    {
      date: first.date,
      cost: known(days.map(({ cost }) => cost)),
      expected_cost: known(days.map((each) => each.expected_cost)),
    },
  ];
}

function known(money: readonly (number | null)[]): number | null {
  const all = money.filter((one) => one !== null);
  return all.length < money.length ? null : sumOf(all);
}

const standing = shapes.Anomaly.pick({
  id: true,
  service: true,
  start_date: true,
  end_date: true,
  status: true,
  status_reason: true,
  status_changed_at: true,
});

/** Updates the status of an anomaly. */
export const updateAnomaly = defineTool({
  name: 'update_anomaly',
  title: 'Update an anomaly',
  description: 'Acknowledges, resolves or reopens a cost anomaly, or sets the reason. Changes nothing in the cloud.',
  effect: 'update',
  input: z.strictObject({
    anomaly_id: anomalyId,
    status: shapes.AnomalyStatus.optional(),
    reason: z.string().max(500).optional().describe('Reason for the status; empty removes it'),
  }),
  output: z.object({ ...standing.shape }),
  async run({ api }, { anomaly_id: id, status, reason }) {
    if (status === undefined && reason === undefined) throw new BadArguments('Nothing to change: set status or reason');
    return {
      ...(await api.send('PATCH', apiPath`/anomalies/${id}`, { status, status_reason: reason }, standing)),
    };
  },
});
