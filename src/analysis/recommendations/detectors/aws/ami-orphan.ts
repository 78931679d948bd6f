import { addDays } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';
import { isKept } from './snapshot.ts';

/** Days that an image may wait for its first instance. */
const unusedDays = 90;

/** The snapshots of an image that no instance, scaling group or launch template uses. Catalogue 7. */
export const amiOrphan: Detector = {
  type: 'aws_ami_orphan',
  summary: 'Snapshot of an unused machine image',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^EBS:SnapshotUsage/);
    const { imageIds = [], usedByCount, createdAt } = subject.metadata;
    const since = (createdAt ?? subject.firstSeen).slice(0, 10);
    if (usage.length === 0 || isKept(subject) || imageIds.length === 0 || usedByCount !== 0) return null;
    if (since > addDays(window.end, -unusedDays)) return null;
    return {
      title: `Deregister the unused image of snapshot ${subject.name}`,
      description:
        'No instance, Auto Scaling group or launch template uses the machine images made from this snapshot. ' +
        'Deregister them, then delete the snapshot.',
      savings: wholeOf(usage, window),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { image_ids: imageIds, used_by: 0, billed_since: since },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Deregister the images, then delete the snapshot',
          script: [
            ...imageIds.map(
              (image) => sh`aws ec2 deregister-image --region=${subject.region} --image-id=${shortId(image)} &&`,
            ),
            sh`aws ec2 delete-snapshot --region=${subject.region} --snapshot-id=${shortId(subject.nativeId)}`,
          ].join('\n'),
          reversible: false,
        },
      ],
    };
  },
};
