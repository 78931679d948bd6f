import { describe, expect, it } from 'vitest';
import { nonprodSchedule } from '../../../../../src/analysis/recommendations/detectors/aws/nonprod-schedule.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_nonprod_schedule;

describe('aws_nonprod_schedule', () => {
  const running = (quantity: string, weekendQuantity: string) =>
    find(nonprodSchedule, {
      subject: { ...subject, usage: [aUsage({ meter: 'BoxUsage:m6i.large', quantity, weekendQuantity, cost: '72' })] },
    });

  it('saves 70 % of the cost of the instance', () => {
    // 72 in 30 days are 73.05 per month; 70 % of that is 51.135.
    expect(find(nonprodSchedule, { subject })).toMatchObject({
      saving: 51.135,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('skips production, and instances without an environment tag', () => {
    expect(find(nonprodSchedule, { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    expect(find(nonprodSchedule, { subject: { ...subject, tags: {} } })).toBeNull();
  });

  it('skips instances that run less than 160 hours per week or less on weekends', () => {
    // 160 of 168 hours: 685.714 of 720, and 182.857 of the 192 on weekends.
    expect(running('685.715', '182.858')?.saving).toBe(51.135);
    expect(running('685.714', '192')).toBeNull();
    expect(running('720', '182.857')).toBeNull();
  });

  it('skips instances that an Auto Scaling group would restart', () => {
    const tags = { ...subject.tags, 'aws:autoscaling:groupName': 'web' };
    expect(find(nonprodSchedule, { subject: { ...subject, tags } })).toBeNull();
    expect(find(nonprodSchedule, { subject: { ...subject, metadata: { scalingGroup: 'web' } } })).toBeNull();
  });
});
