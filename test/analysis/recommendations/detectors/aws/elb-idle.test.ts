import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_elb_idle;

describe('aws_elb_idle', () => {
  const used = (meter: string, recentQuantity: string, metadata = {}) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter, recentQuantity, cost: '30' })];
    return find('aws_elb_idle', { subject: { ...subject, metadata, usage } });
  };

  it('saves hours and capacity', () => {
    // 18.60 in 30 days are 18.87125 a month.
    expect(find('aws_elb_idle', { subject })).toMatchObject({
      saving: 18.87125,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('leaves a balancer from 0.1 capacity unit-hours or GB in 14 days on', () => {
    expect(used('LCUUsage', '0.099')).not.toBeNull();
    expect(used('LCUUsage', '0.1')).toBeNull();
    expect(used('DataProcessing-Bytes', '0.099')).not.toBeNull();
    expect(used('DataProcessing-Bytes', '0.1')).toBeNull();
  });

  it('is sure where nothing is registered, whatever scanners send', () => {
    // 18 and 30 in 30 days are 48.70 a month.
    expect(used('LCUUsage', '5', { usedByCount: 0 })).toMatchObject({ saving: 48.7, confidence: 'high' });
    expect(used('LCUUsage', '5', { usedByCount: 1 })).toBeNull();
  });

  it('deletes each kind by its own API', () => {
    const script = (nativeId: string) =>
      find('aws_elb_idle', { subject: { ...subject, nativeId } })?.scripts()[0]?.script;
    expect(script('arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/old')).toBe(
      "aws elb delete-load-balancer --region='eu-west-1' --load-balancer-name='old'",
    );
    expect(script(subject.nativeId)).toContain('aws elbv2 delete-load-balancer');
  });
});
