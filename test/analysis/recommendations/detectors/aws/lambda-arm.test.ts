import { describe, expect, it } from 'vitest';
import { lambdaArm } from '../../../../../src/analysis/recommendations/detectors/aws/lambda-arm.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_lambda_arm;

describe('aws_lambda_arm', () => {
  it('saves a fifth, or the difference to the price that the account pays', () => {
    // 30 in 30 days are 30.4375 per month; 20 % of that is 6.0875.
    expect(find(lambdaArm, { subject })).toMatchObject({ saving: 6.0875, confidence: 'medium', method: 'factor' });
    // 30 - 1000000 * 0.00002 = 10 in 30 days, 10.145833 per month.
    const context = aContext({ 'Lambda-GB-Second-ARM': '0.00002' });
    expect(find(lambdaArm, { subject, context })).toMatchObject({ saving: 10.145833, method: 'observed' });
  });

  it('skips functions on arm64, and usage covered by Savings Plans', () => {
    expect(find(lambdaArm, { subject: { ...subject, usage: [aUsage({ meter: 'Lambda-GB-Second-ARM' })] } })).toBeNull();
    expect(find(lambdaArm, { subject: { ...subject, metadata: { architecture: 'arm64' } } })).toBeNull();
    const usage = [aUsage({ meter: 'Lambda-GB-Second', kind: 'savings_plan' })];
    expect(find(lambdaArm, { subject: { ...subject, usage } })).toBeNull();
  });
});
