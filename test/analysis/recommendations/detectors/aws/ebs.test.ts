import { describe, expect, it } from 'vitest';
import { aSubject, find, aContext, aUsage } from '../../subject.ts';
import { awsCases } from './cases.ts';
import { runInShell } from '../../shell.ts';
import { instanceArn } from './arn.ts';

describe('aws_ebs_unattached', () => {
  const { subject } = awsCases.aws_ebs_unattached;

  it('estimates at most the cost of the volume, as its snapshot is not free', () => {
    // 30 in 30 days are 30.4375 per month.
    expect(find('aws_ebs_unattached', { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'high',
      method: 'upper_bound',
      evidence: { unattached_since: '2026-09-01' },
    });
  });

  it('has lower confidence and no date when the detach time is unknown', () => {
    expect(find('aws_ebs_unattached', { subject: { ...subject, metadata: { state: 'available' } } })).toMatchObject({
      confidence: 'medium',
      evidence: { unattached_since: null },
    });
  });

  it('skips volumes in use or with unknown state, and subjects without volume usage', () => {
    expect(find('aws_ebs_unattached', { subject: { ...subject, metadata: { state: 'in-use' } } })).toBeNull();
    expect(find('aws_ebs_unattached', { subject: { ...subject, metadata: {} } })).toBeNull();
    const usage = [{ meter: 'EBS:SnapshotUsage' }];
    expect(find('aws_ebs_unattached', { subject: aSubject({ metadata: { state: 'available' }, usage }) })).toBeNull();
  });

  it('waits until it has been unattached for 7 days', () => {
    const since = (stateSince: string) => ({ ...subject, metadata: { state: 'available', stateSince } });
    expect(find('aws_ebs_unattached', { subject: since('2026-11-13') })).toBeNull();
    expect(find('aws_ebs_unattached', { subject: since('2026-11-12T08:00:00Z') })?.saving).toBe(30.4375);
  });
});

describe('aws_ec2_stopped_storage', () => {
  const { subject } = awsCases.aws_ec2_stopped_storage;

  const listed = (metadata: object) => find('aws_ec2_stopped_storage', { subject: { ...subject, metadata } });

  it('estimates at most the cost of the volume', () => {
    expect(find('aws_ec2_stopped_storage', { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'medium',
      method: 'upper_bound',
    });
  });

  it('skips volumes of running instances, and of instances with unknown state', () => {
    expect(listed({ attachedToState: 'running', attachedToStateSince: '2026-01-01' })).toBeNull();
    expect(listed({ attachedToState: 'stopped' })).toBeNull();
    expect(listed({})).toBeNull();
  });

  it('waits until the instance has been stopped for 30 days', () => {
    const stopped = { attachedTo: instanceArn, attachedToState: 'stopped' };
    expect(listed({ ...stopped, attachedToStateSince: '2026-10-21' })).toBeNull();
    expect(listed({ ...stopped, attachedToStateSince: '2026-10-20T09:00:00Z' })).not.toBeNull();
  });

  it('takes a snapshot before it deletes', async () => {
    const { calls } = await runInShell(find('aws_ec2_stopped_storage', { subject })?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call[2])).toEqual(['create-snapshot', 'wait', 'detach-volume', 'wait', 'delete-volume']);
  });
});

describe('aws_ebs_gp2_gp3', () => {
  const { subject } = awsCases.aws_ebs_gp2_gp3;

  it('saves the difference between gp2 and an equally fast gp3 volume', () => {
    // 600 GB-months in 30 days are 608.75 GiB at 0.10: 60.875 per month. gp3 at 80%, 0.08: 608.75 * 0.08 = 48.70 for storage;
    // 1826 IOPS are within 3000; 125 more MiB/s cost 62.5 GiB, 5.00. 60.875 - 53.70 = 7.175.
    expect(find('aws_ebs_gp2_gp3', { subject })).toMatchObject({
      saving: 7.175,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('uses the listed size', () => {
    // 600 GiB of gp3 at 0.08: 48.00, and 62.5 GiB for throughput: 5.00. 60.875 - 53 = 7.875.
    const listed = { ...subject, metadata: { ...subject.metadata, sizeGib: 600 } };
    expect(find('aws_ebs_gp2_gp3', { subject: listed })).toMatchObject({ saving: 7.875, evidence: { size_gib: 600 } });
  });

  it('uses the gp3 price that the account pays', () => {
    // At 0.07: 608.75 * 0.07 = 42.6125 and 62.5 * 0.07 = 4.375. 60.875 - 46.9875 = 13.8875.
    const context = aContext({ 'EBS:VolumeUsage.gp3': '0.07' });
    expect(find('aws_ebs_gp2_gp3', { subject, context })).toMatchObject({ saving: 13.8875, method: 'observed' });
    expect(find('aws_ebs_gp2_gp3', { subject, context: aContext({ 'EBS:VolumeUsage.gp3': '0.1' }) })).toBeNull();
  });

  it('adds throughput above 150 GiB and IOPS above 1000 GiB', () => {
    const of = (gib: string) =>
      find('aws_ebs_gp2_gp3', {
        subject: { ...subject, usage: [aUsage({ meter: 'EBS:VolumeUsage.gp2', quantity: gib, cost: gib })] },
        context: aContext({ 'EBS:VolumeUsage.gp3': '0.1' }),
      });
    // In 30 days 147.8 are 149.96 GiB, and 148 are 150.16; 985 are 999.4, 986 are 1000.4 with 3001.1 IOPS.
    expect(of('147.8')?.evidence).toMatchObject({ gp3_throughput_mibps: 125, gp3_iops: 3000 });
    expect(of('148')?.evidence).toMatchObject({ gp3_throughput_mibps: 250, gp3_iops: 3000 });
    expect(of('985')?.evidence).toMatchObject({ gp3_iops: 3000 });
    expect(of('986')?.evidence['gp3_iops']).toBeCloseTo(3001.1375, 4);
    expect(of('9000')?.evidence).toMatchObject({ gp3_iops: 16000 });
  });

  it('skips a volume whose extra throughput would cost more than the change saves', () => {
    // 148 at 0.10 are 15.02 per month; gp3 at 0.08 for 150.16 and 62.5 GiB is 17.01.
    const usage = [aUsage({ meter: 'EBS:VolumeUsage.gp2', quantity: '148', cost: '14.8' })];
    expect(find('aws_ebs_gp2_gp3', { subject: { ...subject, usage } })).toBeNull();
  });

  it('skips gp3 volumes, and gp2 covered by a commitment', () => {
    expect(find('aws_ebs_gp2_gp3', { subject: aSubject({ usage: [{ meter: 'EBS:VolumeUsage.gp3' }] }) })).toBeNull();
    const usage = [aUsage({ meter: 'EBS:VolumeUsage.gp2', kind: 'other' })];
    expect(find('aws_ebs_gp2_gp3', { subject: { ...subject, usage } })).toBeNull();
  });
});

describe('aws_ebs_io1_gp3', () => {
  const { subject } = awsCases.aws_ebs_io1_gp3;

  it('saves the difference in storage and IOPS to an equally fast gp3 volume', () => {
    // 427.50 in 30 days are 433.734375 per month: 304.375 GiB at 0.125 and 6087.5 IOPS at 0.065. gp3 at 64%, 0.08:
    // 304.375 for storage, (6087.5 - 3000) * 0.06 = 185.25 for IOPS, (500 - 125) * 0.5 = 187.5 for throughput:
    // 677.125 * 0.08 = 54.17. 433.734375 - 54.17 = 379.564375.
    expect(find('aws_ebs_io1_gp3', { subject })).toMatchObject({
      saving: 379.564375,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('uses the gp3 price that the account pays', () => {
    // 677.125 * 0.1 = 67.7125.
    const context = aContext({ 'EBS:VolumeUsage.gp3': '0.1' });
    expect(find('aws_ebs_io1_gp3', { subject, context })).toMatchObject({ saving: 366.021875, method: 'observed' });
  });

  it('skips volumes faster than gp3 supports, and volumes with unknown IOPS', () => {
    const [storage = aUsage({}), operations = aUsage({})] = subject.usage;
    // 16000 IOPS for 30 days are 15770.02 IOPS-months.
    const of = (quantity: string) => [storage, aUsage({ meter: operations.meter, quantity, cost: '1000' })];
    expect(find('aws_ebs_io1_gp3', { subject: { ...subject, usage: of('15770') } })).not.toBeNull();
    expect(find('aws_ebs_io1_gp3', { subject: { ...subject, usage: of('15771') } })).toBeNull();
    expect(find('aws_ebs_io1_gp3', { subject: { ...subject, usage: [storage] } })).toBeNull();
  });
});

describe('aws_ebs_magnetic', () => {
  const { subject } = awsCases.aws_ebs_magnetic;

  const operations = (cost: string) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'EBS:VolumeIOUsage', cost })];
    return find('aws_ebs_magnetic', { subject: { ...subject, usage } });
  };

  it('saves the difference in storage and I/O to gp3', () => {
    // 35 in 30 days are 35.510416.. per month; gp3 at 160% of 0.05 per GiB: 304.375 * 0.08 = 24.35.
    expect(find('aws_ebs_magnetic', { subject })).toMatchObject({
      saving: 11.160417,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('uses the gp3 price that the account pays', () => {
    // 304.375 * 0.1 = 30.4375.
    const context = aContext({ 'EBS:VolumeUsage.gp3': '0.1' });
    expect(find('aws_ebs_magnetic', { subject, context })).toMatchObject({ saving: 5.072917, method: 'observed' });
  });

  it('skips a volume with little I/O, whose storage costs more as gp3', () => {
    // 15 and 9 in 30 days cost as much as gp3.
    expect(operations('9.001')).not.toBeNull();
    expect(operations('9')).toBeNull();
  });

  it('skips other volume types', () => {
    expect(
      find('aws_ebs_magnetic', { subject: { ...subject, usage: [aUsage({ meter: 'EBS:VolumeUsage.st1' })] } }),
    ).toBeNull();
  });
});
