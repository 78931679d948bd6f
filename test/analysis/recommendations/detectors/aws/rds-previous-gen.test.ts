import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_previous_gen;

describe('aws_rds_previous_gen', () => {
  const billed = (meter: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter, description, cost: '288' })],
  });

  it('saves 2 % of m4 and 7 % of m3 where no price of the current classes is observed', () => {
    // 288 in 30 days are 292.20 a month; 2 % of it are 5.844, 7 % are 20.454.
    expect(find('aws_rds_previous_gen', { subject })).toMatchObject({
      saving: 5.844,
      confidence: 'medium',
      method: 'factor',
    });
    expect(find('aws_rds_previous_gen', { subject: billed('InstanceUsage:db.m3.xlarge') })?.saving).toBe(20.454);
  });

  it('saves nothing of classes whose heirs cost as much, unless the account pays less for them', () => {
    // 0.40 an hour against 0.39: 7.20 in 30 days, 7.305 in a month.
    for (const [type, heir] of [
      ['db.t2.medium', 'db.t3.medium'],
      ['db.r4.large', 'db.r6i.large'],
    ] as const) {
      const old = billed(`InstanceUsage:${type}`);
      expect(find('aws_rds_previous_gen', { subject: old })).toBeNull();
      const context = aContext({ [`InstanceUsage:${heir}`]: '0.39' });
      expect(find('aws_rds_previous_gen', { subject: old, context })?.saving).toBe(7.305);
    }
  });

  it('takes the price that the account pays in the same deployment, for open-source engines alone', () => {
    // 0.40 an hour against 0.35: 720 * 0.05 = 36 in 30 days, 36.525 in a month.
    const context = aContext({ 'InstanceUsage:db.m6i.xlarge': '0.35', 'Multi-AZUsage:db.m6i.xlarge': '0.1' });
    expect(find('aws_rds_previous_gen', { subject, context })).toMatchObject({ saving: 36.525, method: 'observed' });
    const oracle = billed('InstanceUsage:db.m4.xlarge', 'running Oracle SE2 (LI)');
    expect(find('aws_rds_previous_gen', { subject: oracle, context })?.saving).toBe(5.844);
  });

  it('leaves current classes, sizes without a peer, and what is no database instance', () => {
    expect(find('aws_rds_previous_gen', { subject: billed('InstanceUsage:db.m5.xlarge') })).toBeNull();
    expect(find('aws_rds_previous_gen', { subject: billed('InstanceUsage:db.m4.10xlarge') })).toBeNull();
    expect(
      find('aws_rds_previous_gen', { subject: { ...subject, nativeId: 'arn:aws:rds:eu-west-1:1:cluster:orders' } }),
    ).toBeNull();
  });
});
