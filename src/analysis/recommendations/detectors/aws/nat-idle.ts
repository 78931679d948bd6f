import { amountOf, numberOf } from '../../figures.ts';
import { sh } from '../../script.ts';
import { hasMeter, recentQuantityOf, shortId } from '../../subject.ts';
import { idleDetector } from './idle.ts';

/** GB in 14 days below which only keep-alives pass. */
const quiet = amountOf('1');

/** A gateway billed by the hour that nothing passes. Catalogue 17. */
export const natIdle = idleDetector({
  type: 'aws_nat_idle',
  summary: 'NAT gateway with almost no traffic',
  meters: /^NatGateway-/,
  isIdle(subject) {
    const bytes = recentQuantityOf(subject, /^NatGateway-Bytes/);
    if (!hasMeter(subject, /^NatGateway-Hours/) || bytes >= quiet) return null;
    return { gigabytes_last_14_days: numberOf(bytes) };
  },
  act: 'Delete the idle NAT gateway',
  why:
    'Less than a gigabyte passed through this gateway in 14 days, but its hours are still billed. Remove it ' +
    'from the route tables first, and keep its IP address if it is on partner allow lists.',
  command: ({ region, nativeId }) =>
    sh`aws ec2 delete-nat-gateway --region=${region} --nat-gateway-id=${shortId(nativeId)}`,
});
