import { describe, expect, it } from 'vitest';
import { engineExtendedSupport } from '../../../../../src/analysis/recommendations/detectors/aws/engine-extended-support.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_engine_extended_support;

describe('aws_engine_extended_support', () => {
  it('saves the full surcharge', () => {
    // 15 in 30 days are 15.21875 per month.
    expect(find(engineExtendedSupport, { subject })).toMatchObject({ saving: 15.21875, confidence: 'high' });
  });

  it('skips domains in standard support, and the surcharge of RDS', () => {
    const of = (meter: string, service: string) =>
      find(engineExtendedSupport, { subject: { ...subject, usage: [aUsage({ meter, service })] } });
    expect(of('ESInstance:m5.large', 'Amazon OpenSearch Service')).toBeNull();
    expect(of('ExtendedSupport:Yr1-Yr2:MySQL5.7', 'Amazon Relational Database Service')).toBeNull();
    expect(of('ExtendedSupport:Yr3:cache.m5.large', 'Amazon ElastiCache')).not.toBeNull();
  });
});
