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
      title: `Add a lifecycle policy to the repository ${subject.name}`,
      description:
        'Nothing deletes old images from this repository, so every build adds to its storage. A policy can delete ' +
        'untagged images after 14 days; the bill does not show how much that saves.',
      savings: shareOf(usage, 50, window),
      confidence: 'low',
      method: 'factor',
      evidence: { has_lifecycle_policy: false },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Delete untagged images after 14 days',
          script: sh`aws ecr put-lifecycle-policy --region=${subject.region} --repository-name=${name} --lifecycle-policy-text=${rules}`,
          reversible: false,
        },
      ],
    };
  },
};
