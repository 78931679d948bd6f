import { describe, expect, it } from 'vitest';
import { efsLifecycle } from '../../../../../src/analysis/recommendations/detectors/aws/efs-lifecycle.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_efs_lifecycle;

describe('aws_efs_lifecycle', () => {
  it('estimates at most 73.3333 % of the cost', () => {
    // 30 in 30 days are 30.4375 per month; 73.3333 % of that is 22.320823.
    expect(find(efsLifecycle, { subject })).toMatchObject({
      saving: 22.320823,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips file systems with a lifecycle policy or Infrequent Access files, and other services', () => {
    expect(find(efsLifecycle, { subject: { ...subject, metadata: { hasLifecyclePolicy: true } } })).toBeNull();
    const usage = [...subject.usage, aUsage({ meter: 'IATimedStorage-ByteHrs', cost: '0.01' })];
    expect(find(efsLifecycle, { subject: { ...subject, usage } })).toBeNull();
    const other = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find(efsLifecycle, { subject: { ...subject, usage: other } })).toBeNull();
  });
});
