import type { Detector } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { isLeftOver, snapshotOf } from './snapshot.ts';

/** The archive keeps a snapshot for at least 90 days; one that old is likely to stay as long again. */
const leastAge = 90;
/** 0.0125 of 0.05 a GB in us-east-1 (EBS price page). */
const factor = 75;

/** A snapshot kept for the record can wait a day to be restored. Catalogue 6. */
export const ebsSnapshotArchive: Detector = {
  type: 'aws_ebs_snapshot_archive',
  summary: 'EBS snapshot older than 90 days that could be archived',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const snapshot = snapshotOf(subject, window);
    // The archive holds whole snapshots: one that later ones share blocks with would grow by it.
    if (snapshot === null || snapshot.ageDays < leastAge || !isLeftOver(subject)) return null;
    return {
      title: `Archive the snapshot ${subject.name}`,
      description:
        'The volume of this snapshot no longer exists, and no machine image uses the snapshot. The archive tier ' +
        'costs a quarter as much per GB, but stores all blocks of the volume, bills at least 90 days, and takes ' +
        'up to 3 days to restore.',
      savings: shareOf(snapshot.usage, factor, window),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { age_days: snapshot.ageDays, source_exists: false, image_count: 0 },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Move the snapshot to the archive tier',
          script: sh`aws ec2 modify-snapshot-tier --region=${subject.region} --snapshot-id=${snapshot.id} --storage-tier=archive`,
          reversible: true,
        },
      ],
    };
  },
};
