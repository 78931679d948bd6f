import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_s3_cold_standard;

describe('aws_s3_cold_standard', () => {
  it('saves 30 % of storage that nobody reads', () => {
    // 60 in 30 days are 60.875 a month; 30 % of it are 18.2625.
    expect(find('aws_s3_cold_standard', { subject })).toMatchObject({
      saving: 18.2625,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('takes the price of infrequent access that the account pays', () => {
    // 0.02 a GB-month against 0.0125: 3000 * 0.0075 = 22.50 in 30 days, 22.828125 in a month.
    const context = aContext({ 'TimedStorage-SIA-ByteHrs': '0.0125' });
    expect(find('aws_s3_cold_standard', { subject, context })).toMatchObject({ saving: 22.828125, method: 'observed' });
  });

  it('leaves what is read or written, from 1000 requests in the window on', () => {
    const asked = (quantity: string) =>
      find('aws_s3_cold_standard', {
        subject: { ...subject, usage: [...subject.usage, aUsage({ meter: 'Requests-Tier2', quantity })] },
      });
    expect(asked('999')?.saving).toBe(18.2625);
    expect(asked('1000')).toBeNull();
  });

  it('leaves buckets known for less than 60 days, those with other classes, and storage of other services', () => {
    expect(find('aws_s3_cold_standard', { subject: { ...subject, firstSeen: '2026-09-21' } })).toBeNull();
    expect(find('aws_s3_cold_standard', { subject: { ...subject, firstSeen: '2026-09-20' } })).not.toBeNull();
    const usage = [...subject.usage, aUsage({ meter: 'TimedStorage-GlacierByteHrs' })];
    expect(find('aws_s3_cold_standard', { subject: { ...subject, usage } })).toBeNull();
    expect(find('aws_s3_cold_standard', { subject: { ...subject, service: 'AmazonCloudWatch' } })).toBeNull();
  });

  it('knows the service by its code', () => {
    expect(find('aws_s3_cold_standard', { subject: { ...subject, service: 'AmazonS3' } })).not.toBeNull();
    expect(find('aws_s3_cold_standard', { subject: { ...subject, service: 'AmazonEFS' } })).toBeNull();
  });
});
