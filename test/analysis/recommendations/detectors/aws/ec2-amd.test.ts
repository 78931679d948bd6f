import { describe, expect, it } from 'vitest';
import { ec2Amd } from '../../../../../src/analysis/recommendations/detectors/aws/ec2-amd.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_amd;

describe('aws_ec2_amd', () => {
  const billed = (type: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter: `BoxUsage:${type}`, description, cost: '144' })],
  });

  it('saves 10 %, or the difference to the price that the account pays', () => {
    // 144 in 30 days are 146.10 per month.
    expect(find(ec2Amd, { subject })).toMatchObject({ saving: 14.61, confidence: 'medium', method: 'factor' });
    // 0.20 vs. 0.17 per hour: 720 * 0.03 = 21.60 in 30 days, 21.915 per month.
    const context = aContext({ 'BoxUsage:m6a.xlarge': '0.17' });
    expect(find(ec2Amd, { subject, context })).toMatchObject({
      saving: 21.915,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('skips licensed systems, AMD instances, and sizes without an AMD equivalent', () => {
    expect(find(ec2Amd, { subject: billed('m6i.xlarge', '$0.4 per On Demand Windows m6i.xlarge') })).toBeNull();
    expect(find(ec2Amd, { subject: billed('m6a.xlarge') })).toBeNull();
    expect(find(ec2Amd, { subject: billed('m5.24xlarge') })).not.toBeNull();
    expect(find(ec2Amd, { subject: billed('m5.metal') })).toBeNull();
  });

  it('has no script for an instance of an Auto Scaling group', () => {
    expect(find(ec2Amd, { subject })?.scripts()).toHaveLength(1);
    expect(find(ec2Amd, { subject: { ...subject, metadata: { scalingGroup: 'web' } } })?.scripts()).toEqual([]);
  });
});
