import { describe, expect, it } from 'vitest';
import { ec2Graviton } from '../../../../../src/analysis/recommendations/detectors/aws/ec2-graviton.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_graviton;

describe('aws_ec2_graviton', () => {
  const billed = (type: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter: `BoxUsage:${type}`, description, cost: '144' })],
  });

  it('saves the list price difference to the recommended type', () => {
    // 144 in 30 days are 146.10 per month: m7g costs 15 % less than m6i and 5 % less than m6a, m6g 19 % less than m5.
    expect(find(ec2Graviton, { subject })).toMatchObject({ saving: 21.915, confidence: 'low', method: 'factor' });
    expect(find(ec2Graviton, { subject: billed('m6a.xlarge') })?.saving).toBe(7.305);
    expect(find(ec2Graviton, { subject: billed('m5.xlarge') })?.saving).toBe(27.759);
  });

  it('recommends the type whose price it uses', () => {
    // 0.20 vs. 0.15 per hour: 36 in 30 days, 36.525 per month.
    const context = aContext({ 'BoxUsage:m7g.xlarge': '0.17', 'BoxUsage:m6g.xlarge': '0.15' });
    const finding = find(ec2Graviton, { subject, context });
    expect(finding).toMatchObject({ saving: 36.525, evidence: { target_type: 'm6g.xlarge' } });
    expect(finding?.title).toContain('m6g.xlarge');
    expect(finding?.scripts()[0]?.script).toContain('instance_type = "m6g.xlarge"');
  });

  it('uses the price that the account pays', () => {
    // 0.20 vs. 0.17 per hour: 720 * 0.03 = 21.60 in 30 days, 21.915 per month.
    const context = aContext({ 'BoxUsage:m7g.xlarge': '0.17' });
    expect(find(ec2Graviton, { subject, context })).toMatchObject({
      saving: 21.915,
      confidence: 'medium',
      method: 'observed',
    });
  });

  it('skips Windows, licensed Linux, and unknown operating systems', () => {
    expect(find(ec2Graviton, { subject: billed('m6i.xlarge', '$0.4 per On Demand Windows m6i.xlarge') })).toBeNull();
    expect(find(ec2Graviton, { subject: billed('m6i.xlarge', '$0.3 per On Demand RHEL Linux m6i.xlarge') })).toBeNull();
    expect(find(ec2Graviton, { subject: billed('m6i.xlarge', '') })).toBeNull();
    expect(find(ec2Graviton, { subject: { ...subject, metadata: { platform: 'windows' } } })).toBeNull();
  });

  it('skips arm64, old families, and sizes without a Graviton equivalent', () => {
    expect(find(ec2Graviton, { subject: billed('m7g.xlarge') })).toBeNull();
    expect(find(ec2Graviton, { subject: billed('m4.xlarge') })).toBeNull();
    expect(find(ec2Graviton, { subject: billed('m6i.16xlarge') })).not.toBeNull();
    expect(find(ec2Graviton, { subject: billed('m6i.24xlarge') })).toBeNull();
  });
});
