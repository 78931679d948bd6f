import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_amd;

describe('aws_ec2_amd', () => {
  const billed = (type: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter: `BoxUsage:${type}`, description, cost: '144' })],
  });

  it('saves 10 %, or what the price tells that the account pays', () => {
    // 144 in 30 days are 146.10 a month.
    expect(find('aws_ec2_amd', { subject })).toMatchObject({ saving: 14.61, confidence: 'medium', method: 'factor' });
    // 0.20 against 0.17 an hour: 720 * 0.03 = 21.60 in 30 days, 21.915 in a month.
    const context = aContext({ 'BoxUsage:m6a.xlarge': '0.17' });
    expect(find('aws_ec2_amd', { subject, context })).toMatchObject({
      saving: 21.915,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('leaves licensed systems, AMD itself, and sizes without a peer', () => {
    expect(find('aws_ec2_amd', { subject: billed('m6i.xlarge', '$0.4 per On Demand Windows m6i.xlarge') })).toBeNull();
    expect(find('aws_ec2_amd', { subject: billed('m6a.xlarge') })).toBeNull();
    expect(find('aws_ec2_amd', { subject: billed('m5.24xlarge') })).not.toBeNull();
    expect(find('aws_ec2_amd', { subject: billed('m5.metal') })).toBeNull();
  });

  it('has no script for an instance of a scaling group', () => {
    expect(find('aws_ec2_amd', { subject })?.scripts()).toHaveLength(1);
    expect(find('aws_ec2_amd', { subject: { ...subject, metadata: { scalingGroup: 'web' } } })?.scripts()).toEqual([]);
  });
});
