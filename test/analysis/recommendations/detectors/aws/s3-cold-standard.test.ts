import { describe, expect, it } from 'vitest';
import { s3ColdStandard } from '../../../../../src/analysis/recommendations/detectors/aws/s3-cold-standard.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_s3_cold_standard;

describe('aws_s3_cold_standard', () => {
  it('saves 30 % of the cost of storage that is never read', () => {
    // 60 in 30 days are 60.875 per month; 30 % of that is 18.2625.
    expect(find(s3ColdStandard, { subject })).toMatchObject({
      saving: 18.2625,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it("uses the account's price for Infrequent Access", () => {
    // 0.02 vs. 0.0125 per GB-month: 3000 * 0.0075 = 22.50 in 30 days, 22.828125 per month.
    const context = aContext({ 'TimedStorage-SIA-ByteHrs': '0.0125' });
    expect(find(s3ColdStandard, { subject, context })).toMatchObject({ saving: 22.828125, method: 'observed' });
  });

  it('skips buckets with 1000 or more requests in the window', () => {
    const asked = (quantity: string) =>
      find(s3ColdStandard, {
        subject: { ...subject, usage: [...subject.usage, aUsage({ meter: 'Requests-Tier2', quantity })] },
      });
    expect(asked('999')?.saving).toBe(18.2625);
    expect(asked('1000')).toBeNull();
  });

  it('skips buckets first seen within 60 days, buckets with other classes, and other services', () => {
    expect(find(s3ColdStandard, { subject: { ...subject, firstSeen: '2026-09-21' } })).toBeNull();
    expect(find(s3ColdStandard, { subject: { ...subject, firstSeen: '2026-09-20' } })).not.toBeNull();
    const usage = [...subject.usage, aUsage({ meter: 'TimedStorage-GlacierByteHrs' })];
    expect(find(s3ColdStandard, { subject: { ...subject, usage } })).toBeNull();
    expect(find(s3ColdStandard, { subject: { ...subject, service: 'AmazonCloudWatch' } })).toBeNull();
  });

  it('recognizes the service by its code', () => {
    expect(find(s3ColdStandard, { subject: { ...subject, service: 'AmazonS3' } })).not.toBeNull();
    expect(find(s3ColdStandard, { subject: { ...subject, service: 'AmazonEFS' } })).toBeNull();
  });
});
