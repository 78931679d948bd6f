import { numberOf } from '../../figures.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';

/** Days of the window after which it is no burst any more. */
const burstDays = 14;

/** Surplus credits of a burstable instance that is busy day after day. Catalogue 14. */
export const ec2UnlimitedCredits: Detector = {
  type: 'aws_ec2_unlimited_credits',
  summary: 'Burstable instance that is billed for surplus credits every day',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^CPUCredits:/);
    const days = Math.max(0, ...usage.map((each) => each.days));
    if (days < burstDays || !shortId(subject.nativeId).startsWith('i-')) return null;
    return {
      title: `Stop the surplus CPU credit charges of ${subject.name}`,
      description:
        'This burstable instance uses more CPU than its size earns credits for, and the surplus is billed. With ' +
        'standard credits it is throttled instead. If it needs the CPU, a larger size or a non-burstable family ' +
        'costs less than the surplus.',
      savings: wholeOf(usage, window),
      confidence: 'medium',
      method: 'upper_bound',
      evidence: {
        days_with_surplus: days,
        surplus_vcpu_hours: numberOf(usage.reduce((sum, each) => sum + each.quantity, 0n)),
      },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Use standard credits',
          script: sh`aws ec2 modify-instance-credit-specification --region=${subject.region} --instance-credit-specifications=${JSON.stringify([{ InstanceId: shortId(subject.nativeId), CpuCredits: 'standard' }])}`,
          reversible: true,
        },
      ],
    };
  },
};
