import type { Detector } from '../../detector.ts';
import { nonProductionTag } from '../../environment.ts';
import { shareOf } from '../../savings.ts';
import { fargateOf } from './fargate.ts';

/** Spare capacity costs up to 70 % less (aws.amazon.com/fargate/pricing); a task may be ended with two minutes' notice.
 *  Catalogue 38. */
export const fargateSpot: Detector = {
  type: 'aws_fargate_spot',
  summary: 'Non-production Fargate tasks that do not use Fargate Spot',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const environment = nonProductionTag(subject);
    const usage = fargateOf(subject, /^Fargate-(vCPU|GB)-Hours(?!.*Windows)/);
    if (environment === null || usage.length === 0) return null;
    return {
      title: `Run the tasks of ${subject.name} on Fargate Spot`,
      description:
        'A tag says that these tasks are not in production. On Fargate Spot they cost up to 70% less, and can be ' +
        'interrupted with a two-minute notice. Use the capacity provider FARGATE_SPOT for the service.',
      savings: shareOf(usage, 70, window),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { environment },
      scripts: () => [],
    };
  },
};
