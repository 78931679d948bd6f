import { describe, expect, it } from 'vitest';
import { natIdle } from '../../../../../src/analysis/recommendations/detectors/aws/nat-idle.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_nat_idle;

describe('aws_nat_idle', () => {
  const passed = (recentQuantity: string) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'NatGateway-Bytes', recentQuantity, cost: '0' })];
    return find(natIdle, { subject: { ...subject, usage } });
  };

  it('saves the cost of hours and bytes', () => {
    // 38 in 30 days are 38.554166.. per month.
    expect(find(natIdle, { subject })).toMatchObject({ saving: 38.554167, confidence: 'high', method: 'observed' });
  });

  it('skips a gateway with 1 GB or more in 14 days', () => {
    expect(passed('0.999')?.saving).toBe(36.525);
    expect(passed('1')).toBeNull();
  });

  it('waits for 14 days of data', () => {
    expect(find(natIdle, { subject: { ...subject, firstSeen: '2026-11-06' } })).toBeNull();
    expect(find(natIdle, { subject: { ...subject, firstSeen: '2026-11-05' } })).not.toBeNull();
    const { window, ...rest } = aContext();
    expect(find(natIdle, { subject, context: { ...rest, window: { ...window, days: 13 } } })).toBeNull();
  });
});
