import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

describe('aws_s3_cold_standard', () => {
  const { subject } = awsCases.aws_s3_cold_standard;

  it('saves 30% of the cost of storage that is never read', () => {
    // 60 in 30 days are 60.875 per month; 30% of that is 18.2625.
    expect(find('aws_s3_cold_standard', { subject })).toMatchObject({
      saving: 18.2625,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it("uses the account's price for Infrequent Access", () => {
    // 0.02 vs. 0.0125 per GB-month: 3000 * 0.0075 = 22.50 in 30 days, 22.828125 per month.
    const context = aContext({ 'TimedStorage-SIA-ByteHrs': '0.0125' });
    expect(find('aws_s3_cold_standard', { subject, context })).toMatchObject({ saving: 22.828125, method: 'observed' });
  });

  it('skips buckets with 1000 or more requests in the window', () => {
    const asked = (quantity: string) =>
      find('aws_s3_cold_standard', {
        subject: { ...subject, usage: [...subject.usage, aUsage({ meter: 'Requests-Tier2', quantity })] },
      });
    expect(asked('999')?.saving).toBe(18.2625);
    expect(asked('1000')).toBeNull();
  });

  it('skips buckets first seen within 60 days, buckets with other classes, and other services', () => {
    expect(find('aws_s3_cold_standard', { subject: { ...subject, firstSeen: '2026-09-21' } })).toBeNull();
    expect(find('aws_s3_cold_standard', { subject: { ...subject, firstSeen: '2026-09-20' } })).not.toBeNull();
    const usage = [...subject.usage, aUsage({ meter: 'TimedStorage-GlacierByteHrs' })];
    expect(find('aws_s3_cold_standard', { subject: { ...subject, usage } })).toBeNull();
    expect(find('aws_s3_cold_standard', { subject: { ...subject, service: 'AmazonCloudWatch' } })).toBeNull();
  });

  it('recognizes the service by its code', () => {
    expect(find('aws_s3_cold_standard', { subject: { ...subject, service: 'AmazonS3' } })).not.toBeNull();
    expect(find('aws_s3_cold_standard', { subject: { ...subject, service: 'AmazonEFS' } })).toBeNull();
  });
});

describe('aws_s3_intelligent_tiering', () => {
  const { subject } = awsCases.aws_s3_intelligent_tiering;

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

  it('saves the difference to the average price per GB that the account pays for the tiers', () => {
    // Equal amounts at 0.02 and 0.01 cost 0.015: 60 - 3000 * 0.015 = 15 in 30 days, 15.21875 per month.
    const tiers = aContext({ 'TimedStorage-INT-FA-ByteHrs': '0.02', 'TimedStorage-INT-IA-ByteHrs': '0.01' });
    expect(find('aws_s3_intelligent_tiering', { subject, context: tiers })).toMatchObject({
      saving: 15.21875,
      method: 'observed',
    });
    expect(find('aws_s3_intelligent_tiering', { subject, context })?.saving).toBe(15.21875);
  });

  it('finds nothing when the account has no data in the tiers or pays no less there', () => {
    expect(find('aws_s3_intelligent_tiering', { subject })).toBeNull();
    const dear = aContext({ 'TimedStorage-INT-FA-ByteHrs': '0.02' });
    expect(find('aws_s3_intelligent_tiering', { subject, context: dear })).toBeNull();
  });

  it('skips less than 1000 GB, more than one read per GB, and storage of other services', () => {
    // 985 in 30 days are 999.4 GB, 986 are 1000.4.
    expect(stored('985', '0')).toBeNull();
    expect(stored('986', '0')).not.toBeNull();
    expect(stored('3000', '3000')).not.toBeNull();
    expect(stored('3000', '3001')).toBeNull();
    expect(find('aws_s3_intelligent_tiering', { subject: { ...subject, service: 'Amazon EFS' }, context })).toBeNull();
  });
});

describe('aws_s3_early_delete', () => {
  const { subject } = awsCases.aws_s3_early_delete;

  it('estimates at most the early-deletion charge', () => {
    // 9 in 30 days are 9.13125 per month.
    const usage = [...subject.usage, aUsage({ meter: 'TimedStorage-ByteHrs', cost: '100' })];
    expect(find('aws_s3_early_delete', { subject: { ...subject, usage } })).toMatchObject({
      saving: 9.13125,
      method: 'upper_bound',
    });
  });

  it('skips buckets without the charge', () => {
    expect(
      find('aws_s3_early_delete', { subject: { ...subject, usage: [aUsage({ meter: 'TimedStorage-ByteHrs' })] } }),
    ).toBeNull();
  });
});

describe('aws_efs_lifecycle', () => {
  const { subject } = awsCases.aws_efs_lifecycle;

  it('estimates at most 73.3333% of the cost', () => {
    // 30 in 30 days are 30.4375 per month; 73.3333% of that is 22.320823.
    expect(find('aws_efs_lifecycle', { subject })).toMatchObject({
      saving: 22.320823,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips file systems with a lifecycle policy or Infrequent Access files, and other services', () => {
    expect(find('aws_efs_lifecycle', { subject: { ...subject, metadata: { hasLifecyclePolicy: true } } })).toBeNull();
    const usage = [...subject.usage, aUsage({ meter: 'IATimedStorage-ByteHrs', cost: '0.01' })];
    expect(find('aws_efs_lifecycle', { subject: { ...subject, usage } })).toBeNull();
    const other = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find('aws_efs_lifecycle', { subject: { ...subject, usage: other } })).toBeNull();
  });
});

describe('aws_ecr_no_lifecycle', () => {
  const { subject } = awsCases.aws_ecr_no_lifecycle;

  it('saves half of the storage cost', () => {
    // 30 in 30 days are 30.4375 per month; half of that is 15.21875.
    expect(find('aws_ecr_no_lifecycle', { subject })).toMatchObject({
      saving: 15.21875,
      confidence: 'low',
      method: 'factor',
    });
  });

  it('skips repositories with a lifecycle policy or unknown policy, and storage of other services', () => {
    expect(
      find('aws_ecr_no_lifecycle', { subject: { ...subject, metadata: { hasLifecyclePolicy: true } } }),
    ).toBeNull();
    expect(find('aws_ecr_no_lifecycle', { subject: { ...subject, metadata: {} } })).toBeNull();
    const usage = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find('aws_ecr_no_lifecycle', { subject: { ...subject, usage } })).toBeNull();
  });

  it('uses the repository name with its path', () => {
    expect(find('aws_ecr_no_lifecycle', { subject })?.scripts()[0]?.script).toContain("--repository-name='team/app'");
  });
});
