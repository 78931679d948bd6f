import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

describe('aws_rds_previous_gen', () => {
  const { subject } = awsCases.aws_rds_previous_gen;

  const billed = (meter: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter, description, cost: '288' })],
  });

  it('saves 2% of m4 and 7% of m3 when no price of the current classes is observed', () => {
    // 288 in 30 days are 292.20 per month; 2% of that is 5.844, 7% is 20.454.
    expect(find('aws_rds_previous_gen', { subject })).toMatchObject({
      saving: 5.844,
      confidence: 'medium',
      method: 'factor',
    });
    expect(find('aws_rds_previous_gen', { subject: billed('InstanceUsage:db.m3.xlarge') })?.saving).toBe(20.454);
  });

  it('finds nothing for classes whose successors cost the same, unless the account pays less for them', () => {
    // 0.40 vs. 0.39 per hour: 7.20 in 30 days, 7.305 per month.
    for (const [type, heir] of [
      ['db.t2.medium', 'db.t3.medium'],
      ['db.r4.large', 'db.r6i.large'],
    ] as const) {
      const old = billed(`InstanceUsage:${type}`);
      expect(find('aws_rds_previous_gen', { subject: old })).toBeNull();
      const context = aContext({ [`InstanceUsage:${heir}`]: '0.39' });
      expect(find('aws_rds_previous_gen', { subject: old, context })?.saving).toBe(7.305);
    }
  });

  it("uses the account's price for the same deployment, for open-source engines only", () => {
    // 0.40 vs. 0.35 per hour: 720 * 0.05 = 36 in 30 days, 36.525 per month.
    const context = aContext({ 'InstanceUsage:db.m6i.xlarge': '0.35', 'Multi-AZUsage:db.m6i.xlarge': '0.1' });
    expect(find('aws_rds_previous_gen', { subject, context })).toMatchObject({ saving: 36.525, method: 'observed' });
    const oracle = billed('InstanceUsage:db.m4.xlarge', 'running Oracle SE2 (LI)');
    expect(find('aws_rds_previous_gen', { subject: oracle, context })?.saving).toBe(5.844);
  });

  it('skips current classes, sizes without an equivalent, and resources other than database instances', () => {
    expect(find('aws_rds_previous_gen', { subject: billed('InstanceUsage:db.m5.xlarge') })).toBeNull();
    expect(find('aws_rds_previous_gen', { subject: billed('InstanceUsage:db.m4.10xlarge') })).toBeNull();
    expect(
      find('aws_rds_previous_gen', { subject: { ...subject, nativeId: 'arn:aws:rds:eu-west-1:1:cluster:orders' } }),
    ).toBeNull();
  });
});

describe('aws_rds_graviton', () => {
  const { subject } = awsCases.aws_rds_graviton;

  const billed = (meter: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter, description, cost: '288' })],
  });

  it('saves 10%, or the difference to the price that the account pays', () => {
    // 288 in 30 days are 292.20 per month; 10% of that is 29.22.
    expect(find('aws_rds_graviton', { subject })).toMatchObject({
      saving: 29.22,
      confidence: 'medium',
      method: 'factor',
    });
    // 0.40 vs. 0.35 per hour: 720 * 0.05 = 36 in 30 days, 36.525 per month.
    const context = aContext({ 'InstanceUsage:db.m6g.xlarge': '0.35' });
    expect(find('aws_rds_graviton', { subject, context })).toMatchObject({ saving: 36.525, method: 'observed' });
  });

  it('saves 4% of burstable classes, and recommends generation 6 for Intel generation 6', () => {
    // 292.20 per month; 4% of that is 11.688.
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.t3.medium') })?.saving).toBe(11.688);
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m6i.large') })?.evidence).toMatchObject({
      target_class: 'db.m6g.large',
    });
  });

  it('does not use the price of another engine for Aurora', () => {
    const context = aContext({ 'InstanceUsage:db.r6g.large': '0.01' });
    const aurora = billed('InstanceUsage:db.r5.large', 'RDS db.r5.large instance hour running Aurora PostgreSQL');
    expect(find('aws_rds_graviton', { subject: aurora, context })?.saving).toBe(29.22);
  });

  it('skips licensed engines, arm64, old classes, and sizes without a Graviton equivalent', () => {
    expect(
      find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m5.xlarge', 'running SQL Server Web') }),
    ).toBeNull();
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m6g.xlarge') })).toBeNull();
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m4.xlarge') })).toBeNull();
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m5.16xlarge') })).not.toBeNull();
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m5.24xlarge') })).toBeNull();
  });
});

