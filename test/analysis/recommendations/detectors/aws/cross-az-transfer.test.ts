import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_cross_az_transfer;

describe('aws_cross_az_transfer', () => {
  const moved = (quantity: string, meter = 'DataTransfer-Regional-Bytes') =>
    find('aws_cross_az_transfer', { subject: { ...subject, usage: [aUsage({ meter, quantity, cost: '20' })] } });

  it('saves half of the traffic', () => {
    // 20 in 30 days are 20.291666.. a month; half of it is 10.145833.
    expect(find('aws_cross_az_transfer', { subject })).toMatchObject({
      saving: 10.145833,
      confidence: 'low',
      method: 'factor',
    });
    const shared = awsCases.aws_cross_az_transfer_shared.subject;
    expect(find('aws_cross_az_transfer_shared', { subject: shared })?.saving).toBe(10.145833);
  });

  it('leaves less than 1000 GB a month', () => {
    // 985 in 30 days are 999.4 a month, 986 are 1000.4.
    expect(moved('985')).toBeNull();
    expect(moved('986')).not.toBeNull();
  });

  it('leaves traffic to the internet', () => {
    expect(moved('5000', 'DataTransfer-Out-Bytes')).toBeNull();
  });
});
