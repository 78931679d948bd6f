import { describe, expect, it } from 'vitest';
import { elbIdle } from '../../../../../src/analysis/recommendations/detectors/aws/elb-idle.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_elb_idle;

describe('aws_elb_idle', () => {
  const used = (meter: string, recentQuantity: string, metadata = {}) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter, recentQuantity, cost: '30' })];
    return find(elbIdle, { subject: { ...subject, metadata, usage } });
  };

  it('saves the cost of hours and capacity', () => {
    // 18.60 in 30 days are 18.87125 per month.
    expect(find(elbIdle, { subject })).toMatchObject({ saving: 18.87125, confidence: 'high', method: 'observed' });
  });

  it('skips a load balancer with 0.1 capacity unit-hours or GB in 14 days', () => {
    expect(used('LCUUsage', '0.099')).not.toBeNull();
    expect(used('LCUUsage', '0.1')).toBeNull();
    expect(used('DataProcessing-Bytes', '0.099')).not.toBeNull();
    expect(used('DataProcessing-Bytes', '0.1')).toBeNull();
  });

  it('has high confidence without registered targets, even with traffic', () => {
    // 18 and 30 in 30 days are 48.70 per month.
    expect(used('LCUUsage', '5', { usedByCount: 0 })).toMatchObject({ saving: 48.7, confidence: 'high' });
    expect(used('LCUUsage', '5', { usedByCount: 1 })).toBeNull();
  });

  it('deletes each kind with its own API', () => {
    const script = (nativeId: string) => find(elbIdle, { subject: { ...subject, nativeId } })?.scripts()[0]?.script;
    expect(script('arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/old')).toBe(
      "aws elb delete-load-balancer --region='eu-west-1' --load-balancer-name='old'",
    );
    expect(script(subject.nativeId)).toContain('aws elbv2 delete-load-balancer');
  });
});
