import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_backup_excess;

describe('aws_rds_backup_excess', () => {
  const backedUp = (cost: string) => ({
    ...subject,
    usage: [...subject.usage.slice(0, 1), aUsage({ meter: 'RDS:ChargedBackupUsage', cost })],
  });

  it('saves what backups cost beyond half of the storage', () => {
    // 80 - 100 / 2 = 30 in 30 days, 30.4375 a month.
    expect(find('aws_rds_backup_excess', { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('leaves backups up to half of the storage', () => {
    expect(find('aws_rds_backup_excess', { subject: backedUp('50') })).toBeNull();
    expect(find('aws_rds_backup_excess', { subject: backedUp('51') })?.saving).toBeCloseTo(1.0146, 4);
  });

  it('finds snapshots of deleted databases, if that is known', () => {
    const nativeId = 'arn:aws:rds:eu-west-1:1:snapshot:orders-final';
    const snapshot = { ...subject, nativeId, metadata: {}, usage: subject.usage.slice(1) };
    expect(find('aws_rds_backup_excess', { subject: snapshot })).toBeNull();
    const orphan = find('aws_rds_backup_excess', { subject: { ...snapshot, metadata: { sourceExists: false } } });
    // 80 in 30 days are 81.166666.. a month.
    expect(orphan?.saving).toBe(81.166667);
    expect(orphan?.scripts()[0]?.script).toContain('delete-db-snapshot');
  });

  it('speaks of clusters where Aurora is backed up', () => {
    const scripts = (nativeId: string) =>
      find('aws_rds_backup_excess', { subject: { ...subject, nativeId } })
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

  it('shortens the retention only where it is known to be longer than 7 days', () => {
    const scripts = (retentionDays?: number) =>
      find('aws_rds_backup_excess', {
        subject: { ...subject, metadata: retentionDays === undefined ? {} : { retentionDays } },
      })?.scripts();
    expect(scripts(8)).toHaveLength(2);
    expect(scripts(7)).toHaveLength(1);
    expect(scripts()).toHaveLength(1);
  });
});
