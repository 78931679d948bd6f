import type { Detector } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import { fargateOf } from './fargate.ts';

/** Fargate on x86: `Fargate-vCPU-Hours:perCPU` and `Fargate-GB-Hours`, without `ARM`, `Windows` or `SpotUsage`. */
const x86 = /^Fargate-(vCPU|GB)-Hours(?!.*(ARM|Windows))/;

/** A vCPU and a GB cost 20 % less on arm64 (aws.amazon.com/fargate/pricing). Catalogue 37. */
export const fargateArm: Detector = {
  type: 'aws_fargate_arm',
  summary: 'Fargate tasks on x86',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = fargateOf(subject, x86);
    if (usage.length === 0) return null;
    return {
      title: `Run the tasks of ${subject.name} on arm64`,
      description:
        'The same vCPUs and memory cost a fifth less on arm64. Build the image for both architectures and set ' +
        'runtimePlatform.cpuArchitecture to ARM64 in the task definition.',
      savings: shareOf(usage, 20, window),
      confidence: 'medium',
      method: 'factor',
      evidence: { meters: usage.map(({ meter }) => meter) },
      scripts: () => [],
    };
  },
};
