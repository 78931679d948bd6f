import { describe, expect, it } from 'vitest';
import { ec2PreviousGen } from '../../../../../src/analysis/recommendations/detectors/aws/ec2-previous-gen.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_previous_gen;

describe('aws_ec2_previous_gen', () => {
  const billed = (usage: Parameters<typeof aUsage>[0]) =>
    find(ec2PreviousGen, { subject: { ...subject, usage: [aUsage({ cost: '144', ...usage })] } });

  it('saves 5 % when no price of the current generation is observed', () => {
    // 144 in 30 days are 146.10 per month; 5 % of that is 7.305.
    expect(find(ec2PreviousGen, { subject })).toMatchObject({ saving: 7.305, confidence: 'medium', method: 'factor' });
  });

  it('uses the cheapest current-generation price that the account pays', () => {
    // 0.20 vs. 0.18 per hour: 720 * 0.02 = 14.40 in 30 days, 14.61 per month.
    const context = aContext({
      'BoxUsage:m6i.xlarge': '0.19',
      'BoxUsage:m5.xlarge': '0.18',
      'BoxUsage:m5.large': '0.01',
    });
    expect(find(ec2PreviousGen, { subject, context })).toMatchObject({ saving: 14.61, method: 'observed' });
    expect(find(ec2PreviousGen, { subject, context: aContext({ 'BoxUsage:m5.xlarge': '0.2' }) })).toBeNull();
  });

  it('does not use a Linux price for Windows, which has the same usage type', () => {
    const context = aContext({ 'BoxUsage:m5.xlarge': '0.01' });
    const usage = [
      aUsage({ meter: 'BoxUsage:m4.xlarge', description: '$0.4 per On Demand Windows m4.xlarge', cost: '144' }),
    ];
    expect(find(ec2PreviousGen, { subject: { ...subject, usage }, context })?.saving).toBe(7.305);
  });

  it('skips the current generation, sizes without an equivalent, spot, and usage covered by a commitment', () => {
    expect(billed({ meter: 'BoxUsage:m5.xlarge' })).toBeNull();
    expect(billed({ meter: 'BoxUsage:m4.4xlarge' })).not.toBeNull();
    expect(billed({ meter: 'BoxUsage:m4.10xlarge' })).toBeNull();
    expect(billed({ meter: 'SpotUsage:m4.xlarge', kind: 'spot' })).toBeNull();
    expect(billed({ meter: 'BoxUsage:m4.xlarge', kind: 'savings_plan' })).toBeNull();
  });

  it('skips an instance that changed its type in the window, and resources other than instances', () => {
    const usage = [...subject.usage, aUsage({ meter: 'BoxUsage:m5.xlarge' })];
    expect(find(ec2PreviousGen, { subject: { ...subject, usage } })).toBeNull();
    expect(
      find(ec2PreviousGen, { subject: { ...subject, nativeId: 'arn:aws:elasticmapreduce:::cluster/j-1' } }),
    ).toBeNull();
  });
});
