import { describe, expect, it } from 'vitest';
import { s3IntelligentTiering } from '../../../../../src/analysis/recommendations/detectors/aws/s3-intelligent-tiering.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_s3_intelligent_tiering;

describe('aws_s3_intelligent_tiering', () => {
  const { context } = awsCases.aws_s3_intelligent_tiering;
  const stored = (gigabytes: string, reads: string) =>
    find(s3IntelligentTiering, {
      subject: {
        ...subject,
        usage: [
          aUsage({ meter: 'TimedStorage-ByteHrs', quantity: gigabytes, cost: '60' }),
          aUsage({ meter: 'Requests-Tier2', quantity: reads, cost: '0' }),
        ],
      },
      context,
    });

  it('saves the difference to the average price per GB that the account pays for the tiers', () => {
    // Equal amounts at 0.02 and 0.01 cost 0.015: 60 - 3000 * 0.015 = 15 in 30 days, 15.21875 per month.
    const tiers = aContext({ 'TimedStorage-INT-FA-ByteHrs': '0.02', 'TimedStorage-INT-IA-ByteHrs': '0.01' });
    expect(find(s3IntelligentTiering, { subject, context: tiers })).toMatchObject({
      saving: 15.21875,
      method: 'observed',
    });
    expect(find(s3IntelligentTiering, { subject, context })?.saving).toBe(15.21875);
  });

  it('finds nothing when the account has no data in the tiers or pays no less there', () => {
    expect(find(s3IntelligentTiering, { subject })).toBeNull();
    const dear = aContext({ 'TimedStorage-INT-FA-ByteHrs': '0.02' });
    expect(find(s3IntelligentTiering, { subject, context: dear })).toBeNull();
  });

  it('skips less than 1000 GB, more than one read per GB, and storage of other services', () => {
    // 985 in 30 days are 999.4 GB, 986 are 1000.4.
    expect(stored('985', '0')).toBeNull();
    expect(stored('986', '0')).not.toBeNull();
    expect(stored('3000', '3000')).not.toBeNull();
    expect(stored('3000', '3001')).toBeNull();
    expect(find(s3IntelligentTiering, { subject: { ...subject, service: 'Amazon EFS' }, context })).toBeNull();
  });
});
