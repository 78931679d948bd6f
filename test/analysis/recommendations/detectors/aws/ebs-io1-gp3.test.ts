import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_io1_gp3;

describe('aws_ebs_io1_gp3', () => {
  it('saves storage and operations beyond a gp3 volume as fast', () => {
    // 427.50 in 30 days are 433.734375 a month: 304.375 GiB at 0.125 and 6087.5 operations a second at 0.065. gp3 at 64 %,
    // 0.08: 304.375 for storage, (6087.5 - 3000) * 0.06 = 185.25 for operations, (500 - 125) * 0.5 = 187.5 for throughput:
    // 677.125 * 0.08 = 54.17. 433.734375 - 54.17 = 379.564375.
    expect(find('aws_ebs_io1_gp3', { subject })).toMatchObject({
      saving: 379.564375,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('takes the price of gp3 that the account pays', () => {
    // 677.125 * 0.1 = 67.7125.
    const context = aContext({ 'EBS:VolumeUsage.gp3': '0.1' });
    expect(find('aws_ebs_io1_gp3', { subject, context })).toMatchObject({ saving: 366.021875, method: 'observed' });
  });

  it('leaves volumes faster than any gp3, and those of which the operations are not known', () => {
    const [storage = aUsage({}), operations = aUsage({})] = subject.usage;
    // 16000 operations a second for 30 days are 15770.02 operation-months.
    const of = (quantity: string) => [storage, aUsage({ meter: operations.meter, quantity, cost: '1000' })];
    expect(find('aws_ebs_io1_gp3', { subject: { ...subject, usage: of('15770') } })).not.toBeNull();
    expect(find('aws_ebs_io1_gp3', { subject: { ...subject, usage: of('15771') } })).toBeNull();
    expect(find('aws_ebs_io1_gp3', { subject: { ...subject, usage: [storage] } })).toBeNull();
  });
});
