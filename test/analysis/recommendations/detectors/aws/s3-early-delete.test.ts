import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_s3_early_delete;

describe('aws_s3_early_delete', () => {
  it('saves at most the charge', () => {
    // 9 in 30 days are 9.13125 a month.
    const usage = [...subject.usage, aUsage({ meter: 'TimedStorage-ByteHrs', cost: '100' })];
    expect(find('aws_s3_early_delete', { subject: { ...subject, usage } })).toMatchObject({
      saving: 9.13125,
      method: 'upper_bound',
    });
  });

  it('leaves buckets without the charge', () => {
    expect(
      find('aws_s3_early_delete', { subject: { ...subject, usage: [aUsage({ meter: 'TimedStorage-ByteHrs' })] } }),
    ).toBeNull();
  });
});
