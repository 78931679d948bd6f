import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_magnetic;

describe('aws_ebs_magnetic', () => {
  const operations = (cost: string) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'EBS:VolumeIOUsage', cost })];
    return find('aws_ebs_magnetic', { subject: { ...subject, usage } });
  };

  it('saves what storage and operations cost beyond gp3', () => {
    // 35 in 30 days are 35.510416.. a month; gp3 at 160 % of 0.05 a GiB: 304.375 * 0.08 = 24.35.
    expect(find('aws_ebs_magnetic', { subject })).toMatchObject({
      saving: 11.160417,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('takes the price of gp3 that the account pays', () => {
    // 304.375 * 0.1 = 30.4375.
    const context = aContext({ 'EBS:VolumeUsage.gp3': '0.1' });
    expect(find('aws_ebs_magnetic', { subject, context })).toMatchObject({ saving: 5.072917, method: 'observed' });
  });

  it('leaves a volume with few operations: storage alone costs more as gp3', () => {
    // 15 and 9 in 30 days are as much as gp3.
    expect(operations('9.001')).not.toBeNull();
    expect(operations('9')).toBeNull();
  });

  it('leaves other volumes', () => {
    expect(
      find('aws_ebs_magnetic', { subject: { ...subject, usage: [aUsage({ meter: 'EBS:VolumeUsage.st1' })] } }),
    ).toBeNull();
  });
});
