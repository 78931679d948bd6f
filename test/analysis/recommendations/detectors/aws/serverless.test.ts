import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

describe('aws_lambda_arm', () => {
  const { subject } = awsCases.aws_lambda_arm;

  it('saves a fifth, or the difference to the price that the account pays', () => {
    // 30 in 30 days are 30.4375 per month; 20% of that is 6.0875.
    expect(find('aws_lambda_arm', { subject })).toMatchObject({
      saving: 6.0875,
      confidence: 'medium',
      method: 'factor',
    });
    // 30 - 1000000 * 0.00002 = 10 in 30 days, 10.145833 per month.
    const context = aContext({ 'Lambda-GB-Second-ARM': '0.00002' });
    expect(find('aws_lambda_arm', { subject, context })).toMatchObject({ saving: 10.145833, method: 'observed' });
  });

  it('skips functions on arm64, and usage covered by Savings Plans', () => {
    expect(
      find('aws_lambda_arm', { subject: { ...subject, usage: [aUsage({ meter: 'Lambda-GB-Second-ARM' })] } }),
    ).toBeNull();
    expect(find('aws_lambda_arm', { subject: { ...subject, metadata: { architecture: 'arm64' } } })).toBeNull();
    const usage = [aUsage({ meter: 'Lambda-GB-Second', kind: 'savings_plan' })];
    expect(find('aws_lambda_arm', { subject: { ...subject, usage } })).toBeNull();
  });
});

describe('aws_lambda_provisioned_unused', () => {
  const { subject } = awsCases.aws_lambda_provisioned_unused;

  const used = (quantity: string) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'Lambda-Provisioned-GB-Second', quantity })];
    return find('aws_lambda_provisioned_unused', { subject: { ...subject, usage } });
  };

  it('estimates at most the unused part of the cost', () => {
    // 30 in 30 days are 30.4375 per month; three quarters are unused: 22.828125.
    expect(find('aws_lambda_provisioned_unused', { subject })).toMatchObject({
      saving: 22.828125,
      method: 'upper_bound',
    });
  });

  it('skips functions with 50% or more in use, and functions without provisioned concurrency', () => {
    expect(used('499')).not.toBeNull();
    expect(used('500')).toBeNull();
    const usage = [aUsage({ meter: 'Lambda-GB-Second' })];
    expect(find('aws_lambda_provisioned_unused', { subject: { ...subject, usage } })).toBeNull();
  });
});

describe('aws_fargate_arm', () => {
  const { subject } = awsCases.aws_fargate_arm;

  const billed = (meter: string) => find('aws_fargate_arm', { subject: { ...subject, usage: [aUsage({ meter })] } });

  it('saves a fifth of the cost of CPU and memory', () => {
    // 30 in 30 days are 30.4375 per month; 20% of that is 6.0875.
    const usage = [...subject.usage, aUsage({ meter: 'Fargate-EphemeralStorage-GB-Hours', cost: '50' })];
    expect(find('aws_fargate_arm', { subject: { ...subject, usage } })).toMatchObject({
      saving: 6.0875,
      confidence: 'medium',
    });
  });

  it('skips EKS pods, which run on x86 only', () => {
    const service = 'Amazon Elastic Kubernetes Service';
    const nativeId = 'arn:aws:eks:eu-west-1:111111111111:fargatepod/main/default/api/0a1';
    expect(find('aws_fargate_arm', { subject: { ...subject, nativeId } })).toBeNull();
    const usage = subject.usage.map((each) => ({ ...each, service }));
    expect(find('aws_fargate_arm', { subject: { ...subject, usage } })).toBeNull();
  });

  it('skips arm64, Windows and spot', () => {
    expect(billed('Fargate-vCPU-Hours:perCPU')).not.toBeNull();
    expect(billed('Fargate-ARM-vCPU-Hours:perCPU')).toBeNull();
    expect(billed('Fargate-Windows-vCPU-Hours:perCPU')).toBeNull();
    expect(billed('SpotUsage-Fargate-vCPU-Hours:perCPU')).toBeNull();
  });
});

describe('aws_fargate_spot', () => {
  const { subject } = awsCases.aws_fargate_spot;

  it('estimates at most 70% of the cost', () => {
    // 30 in 30 days are 30.4375 per month; 70% of that is 21.30625.
    expect(find('aws_fargate_spot', { subject })).toMatchObject({
      saving: 21.30625,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips EKS pods, which do not support Fargate Spot', () => {
    const usage = subject.usage.map((each) => ({ ...each, service: 'Amazon Elastic Kubernetes Service' }));
    expect(find('aws_fargate_spot', { subject: { ...subject, usage } })).toBeNull();
  });

  it('skips production, untagged tasks, and tasks already on spot', () => {
    expect(find('aws_fargate_spot', { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    expect(find('aws_fargate_spot', { subject: { ...subject, tags: {} } })).toBeNull();
    const usage = [aUsage({ meter: 'SpotUsage-Fargate-GB-Hours' })];
    expect(find('aws_fargate_spot', { subject: { ...subject, usage } })).toBeNull();
  });
});
