import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { isLeftOver, snapshotOf } from './snapshot.ts';

const leastAge = 365;

/** A year after its volume went, nobody restores a snapshot. Catalogue 5. */
export const ebsSnapshotOld: Detector = {
  type: 'aws_ebs_snapshot_old',
  summary: 'EBS snapshot older than a year whose volume is gone',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const snapshot = snapshotOf(subject, window);
    if (snapshot === null || snapshot.ageDays < leastAge || !isLeftOver(subject)) return null;
    return {
      title: `Delete the old snapshot ${subject.name}`,
      description:
        'Its volume is gone, no machine image is made of it, and it is older than a year. Snapshots share blocks: where a ' +
        'later one of the same volume is kept, less is saved than this one costs. Look into retention duties first.',
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
