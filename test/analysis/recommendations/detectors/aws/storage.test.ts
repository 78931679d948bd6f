import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

describe('aws_s3_cold_standard', () => {
  const { subject } = awsCases.aws_s3_cold_standard;

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

describe('aws_s3_early_delete', () => {
  const { subject } = awsCases.aws_s3_early_delete;

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

describe('aws_efs_lifecycle', () => {
  const { subject } = awsCases.aws_efs_lifecycle;

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

describe('aws_ecr_no_lifecycle', () => {
  const { subject } = awsCases.aws_ecr_no_lifecycle;

  it('saves about half', () => {
    // 30 in 30 days are 30.4375 a month; half of it is 15.21875.
    expect(find('aws_ecr_no_lifecycle', { subject })).toMatchObject({
      saving: 15.21875,
      confidence: 'low',
      method: 'factor',
    });
  });

  it('leaves repositories with a policy, and those nobody knows of', () => {
    expect(
      find('aws_ecr_no_lifecycle', { subject: { ...subject, metadata: { hasLifecyclePolicy: true } } }),
    ).toBeNull();
    expect(find('aws_ecr_no_lifecycle', { subject: { ...subject, metadata: {} } })).toBeNull();
    const usage = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find('aws_ecr_no_lifecycle', { subject: { ...subject, usage } })).toBeNull();
  });

  it('names a repository with its path', () => {
    expect(find('aws_ecr_no_lifecycle', { subject })?.scripts()[0]?.script).toContain("--repository-name='team/app'");
  });
});
