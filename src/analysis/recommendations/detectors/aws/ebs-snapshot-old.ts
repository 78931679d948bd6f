import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { isLeftOver, snapshotOf } from './snapshot.ts';

const leastAge = 365;

/** A year after its volume went, nobody restores a snapshot. Catalogue 5. */
export const ebsSnapshotOld: Detector = {
  type: 'aws_ebs_snapshot_old',
  summary: 'EBS snapshot older than a year whose volume no longer exists',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const snapshot = snapshotOf(subject, window);
    if (snapshot === null || snapshot.ageDays < leastAge || !isLeftOver(subject)) return null;
    return {
      title: `Delete the old snapshot ${subject.name}`,
      description:
        'This snapshot is older than a year, its volume no longer exists, and no machine image uses it. Snapshots ' +
        'share blocks: if a later snapshot of the same volume is kept, deleting this one saves less than it ' +
        'costs. Check your retention requirements first.',
      savings: wholeOf(snapshot.usage, window),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { age_days: snapshot.ageDays, source_exists: false, image_count: 0 },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Delete the snapshot',
          script: sh`aws ec2 delete-snapshot --region=${subject.region} --snapshot-id=${snapshot.id}`,
          reversible: false,
        },
      ],
    };
  },
};
