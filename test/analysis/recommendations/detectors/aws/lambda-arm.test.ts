import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_lambda_arm;

describe('aws_lambda_arm', () => {
  it('saves a fifth, or what the price tells that the account pays', () => {
    // 30 in 30 days are 30.4375 a month; 20 % of it are 6.0875.
    expect(find('aws_lambda_arm', { subject })).toMatchObject({
      saving: 6.0875,
      confidence: 'medium',
      method: 'factor',
    });
    // 30 - 1000000 * 0.00002 = 10 in 30 days, 10.145833 in a month.
    const context = aContext({ 'Lambda-GB-Second-ARM': '0.00002' });
    expect(find('aws_lambda_arm', { subject, context })).toMatchObject({ saving: 10.145833, method: 'observed' });
  });

  it('leaves functions on arm64, and what savings plans cover', () => {
    expect(
      find('aws_lambda_arm', { subject: { ...subject, usage: [aUsage({ meter: 'Lambda-GB-Second-ARM' })] } }),
    ).toBeNull();
    expect(find('aws_lambda_arm', { subject: { ...subject, metadata: { architecture: 'arm64' } } })).toBeNull();
    const usage = [aUsage({ meter: 'Lambda-GB-Second', kind: 'savings_plan' })];
    expect(find('aws_lambda_arm', { subject: { ...subject, usage } })).toBeNull();
  });
});
