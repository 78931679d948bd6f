import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_unlimited_credits;

describe('aws_ec2_unlimited_credits', () => {
  it('saves the credits, not the instance', () => {
    // 6 in 30 days are 6.0875 a month.
    expect(find('aws_ec2_unlimited_credits', { subject })).toMatchObject({ saving: 6.0875, confidence: 'medium' });
  });

  it('leaves peaks of less than 14 days, and instances without credits', () => {
    const usage = [aUsage({ meter: 'CPUCredits:t3', days: 13 })];
    expect(find('aws_ec2_unlimited_credits', { subject: { ...subject, usage } })).toBeNull();
    expect(find('aws_ec2_unlimited_credits', { subject: { ...subject, usage: subject.usage.slice(0, 1) } })).toBeNull();
  });
});
