import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_graviton;

describe('aws_ec2_graviton', () => {
  const billed = (type: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter: `BoxUsage:${type}`, description, cost: '144' })],
  });

  it('saves what the list prices of the type it names differ by', () => {
    // 144 in 30 days are 146.10 a month: m7g costs 15 % less than m6i and 5 % less than m6a, m6g 19 % less than m5.
    expect(find('aws_ec2_graviton', { subject })).toMatchObject({
      saving: 21.915,
      confidence: 'low',
      method: 'factor',
    });
    expect(find('aws_ec2_graviton', { subject: billed('m6a.xlarge') })?.saving).toBe(7.305);
    expect(find('aws_ec2_graviton', { subject: billed('m5.xlarge') })?.saving).toBe(27.759);
  });

  it('names the type whose price it takes', () => {
    // 0.20 against 0.15 an hour: 36 in 30 days, 36.525 in a month.
    const context = aContext({ 'BoxUsage:m7g.xlarge': '0.17', 'BoxUsage:m6g.xlarge': '0.15' });
    const finding = find('aws_ec2_graviton', { subject, context });
    expect(finding).toMatchObject({ saving: 36.525, evidence: { target_type: 'm6g.xlarge' } });
    expect(finding?.title).toContain('m6g.xlarge');
    expect(finding?.scripts()[0]?.script).toContain('instance_type = "m6g.xlarge"');
  });

  it('takes the price that the account pays', () => {
    // 0.20 against 0.17 an hour: 720 * 0.03 = 21.60 in 30 days, 21.915 in a month.
    const context = aContext({ 'BoxUsage:m7g.xlarge': '0.17' });
    expect(find('aws_ec2_graviton', { subject, context })).toMatchObject({
      saving: 21.915,
      confidence: 'medium',
      method: 'observed',
    });
  });

  it('leaves Windows, licensed Linux, and what nobody knows the system of', () => {
    expect(
      find('aws_ec2_graviton', { subject: billed('m6i.xlarge', '$0.4 per On Demand Windows m6i.xlarge') }),
    ).toBeNull();
    expect(
      find('aws_ec2_graviton', { subject: billed('m6i.xlarge', '$0.3 per On Demand RHEL Linux m6i.xlarge') }),
    ).toBeNull();
    expect(find('aws_ec2_graviton', { subject: billed('m6i.xlarge', '') })).toBeNull();
    expect(find('aws_ec2_graviton', { subject: { ...subject, metadata: { platform: 'windows' } } })).toBeNull();
  });

  it('leaves arm64, old families, and sizes without a peer', () => {
    expect(find('aws_ec2_graviton', { subject: billed('m7g.xlarge') })).toBeNull();
    expect(find('aws_ec2_graviton', { subject: billed('m4.xlarge') })).toBeNull();
    expect(find('aws_ec2_graviton', { subject: billed('m6i.16xlarge') })).not.toBeNull();
    expect(find('aws_ec2_graviton', { subject: billed('m6i.24xlarge') })).toBeNull();
  });
});
