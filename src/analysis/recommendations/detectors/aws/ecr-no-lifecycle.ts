import type { Detector } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { usageOf } from '../../subject.ts';

const rules = JSON.stringify({
  rules: [
    {
      rulePriority: 1,
      description: 'Untagged images',
      selection: { tagStatus: 'untagged', countType: 'sinceImagePushed', countUnit: 'days', countNumber: 14 },
      action: { type: 'expire' },
    },
  ],
});

/** Images that nothing ever deletes; half of them is a guess, between little and nearly all. Catalogue 44. */
export const ecrNoLifecycle: Detector = {
  type: 'aws_ecr_no_lifecycle',
  summary: 'ECR repository without a lifecycle policy',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^TimedStorage-ByteHrs/).filter(({ service }) =>
      /Container Registry|ECR/.test(service),
    );
    if (usage.length === 0 || subject.metadata.hasLifecyclePolicy !== false) return null;
    const name = subject.nativeId.replace(/^.*:repository\//, '');
    return {
      title: `Give the repository ${subject.name} a lifecycle policy`,
      description:
        'Nothing deletes old images of this repository, so that each build adds to its storage. A policy deletes those without a tag ' +
        'after 14 days; how much that is cannot be seen on the bill.',
      savings: shareOf(usage, 50, window),
      confidence: 'low',
      method: 'factor',
      evidence: { has_lifecycle_policy: false },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Delete images without a tag after 14 days',
          script: sh`aws ecr put-lifecycle-policy --region=${subject.region} --repository-name=${name} --lifecycle-policy-text=${rules}`,
          reversible: false,
        },
      ],
    };
  },
};
