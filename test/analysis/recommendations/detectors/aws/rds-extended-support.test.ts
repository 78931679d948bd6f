import { describe, expect, it } from 'vitest';
import { rdsExtendedSupport } from '../../../../../src/analysis/recommendations/detectors/aws/rds-extended-support.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_extended_support;

describe('aws_rds_extended_support', () => {
  it('saves the whole surcharge and nothing else', () => {
    // 60 in 30 days are 60.875 a month.
    const usage = [...subject.usage, aUsage({ meter: 'InstanceUsage:db.m4.large', cost: '300' })];
    expect(find(rdsExtendedSupport, { subject: { ...subject, usage } })).toMatchObject({
      saving: 60.875,
      confidence: 'high',
    });
  });

  it('leaves databases in standard support, and engines of other services', () => {
    expect(
      find(rdsExtendedSupport, { subject: { ...subject, usage: [aUsage({ meter: 'InstanceUsage:db.m4.large' })] } }),
    ).toBeNull();
    const usage = [
      aUsage({ meter: 'ExtendedSupport:Yr1-Yr2:docdb', service: 'Amazon DocumentDB (with MongoDB compatibility)' }),
    ];
    expect(find(rdsExtendedSupport, { subject: { ...subject, usage } })).toBeNull();
  });

  it('upgrades a cluster as a cluster', () => {
    const script = (nativeId: string) =>
      find(rdsExtendedSupport, { subject: { ...subject, nativeId } })?.scripts()[0]?.script;
    expect(script('arn:aws:rds:eu-west-1:1:cluster:orders')).toContain('aws rds modify-db-cluster');
    expect(script(subject.nativeId)).toContain('aws rds modify-db-instance');
  });
});
