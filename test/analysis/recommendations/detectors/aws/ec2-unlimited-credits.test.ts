import { describe, expect, it } from 'vitest';
import { ec2UnlimitedCredits } from '../../../../../src/analysis/recommendations/detectors/aws/ec2-unlimited-credits.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_unlimited_credits;

describe('aws_ec2_unlimited_credits', () => {
  it('saves the cost of the credits, not of the instance', () => {
    // 6 in 30 days are 6.0875 per month.
    expect(find(ec2UnlimitedCredits, { subject })).toMatchObject({ saving: 6.0875, confidence: 'medium' });
  });

  it('skips bursts on fewer than 14 days, and instances without credits', () => {
    const usage = [aUsage({ meter: 'CPUCredits:t3', days: 13 })];
    expect(find(ec2UnlimitedCredits, { subject: { ...subject, usage } })).toBeNull();
    expect(find(ec2UnlimitedCredits, { subject: { ...subject, usage: subject.usage.slice(0, 1) } })).toBeNull();
  });
});
