import { describe, expect, it } from 'vitest';
import { eksExtendedSupport } from '../../../../../src/analysis/recommendations/detectors/aws/eks-extended-support.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_eks_extended_support;

describe('aws_eks_extended_support', () => {
  it('saves five sixths of the cost of the hours', () => {
    // 432 in 30 days are 438.30 per month; 83.3333 % of that is 365.249854.
    expect(find(eksExtendedSupport, { subject })).toMatchObject({
      saving: 365.249854,
      confidence: 'high',
      method: 'factor',
    });
  });

  it('uses the price that the account pays for a supported cluster', () => {
    // 0.60 vs. 0.09 per hour: 720 * 0.51 = 367.20 in 30 days, 372.555 per month.
    const context = aContext({ 'AmazonEKS-Hours:perCluster': '0.09' });
    expect(find(eksExtendedSupport, { subject, context })).toMatchObject({ saving: 372.555, method: 'observed' });
  });

  it('saves the full surcharge where the bill lists it separately from the cluster hours', () => {
    // 0.50 on top of 0.10 per hour: 360 in 30 days, 365.25 per month.
    const usage = [
      aUsage({ meter: 'AmazonEKS-Hours:extendedSupport', quantity: '720', cost: '360' }),
      aUsage({ meter: 'AmazonEKS-Hours:perCluster', quantity: '720', cost: '72' }),
    ];
    expect(find(eksExtendedSupport, { subject: { ...subject, usage } })?.saving).toBe(365.25);
    const [extended, other] = usage;
    const upgraded = extended && other ? [extended, { ...other, quantity: other.quantity / 2n }] : [];
    // 5/6 of 365.25.
    expect(find(eksExtendedSupport, { subject: { ...subject, usage: upgraded } })?.saving).toBe(304.374878);
  });

  it('skips a cluster in standard support', () => {
    const usage = [aUsage({ meter: 'AmazonEKS-Hours:perCluster' })];
    expect(find(eksExtendedSupport, { subject: { ...subject, usage } })).toBeNull();
  });
});
