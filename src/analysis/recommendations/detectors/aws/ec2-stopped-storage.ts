import { addDays } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';

/** Days after which a stopped instance is not just switched off. */
const stoppedDays = 30;

/** A volume or address that waits for an instance which is stopped. Catalogue 8. */
export const ec2StoppedStorage: Detector = {
  type: 'aws_ec2_stopped_storage',
  summary: 'Volume of an instance that has been stopped for 30 days',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^EBS:Volume/);
    const { attachedTo, attachedToState, attachedToStateSince } = subject.metadata;
    if (usage.length === 0 || attachedToState !== 'stopped' || !attachedTo || attachedToStateSince === undefined)
      return null;
    if (attachedToStateSince.slice(0, 10) > addDays(window.end, -stoppedDays)) return null;
    const id = shortId(subject.nativeId);
    return {
      title: `Replace the volume ${subject.name} of a stopped instance with a snapshot`,
      description:
        'The instance of this volume has been stopped for more than 30 days, but the volume is still billed. Take ' +
        'a snapshot, detach the volume and delete it; a snapshot costs at most about half as much per GiB.',
      savings: wholeOf(usage, window),
      confidence: 'medium',
      method: 'upper_bound',
      evidence: { attached_to: attachedTo, stopped_since: attachedToStateSince },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Take a snapshot, wait for it, then detach and delete the volume',
          script: [
            sh`snapshot=$(aws ec2 create-snapshot --region=${subject.region} --volume-id=${id} --query=SnapshotId --output=text) &&`,
            sh`aws ec2 wait snapshot-completed --region=${subject.region} --snapshot-ids "$snapshot" &&`,
            sh`aws ec2 detach-volume --region=${subject.region} --volume-id=${id} &&`,
            sh`aws ec2 wait volume-available --region=${subject.region} --volume-ids=${id} &&`,
            sh`aws ec2 delete-volume --region=${subject.region} --volume-id=${id}`,
          ].join('\n'),
          reversible: true,
        },
      ],
    };
  },
};
