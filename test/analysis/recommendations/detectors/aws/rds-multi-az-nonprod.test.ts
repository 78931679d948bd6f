import { describe, expect, it } from 'vitest';
import { rdsMultiAzNonprod } from '../../../../../src/analysis/recommendations/detectors/aws/rds-multi-az-nonprod.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_multi_az_nonprod;

describe('aws_rds_multi_az_nonprod', () => {
  it('saves half of the cost of instance and storage, not of backups', () => {
    // 240 in 30 days are 243.50 per month; half of that is 121.75.
    expect(find(rdsMultiAzNonprod, { subject })).toMatchObject({
      saving: 121.75,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('skips production, and single-AZ databases', () => {
    expect(find(rdsMultiAzNonprod, { subject: { ...subject, tags: { env: 'production' } } })).toBeNull();
    const usage = [aUsage({ meter: 'InstanceUsage:db.m6g.large' })];
    expect(find(rdsMultiAzNonprod, { subject: { ...subject, usage } })).toBeNull();
  });

  it('skips databases covered by a reservation', () => {
    const usage = [aUsage({ meter: 'Multi-AZUsage:db.m6g.large', kind: 'reserved' })];
    expect(find(rdsMultiAzNonprod, { subject: { ...subject, usage } })).toBeNull();
  });
});
