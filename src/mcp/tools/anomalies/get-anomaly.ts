import { z } from 'zod';
import { apiPath } from '../../api/api.ts';
import { fit, trimRow, trimText, type Limits } from '../../fit.ts';
import { asOf } from '../../output.ts';
import { defineTool } from '../tool.ts';
import { anomaly, anomalyId } from './anomaly.ts';
import { readable } from './series.ts';

const point = z.object({ date: z.string(), cost: z.number().nullable(), expected_cost: z.number().nullable() });

const explanation = z.object({
  summary: z.string(),
  drivers: z.array(
    z.object({
      dimension: z.string(),
      value: z.string(),
      change: z.number(),
      share: z.number().describe('%'),
    }),
  ),
  likely_causes: z.array(z.string()),
  next_steps: z.array(z.string()),
});

const details = z.object({ ...anomaly.shape, explanation, series: z.array(point) });

/** One anomaly with why. */
export const getAnomaly = defineTool({
  name: 'get_anomaly',
  title: 'Explain an anomaly',
  description:
    'Explains one anomaly: its drivers (region, account, resource, usage type), likely causes, next steps, ' +
    'and actual compared with expected cost over time.',
  effect: 'read',
  input: z.strictObject({ anomaly_id: anomalyId }),
  output: z.object({
    as_of: asOf,
    ...details.shape,
    series_granularity: z.enum(['daily', 'weekly']).describe('weekly: each date starts a week'),
    truncated: z.boolean().optional(),
  }),
  async run({ api, now }, { anomaly_id: id }) {
    const { explanation: why, series, ...rest } = await api.get(apiPath`/anomalies/${id}`, {}, details);
    return {
      as_of: now.toISOString(),
      ...fit((limits) => ({ ...trimRow(rest, limits), explanation: explanationWithin(why, limits) })),
      ...readable(series),
    };
  },
});

function explanationWithin(why: z.output<typeof explanation>, limits: Limits): typeof why {
  const texts = (all: readonly string[]) => all.slice(0, limits.entries).map((each) => trimText(each, limits));
  return {
    summary: trimText(why.summary, limits),
    drivers: why.drivers
      .slice(0, limits.entries)
      .map((driver) => ({ ...driver, value: trimText(driver.value, limits) })),
    likely_causes: texts(why.likely_causes),
    next_steps: texts(why.next_steps),
  };
}
