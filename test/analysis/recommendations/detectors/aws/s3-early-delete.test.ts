import { describe, expect, it } from 'vitest';
import { s3EarlyDelete } from '../../../../../src/analysis/recommendations/detectors/aws/s3-early-delete.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_s3_early_delete;

describe('aws_s3_early_delete', () => {
  it('estimates at most the early-deletion charge', () => {
    // 9 in 30 days are 9.13125 per month.
    const usage = [...subject.usage, aUsage({ meter: 'TimedStorage-ByteHrs', cost: '100' })];
    expect(find(s3EarlyDelete, { subject: { ...subject, usage } })).toMatchObject({
      saving: 9.13125,
      method: 'upper_bound',
    });
  });

  it('skips buckets without the charge', () => {
    expect(
      find(s3EarlyDelete, { subject: { ...subject, usage: [aUsage({ meter: 'TimedStorage-ByteHrs' })] } }),
    ).toBeNull();
  });
});
