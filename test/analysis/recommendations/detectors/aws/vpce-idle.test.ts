import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_vpce_idle;

describe('aws_vpce_idle', () => {
  it('saves hours and bytes', () => {
    // 7.21 in 30 days are 7.315145.. a month.
    expect(find('aws_vpce_idle', { subject })).toMatchObject({
      saving: 7.315146,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('leaves an endpoint from 0.1 GB in 14 days on', () => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'VpcEndpoint-Bytes', recentQuantity: '0.1' })];
    expect(find('aws_vpce_idle', { subject: { ...subject, usage } })).toBeNull();
    expect(find('aws_vpce_idle', { subject: { ...subject, usage: usage.slice(0, 1) } })?.saving).toBe(7.305);
  });

  it('waits until 14 days are known', () => {
    expect(find('aws_vpce_idle', { subject: { ...subject, firstSeen: '2026-11-06' } })).toBeNull();
    expect(find('aws_vpce_idle', { subject: { ...subject, firstSeen: '2026-11-05' } })).not.toBeNull();
  });
});
