import { describe, expect, it } from 'vitest';
import { eipIdle } from '../../../../../src/analysis/recommendations/detectors/aws/eip-idle.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_eip_idle;

describe('aws_eip_idle', () => {
  it('saves all that the address costs', () => {
    // 3.60 in 30 days are 3.6525 a month.
    expect(find(eipIdle, { subject })).toMatchObject({ saving: 3.6525, confidence: 'high', method: 'observed' });
  });

  it('finds those under the usage type before 2024', () => {
    const usage = [aUsage({ meter: 'ElasticIP:IdleAddress', cost: '3.6' })];
    expect(find(eipIdle, { subject: { ...subject, usage } })?.saving).toBe(3.6525);
  });

  it('leaves an address in use, and what an address in use costs beside its idle hours', () => {
    const used = aUsage({ meter: 'PublicIPv4:InUseAddress', cost: '3.6' });
    expect(find(eipIdle, { subject: { ...subject, usage: [used] } })).toBeNull();
    expect(find(eipIdle, { subject: { ...subject, usage: [...subject.usage, used] } })?.saving).toBe(3.6525);
  });
});
