import { amountOf, numberOf } from '../../figures.ts';
import { sh } from '../../script.ts';
import { hasMeter, recentQuantityOf, shortId } from '../../subject.ts';
import { idleDetector } from './idle.ts';

/** GB in 14 days below which nobody reads through it. */
const quiet = amountOf('0.1');

/** An interface endpoint billed by the hour that nothing passes. Catalogue 19. */
export const vpceIdle = idleDetector({
  type: 'aws_vpce_idle',
  summary: 'VPC endpoint with almost no traffic',
  meters: /^VpcEndpoint-/,
  isIdle(subject) {
    const bytes = recentQuantityOf(subject, /^VpcEndpoint-Bytes/);
    if (!hasMeter(subject, /^VpcEndpoint-Hours/) || bytes >= quiet) return null;
    return { gigabytes_last_14_days: numberOf(bytes) };
  },
  act: 'Delete the idle VPC endpoint',
  why:
    'Almost no traffic passed through this endpoint in 14 days, but it is billed per hour in each of its ' +
    'Availability Zones.',
  command: ({ region, nativeId }) =>
    sh`aws ec2 delete-vpc-endpoints --region=${region} --vpc-endpoint-ids=${shortId(nativeId)}`,
});
