import { describe, expect, it } from 'vitest';
import { fargateSpot } from '../../../../../src/analysis/recommendations/detectors/aws/fargate-spot.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_fargate_spot;

describe('aws_fargate_spot', () => {
  it('estimates at most 70 % of the cost', () => {
    // 30 in 30 days are 30.4375 per month; 70 % of that is 21.30625.
    expect(find(fargateSpot, { subject })).toMatchObject({
      saving: 21.30625,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips EKS pods, which do not support Fargate Spot', () => {
    const usage = subject.usage.map((each) => ({ ...each, service: 'Amazon Elastic Kubernetes Service' }));
    expect(find(fargateSpot, { subject: { ...subject, usage } })).toBeNull();
  });

  it('skips production, untagged tasks, and tasks already on spot', () => {
    expect(find(fargateSpot, { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    expect(find(fargateSpot, { subject: { ...subject, tags: {} } })).toBeNull();
    const usage = [aUsage({ meter: 'SpotUsage-Fargate-GB-Hours' })];
    expect(find(fargateSpot, { subject: { ...subject, usage } })).toBeNull();
  });
});
