import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_previous_gen;

describe('aws_ec2_previous_gen', () => {
  const billed = (usage: Parameters<typeof aUsage>[0]) =>
    find('aws_ec2_previous_gen', { subject: { ...subject, usage: [aUsage({ cost: '144', ...usage })] } });

  it('saves 5 % where no price of the current generation is observed', () => {
    // 144 in 30 days are 146.10 a month; 5 % of it are 7.305.
    expect(find('aws_ec2_previous_gen', { subject })).toMatchObject({
      saving: 7.305,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('takes the cheapest price of the current generation that the account pays', () => {
    // 0.20 an hour against 0.18: 720 * 0.02 = 14.40 in 30 days, 14.61 in a month.
    const context = aContext({
      'BoxUsage:m6i.xlarge': '0.19',
      'BoxUsage:m5.xlarge': '0.18',
      'BoxUsage:m5.large': '0.01',
    });
    expect(find('aws_ec2_previous_gen', { subject, context })).toMatchObject({ saving: 14.61, method: 'observed' });
    expect(find('aws_ec2_previous_gen', { subject, context: aContext({ 'BoxUsage:m5.xlarge': '0.2' }) })).toBeNull();
  });

  it('does not take a price of Linux for Windows, which has the same usage type', () => {
    const context = aContext({ 'BoxUsage:m5.xlarge': '0.01' });
    const usage = [
      aUsage({ meter: 'BoxUsage:m4.xlarge', description: '$0.4 per On Demand Windows m4.xlarge', cost: '144' }),
    ];
    expect(find('aws_ec2_previous_gen', { subject: { ...subject, usage }, context })?.saving).toBe(7.305);
  });

  it('leaves the current generation, sizes without a peer, spot and what a commitment covers', () => {
    expect(billed({ meter: 'BoxUsage:m5.xlarge' })).toBeNull();
    expect(billed({ meter: 'BoxUsage:m4.4xlarge' })).not.toBeNull();
    expect(billed({ meter: 'BoxUsage:m4.10xlarge' })).toBeNull();
    expect(billed({ meter: 'SpotUsage:m4.xlarge', kind: 'spot' })).toBeNull();
    expect(billed({ meter: 'BoxUsage:m4.xlarge', kind: 'savings_plan' })).toBeNull();
  });

  it('waits while an instance changes its type, and leaves what is no instance', () => {
    const usage = [...subject.usage, aUsage({ meter: 'BoxUsage:m5.xlarge' })];
    expect(find('aws_ec2_previous_gen', { subject: { ...subject, usage } })).toBeNull();
    expect(
      find('aws_ec2_previous_gen', { subject: { ...subject, nativeId: 'arn:aws:elasticmapreduce:::cluster/j-1' } }),
    ).toBeNull();
  });
});
