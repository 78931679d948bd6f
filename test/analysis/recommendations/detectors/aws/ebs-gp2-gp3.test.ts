import { describe, expect, it } from 'vitest';
import { aContext, aSubject, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_gp2_gp3;

describe('aws_ebs_gp2_gp3', () => {
  it('saves what gp2 costs beyond a gp3 volume as fast', () => {
    // 600 GB-months in 30 days are 608.75 GiB at 0.10: 60.875 a month. gp3 at 80 %, 0.08: 608.75 * 0.08 = 48.70 for storage;
    // 1826 operations a second are within 3000; 125 MiB/s more cost 62.5 GiB, 5.00. 60.875 - 53.70 = 7.175.
    expect(find('aws_ebs_gp2_gp3', { subject })).toMatchObject({
      saving: 7.175,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('goes by the size that the listing tells', () => {
    // gp3 of 600 GiB at 0.08: 48.00, and 62.5 GiB of throughput 5.00. 60.875 - 53 = 7.875.
    const listed = { ...subject, metadata: { ...subject.metadata, sizeGib: 600 } };
    expect(find('aws_ebs_gp2_gp3', { subject: listed })).toMatchObject({ saving: 7.875, evidence: { size_gib: 600 } });
  });

  it('takes the price of gp3 that the account pays', () => {
    // At 0.07: 608.75 * 0.07 = 42.6125 and 62.5 * 0.07 = 4.375. 60.875 - 46.9875 = 13.8875.
    const context = aContext({ 'EBS:VolumeUsage.gp3': '0.07' });
    expect(find('aws_ebs_gp2_gp3', { subject, context })).toMatchObject({ saving: 13.8875, method: 'observed' });
    expect(find('aws_ebs_gp2_gp3', { subject, context: aContext({ 'EBS:VolumeUsage.gp3': '0.1' }) })).toBeNull();
  });

  it('buys throughput from 150 GiB on and operations from 1000 GiB on', () => {
    const of = (gib: string) =>
      find('aws_ebs_gp2_gp3', {
        subject: { ...subject, usage: [aUsage({ meter: 'EBS:VolumeUsage.gp2', quantity: gib, cost: gib })] },
        context: aContext({ 'EBS:VolumeUsage.gp3': '0.1' }),
      });
    // In 30 days 147.8 are 149.96 GiB, and 148 are 150.16; 985 are 999.4, 986 are 1000.4 with 3001.1 operations.
    expect(of('147.8')?.evidence).toMatchObject({ gp3_throughput_mibps: 125, gp3_iops: 3000 });
    expect(of('148')?.evidence).toMatchObject({ gp3_throughput_mibps: 250, gp3_iops: 3000 });
    expect(of('985')?.evidence).toMatchObject({ gp3_iops: 3000 });
    expect(of('986')?.evidence['gp3_iops']).toBeCloseTo(3001.1375, 4);
    expect(of('9000')?.evidence).toMatchObject({ gp3_iops: 16000 });
  });

  it('leaves a volume whose throughput would cost more than the change saves', () => {
    // 148 at 0.10 are 15.02 a month; gp3 at 0.08 for 150.16 and 62.5 GiB 17.01.
    const usage = [aUsage({ meter: 'EBS:VolumeUsage.gp2', quantity: '148', cost: '14.8' })];
    expect(find('aws_ebs_gp2_gp3', { subject: { ...subject, usage } })).toBeNull();
  });

  it('leaves gp3 volumes, and gp2 that a commitment covers', () => {
    expect(find('aws_ebs_gp2_gp3', { subject: aSubject({ usage: [{ meter: 'EBS:VolumeUsage.gp3' }] }) })).toBeNull();
    const usage = [aUsage({ meter: 'EBS:VolumeUsage.gp2', kind: 'other' })];
    expect(find('aws_ebs_gp2_gp3', { subject: { ...subject, usage } })).toBeNull();
  });
});
