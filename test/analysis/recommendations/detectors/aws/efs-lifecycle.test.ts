import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_efs_lifecycle;

describe('aws_efs_lifecycle', () => {
  it('saves at most 73.3333 %', () => {
    // 30 in 30 days are 30.4375 a month; 73.3333 % of it are 22.320823.
    expect(find('aws_efs_lifecycle', { subject })).toMatchObject({
      saving: 22.320823,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('leaves file systems with a policy, or with files in Infrequent Access, and storage of other services', () => {
    expect(find('aws_efs_lifecycle', { subject: { ...subject, metadata: { hasLifecyclePolicy: true } } })).toBeNull();
    const usage = [...subject.usage, aUsage({ meter: 'IATimedStorage-ByteHrs', cost: '0.01' })];
    expect(find('aws_efs_lifecycle', { subject: { ...subject, usage } })).toBeNull();
    const other = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find('aws_efs_lifecycle', { subject: { ...subject, usage: other } })).toBeNull();
  });
});
