import { describe, expect, it } from 'vitest';
import { rdsPiopsGp3 } from '../../../../../src/analysis/recommendations/detectors/aws/rds-piops-gp3.ts';
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

  it('saves the difference between io1 and gp3 with the same IOPS', () => {
    // 625 in 30 days are 634.114583 per month: 25.364583 for storage, 608.75 for 6087.5 IOPS at 0.10. gp3: 92 % of storage,
    // 23.335417, and 3087.5 IOPS above 3000 at 0.02, 61.75. 634.114583 - 85.085417 = 549.029167.
    expect(find(rdsPiopsGp3, { subject })).toMatchObject({
      saving: 549.029167,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('includes 12000 IOPS from 400 GiB, for open-source engines only', () => {
    // In 30 days 394.2 are 399.9 GiB, and 394.3 are 400.05.
    const large = sized('394.3', '11000');
    expect(find(rdsPiopsGp3, { subject: large })?.evidence).toMatchObject({ extra_iops: 0 });
    expect(find(rdsPiopsGp3, { subject: large })?.scripts()[0]?.script).toContain("--iops='12000'");
    const usage = large.usage.map((each) => ({ ...each, description: 'running Oracle EE' }));
    expect(find(rdsPiopsGp3, { subject: { ...large, usage } })?.evidence).not.toMatchObject({ extra_iops: 0 });
  });

  it('accepts only up to 3000 IOPS for open-source engines below 400 GiB, and sets no IOPS for them', () => {
    // In 30 days 2956.8 are 2999.92 IOPS, and 2957 are 3000.12.
    expect(find(rdsPiopsGp3, { subject: sized('394.2', '2957') })).toBeNull();
    const script = find(rdsPiopsGp3, { subject: sized('394.2', '2956.8') })?.scripts()[0]?.script;
    expect(script).toMatch(/--storage-type=gp3 --apply-immediately$/);
    expect(find(rdsPiopsGp3, { subject })?.scripts()[0]?.script).toContain("--iops='6088'");
  });

  it('skips IOPS that gp3 does not support, and other storage types', () => {
    // 64000 IOPS for 30 days are 63080.08 IOPS-months.
    expect(find(rdsPiopsGp3, { subject: sized('1000', '63080') })).not.toBeNull();
    expect(find(rdsPiopsGp3, { subject: sized('1000', '63081') })).toBeNull();
    expect(find(rdsPiopsGp3, { subject: { ...subject, usage: [aUsage({ meter: 'RDS:GP3-Storage' })] } })).toBeNull();
  });
});
