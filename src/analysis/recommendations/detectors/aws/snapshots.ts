import { tagKeyName } from '../../../../kit/tag-key.ts';
import { detectorsOf, irreversible, reversible, type Found } from '../detector.ts';
import { sh } from '../script.ts';
import {
  ageInDays,
  costOf,
  isOlder,
  shareOf,
  shortId,
  usageOf,
  wholeOf,
  type Subject,
  type Window,
} from '../subject.ts';

export const awsSnapshots = detectorsOf('aws', [
  {
    type: 'aws_ebs_snapshot_old',
    summary: 'EBS snapshot older than a year whose volume no longer exists',
    title: ({ name }) => `Delete the old snapshot ${name}`,
    description:
      'This snapshot is older than a year, its volume no longer exists, and no AMI uses it. Snapshots ' +
      'share blocks: if a later snapshot of the same volume is kept, deleting this one saves less than it ' +
      'costs. Check your retention requirements first.',
    confidence: 'low',
    method: 'upper_bound',
    find: (subject, { window }) => findLeftOver(subject, window, { leastAge: 365, percent: 100 }),
    script: irreversible(
      'Delete the snapshot',
      ({ region }, id) => sh`aws ec2 delete-snapshot --region=${region} --snapshot-id=${id}`,
    ),
  },
  {
    // The archive bills at least 90 days, and stores full snapshots: one that shares blocks with later ones would grow.
    type: 'aws_ebs_snapshot_archive',
    summary: 'EBS snapshot older than 90 days that could be archived',
    title: ({ name }) => `Archive the snapshot ${name}`,
    description:
      'The volume of this snapshot no longer exists, and no AMI uses the snapshot. The archive tier ' +
      'costs a quarter as much per GB, but stores all blocks of the volume, bills at least 90 days, and takes ' +
      'up to 3 days to restore.',
    confidence: 'low',
    method: 'upper_bound',
    // 0.0125 instead of 0.05 per GB in us-east-1 (EBS price page).
    find: (subject, { window }) => findLeftOver(subject, window, { leastAge: 90, percent: 75 }),
    script: reversible(
      'Move the snapshot to the archive tier',
      ({ region }, id) =>
        sh`aws ec2 modify-snapshot-tier --region=${region} --snapshot-id=${id} --storage-tier=archive`,
    ),
  },
  {
    type: 'aws_ami_orphan',
    summary: 'Snapshot of an unused AMI',
    title: ({ name }) => `Deregister the unused AMI of snapshot ${name}`,
    description:
      'No instance, Auto Scaling group or launch template uses the AMIs made from this snapshot. ' +
      'Deregister them, then delete the snapshot.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const { imageIds = [], usedByCount, createdAt } = subject.metadata;
      const since = (createdAt ?? subject.firstSeen).slice(0, 10);
      // An image may wait 90 days for its first instance.
      if (isKept(subject) || imageIds.length === 0 || usedByCount !== 0 || !isOlder(since, 90, window)) return null;
      return {
        savings: wholeOf(usageOf(subject, /^EBS:SnapshotUsage/), window),
        evidence: { image_ids: imageIds, used_by: 0, billed_since: since },
      };
    },
    script: irreversible('Deregister the AMIs, then delete the snapshot', ({ region, metadata }, id) =>
      [
        ...(metadata.imageIds ?? []).map(
          (image) => sh`aws ec2 deregister-image --region=${region} --image-id=${shortId(image)} &&`,
        ),
        sh`aws ec2 delete-snapshot --region=${region} --snapshot-id=${id}`,
      ].join('\n'),
    ),
  },
]);

/** Finds a snapshot of a minimum age whose volume no longer exists and that no AMI uses. Archived ones have
 *  another usage type. */
function findLeftOver(
  subject: Subject,
  window: Window,
  { leastAge, percent }: { readonly leastAge: number; readonly percent: number },
): Found | null {
  const { createdAt, sourceExists, imageIds } = subject.metadata;
  const usage = usageOf(subject, /^EBS:SnapshotUsage$/);
  const age = ageInDays(createdAt ?? subject.firstSeen, window);
  const isSnapshot = shortId(subject.nativeId).startsWith('snap-') && costOf(usage) > 0n;
  const isLeftOver = sourceExists === false && imageIds?.length === 0 && !isKept(subject);
  if (!isSnapshot || !isLeftOver || age < leastAge) return null;
  return {
    savings: shareOf(usage, percent, window),
    evidence: { age_days: age, source_exists: false, image_count: 0 },
  };
}

/** Returns whether AWS Backup or a lifecycle policy manages it: these delete it in time, and EC2 refuses to delete AWS
 *  Backup's. */
function isKept({ tags }: Subject): boolean {
  return Object.keys(tags).some((key) => /^aws:(backup|dlm):/.test(tagKeyName(key)));
}
