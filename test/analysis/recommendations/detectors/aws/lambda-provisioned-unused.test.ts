import { describe, expect, it } from 'vitest';
import { lambdaProvisionedUnused } from '../../../../../src/analysis/recommendations/detectors/aws/lambda-provisioned-unused.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_lambda_provisioned_unused;

describe('aws_lambda_provisioned_unused', () => {
  const used = (quantity: string) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'Lambda-Provisioned-GB-Second', quantity })];
    return find(lambdaProvisionedUnused, { subject: { ...subject, usage } });
  };

  it('estimates at most the unused part of the cost', () => {
    // 30 in 30 days are 30.4375 per month; three quarters are unused: 22.828125.
    expect(find(lambdaProvisionedUnused, { subject })).toMatchObject({ saving: 22.828125, method: 'upper_bound' });
  });

  it('skips functions with 50 % or more in use, and functions without provisioned concurrency', () => {
    expect(used('499')).not.toBeNull();
    expect(used('500')).toBeNull();
    const usage = [aUsage({ meter: 'Lambda-GB-Second' })];
    expect(find(lambdaProvisionedUnused, { subject: { ...subject, usage } })).toBeNull();
  });
});
