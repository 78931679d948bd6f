import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_nat_idle;

describe('aws_nat_idle', () => {
  const passed = (recentQuantity: string) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'NatGateway-Bytes', recentQuantity, cost: '0' })];
    return find('aws_nat_idle', { subject: { ...subject, usage } });
  };

  it('saves hours and bytes', () => {
    // 38 in 30 days are 38.554166.. a month.
    expect(find('aws_nat_idle', { subject })).toMatchObject({
      saving: 38.554167,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('leaves a gateway from 1 GB in 14 days on', () => {
    expect(passed('0.999')?.saving).toBe(36.525);
    expect(passed('1')).toBeNull();
  });

  it('waits until 14 days are known', () => {
    expect(find('aws_nat_idle', { subject: { ...subject, firstSeen: '2026-11-06' } })).toBeNull();
    expect(find('aws_nat_idle', { subject: { ...subject, firstSeen: '2026-11-05' } })).not.toBeNull();
    const { window, ...rest } = aContext();
    expect(find('aws_nat_idle', { subject, context: { ...rest, window: { ...window, days: 13 } } })).toBeNull();
  });
});
