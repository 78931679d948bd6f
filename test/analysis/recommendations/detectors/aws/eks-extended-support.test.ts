import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_eks_extended_support;

describe('aws_eks_extended_support', () => {
  it('saves five sixths of the hours', () => {
    // 432 in 30 days are 438.30 a month; 83.3333 % of it are 365.249854.
    expect(find('aws_eks_extended_support', { subject })).toMatchObject({
      saving: 365.249854,
      confidence: 'high',
      method: 'factor',
    });
  });

  it('takes the price of a supported cluster that the account pays', () => {
    // 0.60 against 0.09 an hour: 720 * 0.51 = 367.20 in 30 days, 372.555 in a month.
    const context = aContext({ 'AmazonEKS-Hours:perCluster': '0.09' });
    expect(find('aws_eks_extended_support', { subject, context })).toMatchObject({
      saving: 372.555,
      method: 'observed',
    });
  });

  it('saves all of the hours where the bill has those of the cluster beside them', () => {
    // 0.50 on top of 0.10 an hour: 360 in 30 days, 365.25 in a month.
    const usage = [
      aUsage({ meter: 'AmazonEKS-Hours:extendedSupport', quantity: '720', cost: '360' }),
      aUsage({ meter: 'AmazonEKS-Hours:perCluster', quantity: '720', cost: '72' }),
    ];
    expect(find('aws_eks_extended_support', { subject: { ...subject, usage } })?.saving).toBe(365.25);
    const [extended, other] = usage;
    const upgraded = extended && other ? [extended, { ...other, quantity: other.quantity / 2n }] : [];
    // 5 of 6 of 365.25.
    expect(find('aws_eks_extended_support', { subject: { ...subject, usage: upgraded } })?.saving).toBe(304.374878);
  });

  it('leaves a supported cluster', () => {
    const usage = [aUsage({ meter: 'AmazonEKS-Hours:perCluster' })];
    expect(find('aws_eks_extended_support', { subject: { ...subject, usage } })).toBeNull();
  });
});
