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
  summary: 'Classic load balancer that could be an application or network load balancer',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = onDemandOf(subject, /^LoadBalancerUsage/);
    if (!isClassic(subject) || usage.length === 0) return null;
    return {
      title: `Replace the classic load balancer ${subject.name}`,
      description:
        'An application or network load balancer costs less by the hour. What it charges for traffic instead (capacity units) ' +
        'depends on connections and rules: compare it with what this one charges a GB.',
      savings: shareOf(usage, factor, window),
      confidence: 'low',
      method: 'factor',
      evidence: { kind: 'classic' },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Show its listeners, targets and health check, to make the new one from',
          script: sh`aws elb describe-load-balancers --region=${subject.region} --load-balancer-names=${shortId(subject.nativeId)}`,
          reversible: true,
        },
      ],
    };
  },
};
