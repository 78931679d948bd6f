import { describe, expect, it } from 'vitest';
import { rdsPreviousGen } from '../../../../../src/analysis/recommendations/detectors/aws/rds-previous-gen.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_previous_gen;

describe('aws_rds_previous_gen', () => {
  const billed = (meter: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter, description, cost: '288' })],
  });

  it('saves 2 % of m4 and 7 % of m3 when no price of the current classes is observed', () => {
    // 288 in 30 days are 292.20 per month; 2 % of that is 5.844, 7 % is 20.454.
    expect(find(rdsPreviousGen, { subject })).toMatchObject({ saving: 5.844, confidence: 'medium', method: 'factor' });
    expect(find(rdsPreviousGen, { subject: billed('InstanceUsage:db.m3.xlarge') })?.saving).toBe(20.454);
  });

  it('finds nothing for classes whose successors cost the same, unless the account pays less for them', () => {
    // 0.40 vs. 0.39 per hour: 7.20 in 30 days, 7.305 per month.
    for (const [type, heir] of [
      ['db.t2.medium', 'db.t3.medium'],
      ['db.r4.large', 'db.r6i.large'],
    ] as const) {
      const old = billed(`InstanceUsage:${type}`);
      expect(find(rdsPreviousGen, { subject: old })).toBeNull();
      const context = aContext({ [`InstanceUsage:${heir}`]: '0.39' });
      expect(find(rdsPreviousGen, { subject: old, context })?.saving).toBe(7.305);
    }
  });

  it("uses the account's price for the same deployment, for open-source engines only", () => {
    // 0.40 vs. 0.35 per hour: 720 * 0.05 = 36 in 30 days, 36.525 per month.
    const context = aContext({ 'InstanceUsage:db.m6i.xlarge': '0.35', 'Multi-AZUsage:db.m6i.xlarge': '0.1' });
    expect(find(rdsPreviousGen, { subject, context })).toMatchObject({ saving: 36.525, method: 'observed' });
    const oracle = billed('InstanceUsage:db.m4.xlarge', 'running Oracle SE2 (LI)');
    expect(find(rdsPreviousGen, { subject: oracle, context })?.saving).toBe(5.844);
  });

  it('skips current classes, sizes without an equivalent, and resources other than database instances', () => {
    expect(find(rdsPreviousGen, { subject: billed('InstanceUsage:db.m5.xlarge') })).toBeNull();
    expect(find(rdsPreviousGen, { subject: billed('InstanceUsage:db.m4.10xlarge') })).toBeNull();
    expect(
      find(rdsPreviousGen, { subject: { ...subject, nativeId: 'arn:aws:rds:eu-west-1:1:cluster:orders' } }),
    ).toBeNull();
  });
});
