import { sh } from '../../script.ts';
import { shortId } from '../../subject.ts';
import { idleDetector } from './idle.ts';

/** AWS bills an address under these meters while nothing uses it. Catalogue 15. */
export const eipIdle = idleDetector({
  type: 'aws_eip_idle',
  summary: 'Elastic IP address that nothing uses',
  meters: /^(PublicIPv4:IdleAddress|ElasticIP:IdleAddress)/,
  isIdle: ({ metadata }) => (metadata.attachedTo ? null : { attached_to: null }),
  takes: 'a bill',
  act: 'Release the idle IP address',
  why:
    'Nothing uses this address, and it is billed by the hour. Once released it cannot be had back: look into DNS records and ' +
    'allow lists of partners first.',
  command: ({ region, nativeId }) =>
    sh`aws ec2 release-address --region=${region} --allocation-id=${shortId(nativeId)}`,
});
