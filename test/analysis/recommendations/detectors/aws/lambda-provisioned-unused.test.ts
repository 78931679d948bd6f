import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_lambda_provisioned_unused;

describe('aws_lambda_provisioned_unused', () => {
  const used = (quantity: string) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'Lambda-Provisioned-GB-Second', quantity })];
    return find('aws_lambda_provisioned_unused', { subject: { ...subject, usage } });
  };

  it('saves at most the unused part', () => {
    // 30 in 30 days are 30.4375 a month; three quarters are unused: 22.828125.
    expect(find('aws_lambda_provisioned_unused', { subject })).toMatchObject({
      saving: 22.828125,
      method: 'upper_bound',
    });
  });

  it('leaves what is used from half on, and functions without provisioned concurrency', () => {
    expect(used('499')).not.toBeNull();
    expect(used('500')).toBeNull();
    const usage = [aUsage({ meter: 'Lambda-GB-Second' })];
    expect(find('aws_lambda_provisioned_unused', { subject: { ...subject, usage } })).toBeNull();
  });
});
