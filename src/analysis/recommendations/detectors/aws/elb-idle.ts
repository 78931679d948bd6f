import { amountOf, numberOf } from '../../figures.ts';
import { sh } from '../../script.ts';
import { hasMeter, recentQuantityOf, shortId, type Subject } from '../../subject.ts';
import { idleDetector } from './idle.ts';

/** Capacity units or GB in 14 days below which nobody is served: health checks alone are not billed. */
const quiet = amountOf('0.1');

/** Whether a load balancer is of the classic kind, whose ARN names no kind. */
export function isClassic({ nativeId }: Subject): boolean {
  return /:loadbalancer\/(?!(?:app|net|gwy)\/)/.test(nativeId);
}

/** A balancer billed by the hour that balances nothing. Catalogue 20. */
export const elbIdle = idleDetector({
  type: 'aws_elb_idle',
  summary: 'Load balancer without traffic or without targets',
  meters: /^(LoadBalancerUsage|LCUUsage|DataProcessing-Bytes)/,
  isIdle(subject) {
    const traffic = recentQuantityOf(subject, /^(LCUUsage|DataProcessing-Bytes)/);
    const hasNoTargets = subject.metadata.usedByCount === 0;
    if (!hasMeter(subject, /^LoadBalancerUsage/) || (traffic >= quiet && !hasNoTargets)) return null;
    return { traffic_last_14_days: numberOf(traffic), targets: subject.metadata.usedByCount ?? null };
  },
  act: 'Delete the idle load balancer',
  why:
    'This load balancer has served no traffic for 14 days, or has no targets. It is billed per hour. Check ' +
    'for DNS records that point to it first.',
  command: (subject) =>
    isClassic(subject)
      ? sh`aws elb delete-load-balancer --region=${subject.region} --load-balancer-name=${shortId(subject.nativeId)}`
      : sh`aws elbv2 delete-load-balancer --region=${subject.region} --load-balancer-arn=${subject.nativeId}`,
});
