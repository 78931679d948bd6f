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

  it('saves 5 % where no price of the current classes is observed', () => {
    // 288 in 30 days are 292.20 a month; 5 % of it are 14.61.
    expect(find(rdsPreviousGen, { subject })).toMatchObject({ saving: 14.61, confidence: 'medium', method: 'factor' });
  });

  it('takes the price that the account pays in the same deployment, for open-source engines alone', () => {
    // 0.40 an hour against 0.35: 720 * 0.05 = 36 in 30 days, 36.525 in a month.
    const context = aContext({ 'InstanceUsage:db.m6i.xlarge': '0.35', 'Multi-AZUsage:db.m6i.xlarge': '0.1' });
    expect(find(rdsPreviousGen, { subject, context })).toMatchObject({ saving: 36.525, method: 'observed' });
    const oracle = billed('InstanceUsage:db.m4.xlarge', 'running Oracle SE2 (LI)');
    expect(find(rdsPreviousGen, { subject: oracle, context })?.saving).toBe(14.61);
  });

  it('leaves current classes, sizes without a peer, and what is no database instance', () => {
    expect(find(rdsPreviousGen, { subject: billed('InstanceUsage:db.m5.xlarge') })).toBeNull();
    expect(find(rdsPreviousGen, { subject: billed('InstanceUsage:db.m4.10xlarge') })).toBeNull();
    expect(
      find(rdsPreviousGen, { subject: { ...subject, nativeId: 'arn:aws:rds:eu-west-1:1:cluster:orders' } }),
    ).toBeNull();
  });
});
