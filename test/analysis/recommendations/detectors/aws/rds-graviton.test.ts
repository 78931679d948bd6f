import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_graviton;

describe('aws_rds_graviton', () => {
  const billed = (meter: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter, description, cost: '288' })],
  });

  it('saves 10 %, or what the price tells that the account pays', () => {
    // 288 in 30 days are 292.20 a month; 10 % of it are 29.22.
    expect(find('aws_rds_graviton', { subject })).toMatchObject({
      saving: 29.22,
      confidence: 'medium',
      method: 'factor',
    });
    // 0.40 an hour against 0.35: 720 * 0.05 = 36 in 30 days, 36.525 in a month.
    const context = aContext({ 'InstanceUsage:db.m6g.xlarge': '0.35' });
    expect(find('aws_rds_graviton', { subject, context })).toMatchObject({ saving: 36.525, method: 'observed' });
  });

  it("saves 4 % of burstable classes, and names the sixth generation for Intel's sixth", () => {
    // 292.20 a month; 4 % of it are 11.688.
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.t3.medium') })?.saving).toBe(11.688);
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m6i.large') })?.evidence).toMatchObject({
      target_class: 'db.m6g.large',
    });
  });

  it('does not take the price of another engine for Aurora', () => {
    const context = aContext({ 'InstanceUsage:db.r6g.large': '0.01' });
    const aurora = billed('InstanceUsage:db.r5.large', 'RDS db.r5.large instance hour running Aurora PostgreSQL');
    expect(find('aws_rds_graviton', { subject: aurora, context })?.saving).toBe(29.22);
  });

  it('leaves licensed engines, arm64, old classes, and sizes without a peer', () => {
    expect(
      find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m5.xlarge', 'running SQL Server Web') }),
    ).toBeNull();
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m6g.xlarge') })).toBeNull();
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m4.xlarge') })).toBeNull();
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m5.16xlarge') })).not.toBeNull();
    expect(find('aws_rds_graviton', { subject: billed('InstanceUsage:db.m5.24xlarge') })).toBeNull();
  });
});
