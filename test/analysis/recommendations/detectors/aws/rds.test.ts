import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

describe('aws_rds_previous_gen', () => {
  const { subject } = awsCases.aws_rds_previous_gen;

  const billed = (meter: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter, description, cost: '288' })],
  });

  it('saves 2 % of m4 and 7 % of m3 where no price of the current classes is observed', () => {
    // 288 in 30 days are 292.20 a month; 2 % of it are 5.844, 7 % are 20.454.
    expect(find('aws_rds_previous_gen', { subject })).toMatchObject({
      saving: 5.844,
      confidence: 'medium',
      method: 'factor',
    });
    expect(find('aws_rds_previous_gen', { subject: billed('InstanceUsage:db.m3.xlarge') })?.saving).toBe(20.454);
  });

  it('saves nothing of classes whose heirs cost as much, unless the account pays less for them', () => {
    // 0.40 an hour against 0.39: 7.20 in 30 days, 7.305 in a month.
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

  it('takes the price that the account pays in the same deployment, for open-source engines alone', () => {
    // 0.40 an hour against 0.35: 720 * 0.05 = 36 in 30 days, 36.525 in a month.
    const context = aContext({ 'InstanceUsage:db.m6i.xlarge': '0.35', 'Multi-AZUsage:db.m6i.xlarge': '0.1' });
    expect(find('aws_rds_previous_gen', { subject, context })).toMatchObject({ saving: 36.525, method: 'observed' });
    const oracle = billed('InstanceUsage:db.m4.xlarge', 'running Oracle SE2 (LI)');
    expect(find('aws_rds_previous_gen', { subject: oracle, context })?.saving).toBe(5.844);
  });

  it('leaves current classes, sizes without a peer, and what is no database instance', () => {
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

  it('saves 10 %, or what the price tells that the account pays', () => {
    // 288 in 30 days are 292.20 a month; 10 % of it are 29.22.
    expect(find('aws_rds_graviton', { subject })).toMatchObject({
      saving: 29.22,
      confidence: 'medium',
      method: 'factor',
    });
    // 0.40 an hour against 0.35: 720 * 0.05 = 36 in 30 days, 36.525 in a month.
    const context = aContext({ 'InstanceUsage:db.m6g.xlarge': '0.35' });
    expect(find('aws_rds_graviton', { subject, context })).toMatchObject({ saving: 36.525, method: 'observed' });
  });

  it("saves 4 % of burstable classes, and names the sixth generation for Intel's sixth", () => {
    // 292.20 a month; 4 % of it are 11.688.
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.t3.medium') })?.saving).toBe(11.688);
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m6i.large') })?.evidence).toMatchObject({
      target_class: 'db.m6g.large',
    });
  });

  it('does not take the price of another engine for Aurora', () => {
    const context = aContext({ 'InstanceUsage:db.r6g.large': '0.01' });
    const aurora = billed('InstanceUsage:db.r5.large', 'RDS db.r5.large instance hour running Aurora PostgreSQL');
    expect(find('aws_rds_graviton', { subject: aurora, context })?.saving).toBe(29.22);
  });

  it('leaves licensed engines, arm64, old classes, and sizes without a peer', () => {
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

  it('saves what io1 costs beyond gp3 with as many operations', () => {
    // 625 in 30 days are 634.114583 a month: 25.364583 for storage, 608.75 for 6087.5 operations a second at 0.10. gp3: 92 %
    // of storage, 23.335417, and 3087.5 operations beyond 3000 at 0.02, 61.75. 634.114583 - 85.085417 = 549.029167.
    expect(find('aws_rds_piops_gp3', { subject })).toMatchObject({
      saving: 549.029167,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('counts 12000 operations as included from 400 GiB on, for open-source engines alone', () => {
    // In 30 days 394.2 are 399.9 GiB, and 394.3 are 400.05.
    const large = sized('394.3', '11000');
    expect(find('aws_rds_piops_gp3', { subject: large })?.evidence).toMatchObject({ extra_iops: 0 });
    expect(find('aws_rds_piops_gp3', { subject: large })?.scripts()[0]?.script).toContain("--iops='12000'");
    const usage = large.usage.map((each) => ({ ...each, description: 'running Oracle EE' }));
    expect(find('aws_rds_piops_gp3', { subject: { ...large, usage } })?.evidence).not.toMatchObject({ extra_iops: 0 });
  });

  it('leaves open-source engines below 400 GiB the 3000 operations that RDS gives them there, and no number', () => {
    // In 30 days 2956.8 are 2999.92 operations a second, and 2957 are 3000.12.
    expect(find('aws_rds_piops_gp3', { subject: sized('394.2', '2957') })).toBeNull();
    const script = find('aws_rds_piops_gp3', { subject: sized('394.2', '2956.8') })?.scripts()[0]?.script;
    expect(script).toMatch(/--storage-type=gp3 --apply-immediately$/);
    expect(find('aws_rds_piops_gp3', { subject })?.scripts()[0]?.script).toContain("--iops='6088'");
  });

  it('leaves what gp3 cannot do, and other storage', () => {
    // 64000 operations a second for 30 days are 63080.08 operation-months.
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
