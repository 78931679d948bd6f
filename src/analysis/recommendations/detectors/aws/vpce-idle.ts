import { amountOf, numberOf } from '../../figures.ts';
import { sh } from '../../script.ts';
import { hasMeter, recentQuantityOf, shortId } from '../../subject.ts';
import { idleDetector } from './idle.ts';

/** GB in 14 days below which nobody reads through it. */
const quiet = amountOf('0.1');

/** An interface endpoint billed by the hour that nothing passes. Catalogue 19. */
export const vpceIdle = idleDetector({
  type: 'aws_vpce_idle',
  summary: 'VPC endpoint that next to nothing passes',
  meters: /^VpcEndpoint-/,
  isIdle(subject) {
    const bytes = recentQuantityOf(subject, /^VpcEndpoint-Bytes/);
    if (!hasMeter(subject, /^VpcEndpoint-Hours/) || bytes >= quiet) return null;
    return { gigabytes_last_14_days: numberOf(bytes) };
  },
  act: 'Delete the idle VPC endpoint',
  why: 'Next to nothing passed this endpoint in 14 days, and it is billed by the hour in each zone that it is in.',
  command: ({ region, nativeId }) =>
    sh`aws ec2 delete-vpc-endpoints --region=${region} --vpc-endpoint-ids=${shortId(nativeId)}`,
});
