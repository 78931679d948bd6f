import { describe, expect, it } from 'vitest';
import { rdsBackupExcess } from '../../../../../src/analysis/recommendations/detectors/aws/rds-backup-excess.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_backup_excess;

describe('aws_rds_backup_excess', () => {
  const backedUp = (cost: string) => ({
    ...subject,
    usage: [...subject.usage.slice(0, 1), aUsage({ meter: 'RDS:ChargedBackupUsage', cost })],
  });

  it('saves the cost of backups above half of the storage cost', () => {
    // 80 - 100 / 2 = 30 in 30 days, 30.4375 per month.
    expect(find(rdsBackupExcess, { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips backups up to half of the storage cost', () => {
    expect(find(rdsBackupExcess, { subject: backedUp('50') })).toBeNull();
    expect(find(rdsBackupExcess, { subject: backedUp('51') })?.saving).toBeCloseTo(1.0146, 4);
  });

  it('finds snapshots of databases known to be deleted', () => {
    const nativeId = 'arn:aws:rds:eu-west-1:1:snapshot:orders-final';
    const snapshot = { ...subject, nativeId, metadata: {}, usage: subject.usage.slice(1) };
    expect(find(rdsBackupExcess, { subject: snapshot })).toBeNull();
    const orphan = find(rdsBackupExcess, { subject: { ...snapshot, metadata: { sourceExists: false } } });
    // 80 in 30 days are 81.166666.. per month.
    expect(orphan?.saving).toBe(81.166667);
    expect(orphan?.scripts()[0]?.script).toContain('delete-db-snapshot');
  });

  it('uses the cluster commands for Aurora', () => {
    const scripts = (nativeId: string) =>
      find(rdsBackupExcess, { subject: { ...subject, nativeId } })
        ?.scripts()
        .map(({ script }) => script);
    expect(scripts('arn:aws:rds:eu-west-1:1:cluster:orders')).toEqual([
      "aws rds describe-db-cluster-snapshots --region='eu-west-1' --snapshot-type=manual --db-cluster-identifier='orders'",
      "aws rds modify-db-cluster --region='eu-west-1' --db-cluster-identifier='orders' --backup-retention-period='7' --apply-immediately",
    ]);
    expect(scripts('arn:aws:rds:eu-west-1:1:cluster-snapshot:final')).toEqual([
      "aws rds delete-db-cluster-snapshot --region='eu-west-1' --db-cluster-snapshot-identifier='final'",
    ]);
    expect(scripts('arn:aws:rds:eu-west-1:1:db:orders')?.[1]).toContain("--db-instance-identifier='orders'");
  });

  it('shortens the retention only if it is known to exceed 7 days', () => {
    const scripts = (retentionDays?: number) =>
      find(rdsBackupExcess, {
        subject: { ...subject, metadata: retentionDays === undefined ? {} : { retentionDays } },
      })?.scripts();
    expect(scripts(8)).toHaveLength(2);
    expect(scripts(7)).toHaveLength(1);
    expect(scripts()).toHaveLength(1);
  });
});
