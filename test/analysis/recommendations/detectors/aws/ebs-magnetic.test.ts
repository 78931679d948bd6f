import { describe, expect, it } from 'vitest';
import { ebsMagnetic } from '../../../../../src/analysis/recommendations/detectors/aws/ebs-magnetic.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_magnetic;

describe('aws_ebs_magnetic', () => {
  const operations = (cost: string) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'EBS:VolumeIOUsage', cost })];
    return find(ebsMagnetic, { subject: { ...subject, usage } });
  };

  it('saves the difference in storage and I/O to gp3', () => {
    // 35 in 30 days are 35.510416.. per month; gp3 at 160 % of 0.05 per GiB: 304.375 * 0.08 = 24.35.
    expect(find(ebsMagnetic, { subject })).toMatchObject({ saving: 11.160417, confidence: 'medium', method: 'factor' });
  });

  it('uses the gp3 price that the account pays', () => {
    // 304.375 * 0.1 = 30.4375.
    const context = aContext({ 'EBS:VolumeUsage.gp3': '0.1' });
    expect(find(ebsMagnetic, { subject, context })).toMatchObject({ saving: 5.072917, method: 'observed' });
  });

  it('skips a volume with little I/O, whose storage costs more as gp3', () => {
    // 15 and 9 in 30 days cost as much as gp3.
    expect(operations('9.001')).not.toBeNull();
    expect(operations('9')).toBeNull();
  });

  it('skips other volume types', () => {
    expect(
      find(ebsMagnetic, { subject: { ...subject, usage: [aUsage({ meter: 'EBS:VolumeUsage.st1' })] } }),
    ).toBeNull();
  });
});
