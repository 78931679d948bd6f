import { describe, expect, it } from 'vitest';
import {
  crossAzTransfer,
  crossAzTransferShared,
} from '../../../../../src/analysis/recommendations/detectors/aws/cross-az-transfer.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_cross_az_transfer;

describe('aws_cross_az_transfer', () => {
  const moved = (quantity: string, meter = 'DataTransfer-Regional-Bytes') =>
    find(crossAzTransfer, { subject: { ...subject, usage: [aUsage({ meter, quantity, cost: '20' })] } });

  it('saves half of the traffic cost', () => {
    // 20 in 30 days are 20.291666.. per month; half of that is 10.145833.
    expect(find(crossAzTransfer, { subject })).toMatchObject({
      saving: 10.145833,
      confidence: 'low',
      method: 'factor',
    });
    const shared = awsCases.aws_cross_az_transfer_shared.subject;
    expect(find(crossAzTransferShared, { subject: shared })?.saving).toBe(10.145833);
  });

  it('skips traffic below 1000 GB per month', () => {
    // 985 in 30 days are 999.4 per month, 986 are 1000.4.
    expect(moved('985')).toBeNull();
    expect(moved('986')).not.toBeNull();
  });

  it('skips traffic to the internet', () => {
    expect(moved('5000', 'DataTransfer-Out-Bytes')).toBeNull();
  });
});
