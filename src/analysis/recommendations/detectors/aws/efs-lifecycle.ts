import type { Detector } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { hasMeter, onDemandOf, shortId } from '../../subject.ts';

/** Of a file system four fifths are read rarely by AWS's own account of it, and a GB of Infrequent Access costs 0.025 where one
 *  of Standard costs 0.30 (aws.amazon.com/efs/pricing): 80 % × (1 − 0.025 / 0.30). */
const saved = 73.3333;

/** A file system that moves nothing to Infrequent Access. Catalogue 26. */
export const efsLifecycle: Detector = {
  type: 'aws_efs_lifecycle',
  summary: 'EFS file system that does not use Infrequent Access',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = onDemandOf(subject, /^TimedStorage-ByteHrs$/).filter(({ service }) =>
      /Elastic File System|EFS/.test(service),
    );
    if (usage.length === 0 || hasMeter(subject, /^IATimedStorage/) || subject.metadata.hasLifecyclePolicy === true)
      return null;
    return {
      title: `Move unread files of ${subject.name} to Infrequent Access`,
      description:
        'All files of this file system are in the Standard class. Lifecycle management moves files that have not ' +
        'been read for 30 days to Infrequent Access, and back when they are read; this is billed per GB.',
      savings: shareOf(usage, saved, window),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { has_infrequent_access: false },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Move files after 30 days, and back on the first read',
          script: sh`aws efs put-lifecycle-configuration --region=${subject.region} --file-system-id=${shortId(subject.nativeId)} --lifecycle-policies=${policies}`,
          reversible: true,
        },
      ],
    };
  },
};

const policies = JSON.stringify([
  { TransitionToIA: 'AFTER_30_DAYS' },
  { TransitionToPrimaryStorageClass: 'AFTER_1_ACCESS' },
]);
