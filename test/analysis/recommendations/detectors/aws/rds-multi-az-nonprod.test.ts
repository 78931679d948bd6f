import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_multi_az_nonprod;

describe('aws_rds_multi_az_nonprod', () => {
  it('saves half of instance and storage, not of backups', () => {
    // 240 in 30 days are 243.50 a month; half of it is 121.75.
    expect(find('aws_rds_multi_az_nonprod', { subject })).toMatchObject({
      saving: 121.75,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('leaves production, and databases in one zone', () => {
    expect(find('aws_rds_multi_az_nonprod', { subject: { ...subject, tags: { env: 'production' } } })).toBeNull();
    const usage = [aUsage({ meter: 'InstanceUsage:db.m6g.large' })];
    expect(find('aws_rds_multi_az_nonprod', { subject: { ...subject, usage } })).toBeNull();
  });

  it('leaves what a reservation covers', () => {
    const usage = [aUsage({ meter: 'Multi-AZUsage:db.m6g.large', kind: 'reserved' })];
    expect(find('aws_rds_multi_az_nonprod', { subject: { ...subject, usage } })).toBeNull();
  });
});
