import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_nonprod_schedule;

describe('aws_nonprod_schedule', () => {
  const running = (quantity: string, weekendQuantity: string) =>
    find('aws_nonprod_schedule', {
      subject: { ...subject, usage: [aUsage({ meter: 'BoxUsage:m6i.large', quantity, weekendQuantity, cost: '72' })] },
    });

  it('saves 70 % of what the instance costs', () => {
    // 72 in 30 days are 73.05 a month; 70 % of it are 51.135.
    expect(find('aws_nonprod_schedule', { subject })).toMatchObject({
      saving: 51.135,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('leaves production, and what has no environment', () => {
    expect(find('aws_nonprod_schedule', { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    expect(find('aws_nonprod_schedule', { subject: { ...subject, tags: {} } })).toBeNull();
  });

  it('leaves what rests: less than 160 hours a week, or weekends off', () => {
    // 160 of 168 hours: 685.714 of 720, and 182.857 of the 192 at weekends.
    expect(running('685.715', '182.858')?.saving).toBe(51.135);
    expect(running('685.714', '192')).toBeNull();
    expect(running('720', '182.857')).toBeNull();
  });

  it('leaves what a scaling group would start anew', () => {
    const tags = { ...subject.tags, 'aws:autoscaling:groupName': 'web' };
    expect(find('aws_nonprod_schedule', { subject: { ...subject, tags } })).toBeNull();
    expect(find('aws_nonprod_schedule', { subject: { ...subject, metadata: { scalingGroup: 'web' } } })).toBeNull();
  });
});