describe('aws_rds_multi_az_nonprod', () => {
  const { subject } = awsCases.aws_rds_multi_az_nonprod;

  it('saves half of the cost of instance and storage, not of backups', () => {
    // 240 in 30 days are 243.50 per month; half of that is 121.75.
    expect(find('aws_rds_multi_az_nonprod', { subject })).toMatchObject({
      saving: 121.75,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('skips production, and single-AZ databases', () => {
    expect(find('aws_rds_multi_az_nonprod', { subject: { ...subject, tags: { env: 'production' } } })).toBeNull();
    const usage = [aUsage({ meter: 'InstanceUsage:db.m6g.large' })];
    expect(find('aws_rds_multi_az_nonprod', { subject: { ...subject, usage } })).toBeNull();
  });

  it('skips databases covered by a reservation', () => {
    const usage = [aUsage({ meter: 'Multi-AZUsage:db.m6g.large', kind: 'reserved' })];
    expect(find('aws_rds_multi_az_nonprod', { subject: { ...subject, usage } })).toBeNull();
  });
});

describe('aws_rds_piops_gp3', () => {
  const { subject } = awsCases.aws_rds_piops_gp3;

  const sized = (gib: string, iops: string) => ({
    ...subject,
    usage: [
      aUsage({ meter: 'InstanceUsage:db.m5.xlarge', description: 'running MySQL', kind: 'reserved' }),
      aUsage({ meter: 'RDS:PIOPS-Storage', quantity: gib, cost: gib }),
      aUsage({ meter: 'RDS:PIOPS', quantity: iops, cost: iops }),
    ],
  });

  it('saves the difference between io1 and gp3 with the same IOPS', () => {
    // 625 in 30 days are 634.114583 per month: 25.364583 for storage, 608.75 for 6087.5 IOPS at 0.10. gp3: 92% of storage,
    // 23.335417, and 3087.5 IOPS above 3000 at 0.02, 61.75. 634.114583 - 85.085417 = 549.029167.
    expect(find('aws_rds_piops_gp3', { subject })).toMatchObject({
      saving: 549.029167,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('includes 12000 IOPS from 400 GiB, for open-source engines only', () => {
    // In 30 days 394.2 are 399.9 GiB, and 394.3 are 400.05.
    const large = sized('394.3', '11000');
    expect(find('aws_rds_piops_gp3', { subject: large })?.evidence).toMatchObject({ extra_iops: 0 });
    expect(find('aws_rds_piops_gp3', { subject: large })?.scripts()[0]?.script).toContain("--iops='12000'");
    const usage = large.usage.map((each) => ({ ...each, description: 'running Oracle EE' }));
    expect(find('aws_rds_piops_gp3', { subject: { ...large, usage } })?.evidence).not.toMatchObject({ extra_iops: 0 });
  });

  it('accepts only up to 3000 IOPS for open-source engines below 400 GiB, and sets no IOPS for them', () => {
    // In 30 days 2956.8 are 2999.92 IOPS, and 2957 are 3000.12.
    expect(find('aws_rds_piops_gp3', { subject: sized('394.2', '2957') })).toBeNull();
    const script = find('aws_rds_piops_gp3', { subject: sized('394.2', '2956.8') })?.scripts()[0]?.script;
    expect(script).toMatch(/--storage-type=gp3 --apply-immediately$/);
    expect(find('aws_rds_piops_gp3', { subject })?.scripts()[0]?.script).toContain("--iops='6088'");
  });

  it('skips IOPS that gp3 does not support, and other storage types', () => {
    // 64000 IOPS for 30 days are 63080.08 IOPS-months.
    expect(find('aws_rds_piops_gp3', { subject: sized('1000', '63080') })).not.toBeNull();
    expect(find('aws_rds_piops_gp3', { subject: sized('1000', '63081') })).toBeNull();
    expect(
      find('aws_rds_piops_gp3', { subject: { ...subject, usage: [aUsage({ meter: 'RDS:GP3-Storage' })] } }),
    ).toBeNull();
  });
});

describe('aws_rds_backup_excess', () => {
  const { subject } = awsCases.aws_rds_backup_excess;

  const backedUp = (cost: string) => ({
    ...subject,
    usage: [...subject.usage.slice(0, 1), aUsage({ meter: 'RDS:ChargedBackupUsage', cost })],
  });

  it('saves the cost of backups above half of the storage cost', () => {
    // 80 - 100 / 2 = 30 in 30 days, 30.4375 per month.
    expect(find('aws_rds_backup_excess', { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips backups up to half of the storage cost', () => {
    expect(find('aws_rds_backup_excess', { subject: backedUp('50') })).toBeNull();
    expect(find('aws_rds_backup_excess', { subject: backedUp('51') })?.saving).toBeCloseTo(1.0146, 4);
  });

  it('finds snapshots of databases known to be deleted', () => {
    const nativeId = 'arn:aws:rds:eu-west-1:1:snapshot:orders-final';
    const snapshot = { ...subject, nativeId, metadata: {}, usage: subject.usage.slice(1) };
    expect(find('aws_rds_backup_excess', { subject: snapshot })).toBeNull();
    const orphan = find('aws_rds_backup_excess', { subject: { ...snapshot, metadata: { sourceExists: false } } });
    // 80 in 30 days are 81.166666.. per month.
    expect(orphan?.saving).toBe(81.166667);
    expect(orphan?.scripts()[0]?.script).toContain('delete-db-snapshot');
  });

  it('uses the cluster commands for Aurora', () => {
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

  it('shortens the retention only if it is known to exceed 7 days', () => {
    const scripts = (retentionDays?: number) =>
      find('aws_rds_backup_excess', {
        subject: { ...subject, metadata: retentionDays === undefined ? {} : { retentionDays } },
      })?.scripts();
    expect(scripts(8)).toHaveLength(2);
    expect(scripts(7)).toHaveLength(1);
    expect(scripts()).toHaveLength(1);
  });
});
