import { addDays, type Day } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';

/** Days without an instance after which nobody seems to come back for it. */
const idleDays = 7;

/** A volume that no instance holds costs as much as one that is used. Catalogue 1. */
export const ebsUnattached: Detector = {
  type: 'aws_ebs_unattached',
  summary: 'Unattached EBS volume',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const { state, stateSince, attachedTo } = subject.metadata;
    const isUnattached = state === 'available' || (state === undefined && attachedTo === null);
    const since = (stateSince ?? subject.firstSeen).slice(0, 10) as Day;
    const usage = usageOf(subject, /^EBS:Volume/);
    if (!isUnattached || usage.length === 0 || since > addDays(window.end, -idleDays)) return null;
    const id = shortId(subject.nativeId);
    return {
      title: `Delete the unattached volume ${subject.name}`,
      description:
        'This EBS volume is not attached to an instance but is still billed in full. If you may need its data, ' +
        'take a snapshot first; a snapshot costs about half as much per GiB.',
      savings: wholeOf(usage, window),
      // Without the day of its state it may have been let go of yesterday.
      confidence: stateSince === undefined ? 'medium' : 'high',
      // The snapshot has a cost of its own.
      method: 'upper_bound',
      evidence: { state: state ?? 'available', unattached_since: stateSince ?? null },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Take a snapshot, wait for it, then delete the volume',
          script: [
            sh`snapshot=$(aws ec2 create-snapshot --region=${subject.region} --volume-id=${id} --query=SnapshotId --output=text) &&`,
            sh`aws ec2 wait snapshot-completed --region=${subject.region} --snapshot-ids "$snapshot" &&`,
            sh`aws ec2 delete-volume --region=${subject.region} --volume-id=${id}`,
          ].join('\n'),
          reversible: true,
        },
      ],
    };
  },
};
