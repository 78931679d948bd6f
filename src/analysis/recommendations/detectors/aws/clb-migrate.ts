import type { Detector } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { onDemandOf, shortId } from '../../subject.ts';
import { isClassic } from './elb-idle.ts';

/** 0.0225 of 0.025 an hour in us-east-1 (Elastic Load Balancing price page). Both kinds have one usage type, so that the price
 *  of the one cannot be told from the other's. */
const factor = 10;

/** Load balancers of the first kind cost more by the hour and are not developed any further. Catalogue 21. */
export const clbMigrate: Detector = {
  type: 'aws_clb_migrate',
  summary: 'Classic Load Balancer that could be an Application or Network Load Balancer',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = onDemandOf(subject, /^LoadBalancerUsage/);
    if (!isClassic(subject) || usage.length === 0) return null;
    return {
      title: `Replace the Classic Load Balancer ${subject.name}`,
      description:
        'An Application or Network Load Balancer costs less per hour. Its traffic charges (capacity units) depend ' +
        'on connections and rules: compare them with what this one charges per GB.',
      savings: shareOf(usage, factor, window),
      confidence: 'low',
      method: 'factor',
      evidence: { kind: 'classic' },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Show its listeners, targets and health check, to set up the new one',
          script: sh`aws elb describe-load-balancers --region=${subject.region} --load-balancer-names=${shortId(subject.nativeId)}`,
          reversible: true,
        },
      ],
    };
  },
};
