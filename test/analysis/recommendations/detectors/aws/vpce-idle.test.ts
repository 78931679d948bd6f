import { describe, expect, it } from 'vitest';
import { vpceIdle } from '../../../../../src/analysis/recommendations/detectors/aws/vpce-idle.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_vpce_idle;

describe('aws_vpce_idle', () => {
  it('saves the cost of hours and bytes', () => {
    // 7.21 in 30 days are 7.315145.. per month.
    expect(find(vpceIdle, { subject })).toMatchObject({ saving: 7.315146, confidence: 'high', method: 'observed' });
  });

  it('skips an endpoint with 0.1 GB or more in 14 days', () => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'VpcEndpoint-Bytes', recentQuantity: '0.1' })];
    expect(find(vpceIdle, { subject: { ...subject, usage } })).toBeNull();
    expect(find(vpceIdle, { subject: { ...subject, usage: usage.slice(0, 1) } })?.saving).toBe(7.305);
  });

  it('waits for 14 days of data', () => {
    expect(find(vpceIdle, { subject: { ...subject, firstSeen: '2026-11-06' } })).toBeNull();
    expect(find(vpceIdle, { subject: { ...subject, firstSeen: '2026-11-05' } })).not.toBeNull();
  });
});
