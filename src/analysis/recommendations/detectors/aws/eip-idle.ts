import { numberOf } from '../../figures.ts';
import { sh } from '../../script.ts';
import { recentQuantityOf, shortId } from '../../subject.ts';
import { idleDetector } from './idle.ts';

const idleAddress = /^(PublicIPv4:IdleAddress|ElasticIP:IdleAddress)/;
/** Of the 336 hours of 14 days, less two days that are not billed yet or were spent on a move. */
const idleHours = 288;

/** AWS bills an address under these meters while nothing uses it. Catalogue 15. */
export const eipIdle = idleDetector({
  type: 'aws_eip_idle',
  summary: 'Unused Elastic IP address',
  meters: idleAddress,
  isIdle(subject) {
    // An address that is in use by now has idle hours in the window all the same.
    const isInUse = subject.metadata.attachedTo || recentQuantityOf(subject, /:InUseAddress/) > 0n;
    const hours = numberOf(recentQuantityOf(subject, idleAddress));
    return isInUse || hours < idleHours ? null : { attached_to: null, idle_hours_last_14_days: hours };
  },
  act: 'Release the idle IP address',
  why:
    'This address is not in use but is billed per hour. A released address cannot be recovered: check DNS ' +
    'records and partner allow lists first.',
  command({ region, nativeId }) {
    const id = shortId(nativeId);
    return id.startsWith('eipalloc-') ? sh`aws ec2 release-address --region=${region} --allocation-id=${id}` : null;
  },
});
