import { describe, expect, it } from 'vitest';
import { eipIdle } from '../../../../../src/analysis/recommendations/detectors/aws/eip-idle.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_eip_idle;

describe('aws_eip_idle', () => {
  it('saves the full cost of the address', () => {
    // 3.60 in 30 days are 3.6525 per month.
    expect(find(eipIdle, { subject })).toMatchObject({ saving: 3.6525, confidence: 'high', method: 'observed' });
  });

  it('recognizes the usage type from before 2024', () => {
    const usage = [aUsage({ meter: 'ElasticIP:IdleAddress', recentQuantity: '336', cost: '3.6' })];
    expect(find(eipIdle, { subject: { ...subject, usage } })?.saving).toBe(3.6525);
  });

  it('skips an address that is in use now, however long it was idle before', () => {
    const idle = (recentQuantity: string) => [aUsage({ meter: 'PublicIPv4:IdleAddress', recentQuantity, cost: '3.6' })];
    expect(find(eipIdle, { subject: { ...subject, usage: idle('288') } })).not.toBeNull();
    expect(find(eipIdle, { subject: { ...subject, usage: idle('287.9') } })).toBeNull();
    const used = aUsage({ meter: 'PublicIPv4:InUseAddress', recentQuantity: '1' });
    expect(find(eipIdle, { subject: { ...subject, usage: [...idle('335'), used] } })).toBeNull();
    const metadata = { attachedTo: 'eni-1' };
    expect(find(eipIdle, { subject: { ...subject, metadata } })).toBeNull();
  });

  it('has no command for an address without an allocation id', () => {
    const nativeId = 'arn:aws:ec2:eu-west-1:111111111111:elastic-ip/203.0.113.9';
    expect(find(eipIdle, { subject: { ...subject, nativeId } })?.scripts()).toEqual([]);
  });

  it('skips an address in use, and excludes the cost of its hours in use', () => {
    const used = aUsage({ meter: 'PublicIPv4:InUseAddress', cost: '3.6' });
    expect(find(eipIdle, { subject: { ...subject, usage: [used] } })).toBeNull();
    expect(find(eipIdle, { subject: { ...subject, usage: [...subject.usage, used] } })?.saving).toBe(3.6525);
  });
});
