import { addDays } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';

/** Days after which nobody has come back for a snapshot of something that is gone. */
const oldDays = 365;

/** A snapshot of a volume that is gone, of which no image is made. Catalogue 5. */
export const ebsSnapshotOld: Detector = {
  type: 'aws_ebs_snapshot_old',
  summary: 'EBS snapshot older than a year whose volume is gone',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^EBS:SnapshotUsage/);
    const { sourceExists, imageIds, createdAt } = subject.metadata;
    const since = (createdAt ?? subject.firstSeen).slice(0, 10);
    if (usage.length === 0 || sourceExists !== false || (imageIds?.length ?? 0) > 0) return null;
    if (since > addDays(window.end, -oldDays)) return null;
    return {
      title: `Delete the old snapshot ${subject.name}`,
      description:
        'The volume that this snapshot was taken of is gone, and no image is made of it. Snapshots share blocks, so that deleting ' +
        'one may free less than it is billed for. Look into what must be kept first.',
      savings: wholeOf(usage, window),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { billed_since: since, source_exists: false },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Delete the snapshot',
          script: sh`aws ec2 delete-snapshot --region=${subject.region} --snapshot-id=${shortId(subject.nativeId)}`,
          reversible: false,
        },
      ],
    };
  },
};
