import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_s3_intelligent_tiering;

describe('aws_s3_intelligent_tiering', () => {
  const { context } = awsCases.aws_s3_intelligent_tiering;
  const stored = (gigabytes: string, reads: string) =>
    find('aws_s3_intelligent_tiering', {
      subject: {
        ...subject,
        usage: [
          aUsage({ meter: 'TimedStorage-ByteHrs', quantity: gigabytes, cost: '60' }),
          aUsage({ meter: 'Requests-Tier2', quantity: reads, cost: '0' }),
        ],
      },
      context,
    });

  it('saves down to what the account pays a GB in all tiers', () => {
    // As much at 0.02 as at 0.01 is 0.015: 60 - 3000 * 0.015 = 15 in 30 days, 15.21875 in a month.
    const tiers = aContext({ 'TimedStorage-INT-FA-ByteHrs': '0.02', 'TimedStorage-INT-IA-ByteHrs': '0.01' });
    expect(find('aws_s3_intelligent_tiering', { subject, context: tiers })).toMatchObject({
      saving: 15.21875,
      method: 'observed',
    });
    expect(find('aws_s3_intelligent_tiering', { subject, context })?.saving).toBe(15.21875);
  });

  it('says nothing where the account has nothing in the tiers, or pays no less', () => {
    expect(find('aws_s3_intelligent_tiering', { subject })).toBeNull();
    const dear = aContext({ 'TimedStorage-INT-FA-ByteHrs': '0.02' });
    expect(find('aws_s3_intelligent_tiering', { subject, context: dear })).toBeNull();
  });

  it('leaves less than 1000 GB, more than one read a GB, and storage of other services', () => {
    // 985 in 30 days are 999.4 GB, 986 are 1000.4.
    expect(stored('985', '0')).toBeNull();
    expect(stored('986', '0')).not.toBeNull();
    expect(stored('3000', '3000')).not.toBeNull();
    expect(stored('3000', '3001')).toBeNull();
    expect(find('aws_s3_intelligent_tiering', { subject: { ...subject, service: 'Amazon EFS' }, context })).toBeNull();
  });
});
