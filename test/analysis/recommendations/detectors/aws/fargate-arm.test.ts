import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_fargate_arm;

describe('aws_fargate_arm', () => {
  const billed = (meter: string) => find('aws_fargate_arm', { subject: { ...subject, usage: [aUsage({ meter })] } });

  it('saves a fifth of processors and memory', () => {
    // 30 in 30 days are 30.4375 a month; 20 % of it are 6.0875.
    const usage = [...subject.usage, aUsage({ meter: 'Fargate-EphemeralStorage-GB-Hours', cost: '50' })];
    expect(find('aws_fargate_arm', { subject: { ...subject, usage } })).toMatchObject({
      saving: 6.0875,
      confidence: 'medium',
    });
  });

  it('leaves pods of EKS, which run on x86 alone', () => {
    const service = 'Amazon Elastic Kubernetes Service';
    const nativeId = 'arn:aws:eks:eu-west-1:111111111111:fargatepod/main/default/api/0a1';
    expect(find('aws_fargate_arm', { subject: { ...subject, nativeId } })).toBeNull();
    const usage = subject.usage.map((each) => ({ ...each, service }));
    expect(find('aws_fargate_arm', { subject: { ...subject, usage } })).toBeNull();
  });

  it('leaves arm64, Windows and spot', () => {
    expect(billed('Fargate-vCPU-Hours:perCPU')).not.toBeNull();
    expect(billed('Fargate-ARM-vCPU-Hours:perCPU')).toBeNull();
    expect(billed('Fargate-Windows-vCPU-Hours:perCPU')).toBeNull();
    expect(billed('SpotUsage-Fargate-vCPU-Hours:perCPU')).toBeNull();
  });
});
