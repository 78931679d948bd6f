import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_piops_gp3;

describe('aws_rds_piops_gp3', () => {
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
