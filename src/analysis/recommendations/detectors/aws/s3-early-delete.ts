import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';

/** Objects deleted before the least time of their class are billed to its end. Catalogue 25. */
export const s3EarlyDelete: Detector = {
  type: 'aws_s3_early_delete',
  summary: 'S3 bucket billed for objects deleted before their minimum storage duration',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^EarlyDelete-/);
    if (usage.length === 0) return null;
    return {
      title: `Keep objects of ${subject.name} in Standard until they are deleted`,
      description:
        'Objects of this bucket move to a colder class and are deleted before its minimum storage duration of 30, ' +
        '90 or 180 days ends; the remaining days are billed. Move them later, or not at all.',
      savings: wholeOf(usage, window),
      confidence: 'medium',
      method: 'upper_bound',
      evidence: { meters: [...new Set(usage.map(({ meter }) => meter))] },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Show the lifecycle rules',
          script: sh`aws s3api get-bucket-lifecycle-configuration --bucket=${shortId(subject.nativeId)}`,
          reversible: true,
        },
      ],
    };
  },
};
