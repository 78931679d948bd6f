import { z } from 'zod';
import { apiPath } from '../../api/api.ts';
import { fit, trimRow } from '../../fit.ts';
import { asOf } from '../../output.ts';
import { defineTool } from '../tool.ts';
import { recommendation, recommendationId } from './recommendation.ts';

const script = z.object({ kind: z.string(), title: z.string(), script: z.string(), reversible: z.boolean() });

const details = z.object({
  ...recommendation.shape,
  evidence: z.record(z.string(), z.unknown()),
  remediation_scripts: z.array(script),
});

/** What scripts may have together, in characters: beside them there is room for the rest. */
const mostOfScripts = 40_000;

/** One recommendation with everything known of it. */
export const getRecommendation = defineTool({
  name: 'get_recommendation',
  title: 'Explain a recommendation',
  description:
    'One savings recommendation with the evidence behind its amount and the scripts (CLI, Terraform) that ' +
    'carry it out; nothing is executed.',
  effect: 'read',
  input: z.strictObject({ recommendation_id: recommendationId }),
  output: z.object({
    as_of: asOf,
    ...details.shape,
    scripts_left_out: z.number().describe('Too long to show'),
    truncated: z.boolean().optional(),
  }),
  async run({ api, now }, { recommendation_id: id }) {
    const { remediation_scripts: all, ...rest } = await api.get(apiPath`/recommendations/${id}`, {}, details);
    const scripts = whole(all);
    return {
      as_of: now.toISOString(),
      ...fit((limits) => ({ ...trimRow(rest, limits), remediation_scripts: scripts })),
      scripts_left_out: all.length - scripts.length,
    };
  },
});

/** Half a script is worse than none: it may be run. */
function whole<Script extends { readonly script: string }>(scripts: readonly Script[]): Script[] {
  let left = mostOfScripts;
  return scripts.filter((each) => {
    const length = JSON.stringify(each).length;
    if (length > left) return false;
    left -= length;
    return true;
  });
}
