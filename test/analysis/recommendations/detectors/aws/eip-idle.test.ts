import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_eip_idle;

describe('aws_eip_idle', () => {
  it('saves all that the address costs', () => {
    // 3.60 in 30 days are 3.6525 a month.
    expect(find('aws_eip_idle', { subject })).toMatchObject({ saving: 3.6525, confidence: 'high', method: 'observed' });
  });

  it('finds those under the usage type before 2024', () => {
    const usage = [aUsage({ meter: 'ElasticIP:IdleAddress', recentQuantity: '336', cost: '3.6' })];
    expect(find('aws_eip_idle', { subject: { ...subject, usage } })?.saving).toBe(3.6525);
  });

  it('leaves an address that is in use by now, whatever hours it was idle before', () => {
    const idle = (recentQuantity: string) => [aUsage({ meter: 'PublicIPv4:IdleAddress', recentQuantity, cost: '3.6' })];
    expect(find('aws_eip_idle', { subject: { ...subject, usage: idle('288') } })).not.toBeNull();
    expect(find('aws_eip_idle', { subject: { ...subject, usage: idle('287.9') } })).toBeNull();
    const used = aUsage({ meter: 'PublicIPv4:InUseAddress', recentQuantity: '1' });
    expect(find('aws_eip_idle', { subject: { ...subject, usage: [...idle('335'), used] } })).toBeNull();
    const metadata = { attachedTo: 'eni-1' };
    expect(find('aws_eip_idle', { subject: { ...subject, metadata } })).toBeNull();
  });

  it('has no command for what no allocation is named of', () => {
    const nativeId = 'arn:aws:ec2:eu-west-1:111111111111:elastic-ip/203.0.113.9';
    expect(find('aws_eip_idle', { subject: { ...subject, nativeId } })?.scripts()).toEqual([]);
  });

  it('leaves an address in use, and what an address in use costs beside its idle hours', () => {
    const used = aUsage({ meter: 'PublicIPv4:InUseAddress', cost: '3.6' });
    expect(find('aws_eip_idle', { subject: { ...subject, usage: [used] } })).toBeNull();
    expect(find('aws_eip_idle', { subject: { ...subject, usage: [...subject.usage, used] } })?.saving).toBe(3.6525);
  });
});
