import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_fargate_spot;

describe('aws_fargate_spot', () => {
  it('saves at most 70 %', () => {
    // 30 in 30 days are 30.4375 a month; 70 % of it are 21.30625.
    expect(find('aws_fargate_spot', { subject })).toMatchObject({
      saving: 21.30625,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('leaves pods of EKS, which run on no spare capacity', () => {
    const usage = subject.usage.map((each) => ({ ...each, service: 'Amazon Elastic Kubernetes Service' }));
    expect(find('aws_fargate_spot', { subject: { ...subject, usage } })).toBeNull();
  });

  it('leaves production, and what is on spot already', () => {
    expect(find('aws_fargate_spot', { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    expect(find('aws_fargate_spot', { subject: { ...subject, tags: {} } })).toBeNull();
    const usage = [aUsage({ meter: 'SpotUsage-Fargate-GB-Hours' })];
    expect(find('aws_fargate_spot', { subject: { ...subject, usage } })).toBeNull();
  });
});
