import { describe, expect, it } from 'vitest';
import { fargateArm } from '../../../../../src/analysis/recommendations/detectors/aws/fargate-arm.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_fargate_arm;

describe('aws_fargate_arm', () => {
  const billed = (meter: string) => find(fargateArm, { subject: { ...subject, usage: [aUsage({ meter })] } });

  it('saves a fifth of the cost of CPU and memory', () => {
    // 30 in 30 days are 30.4375 per month; 20 % of that is 6.0875.
    const usage = [...subject.usage, aUsage({ meter: 'Fargate-EphemeralStorage-GB-Hours', cost: '50' })];
    expect(find(fargateArm, { subject: { ...subject, usage } })).toMatchObject({
      saving: 6.0875,
      confidence: 'medium',
    });
  });

  it('skips EKS pods, which run on x86 only', () => {
    const service = 'Amazon Elastic Kubernetes Service';
    const nativeId = 'arn:aws:eks:eu-west-1:111111111111:fargatepod/main/default/api/0a1';
    expect(find(fargateArm, { subject: { ...subject, nativeId } })).toBeNull();
    const usage = subject.usage.map((each) => ({ ...each, service }));
    expect(find(fargateArm, { subject: { ...subject, usage } })).toBeNull();
  });

  it('skips arm64, Windows and spot', () => {
    expect(billed('Fargate-vCPU-Hours:perCPU')).not.toBeNull();
    expect(billed('Fargate-ARM-vCPU-Hours:perCPU')).toBeNull();
    expect(billed('Fargate-Windows-vCPU-Hours:perCPU')).toBeNull();
    expect(billed('SpotUsage-Fargate-vCPU-Hours:perCPU')).toBeNull();
  });
});
