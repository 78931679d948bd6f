import { numberOf, per, times } from '../../figures.ts';
import type { Detector } from '../../detector.ts';
import { spread } from '../../savings.ts';
import { sh } from '../../script.ts';
import { monthlyCost, quantityOf, shortId, usageOf } from '../../subject.ts';

/** Concurrency kept ready of which less than half is used. Catalogue 36. */
export const lambdaProvisionedUnused: Detector = {
  type: 'aws_lambda_provisioned_unused',
  summary: 'Lambda function that uses less than half of its provisioned concurrency',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^Lambda-Provisioned-Concurrency/);
    const ready = quantityOf(subject, /^Lambda-Provisioned-Concurrency/);
    const used = quantityOf(subject, /^Lambda-Provisioned-GB-Second/);
    if (usage.length === 0 || ready <= 0n || used * 2n >= ready) return null;
    const cost = monthlyCost(usage, window);
    const share = per(used, ready);
    return {
      title: `Provision less concurrency for ${subject.name}`,
      description:
        'Less than half of the provisioned concurrency of this function is used. Provision only what its busiest ' +
        'hours need, on a schedule if those hours are known.',
      savings: spread(usage, cost - times(cost, share)),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { used_percent: Math.round(numberOf(share) * 10_000) / 100 },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Show the provisioned concurrency',
          script: sh`aws lambda list-provisioned-concurrency-configs --region=${subject.region} --function-name=${shortId(subject.nativeId)}`,
          reversible: true,
        },
      ],
    };
  },
};
