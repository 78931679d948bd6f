import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_engine_extended_support;

describe('aws_engine_extended_support', () => {
  it('saves the whole surcharge', () => {
    // 15 in 30 days are 15.21875 a month.
    expect(find('aws_engine_extended_support', { subject })).toMatchObject({ saving: 15.21875, confidence: 'high' });
  });

  it('leaves domains in standard support, and the surcharge of RDS', () => {
    const of = (meter: string, service: string) =>
      find('aws_engine_extended_support', { subject: { ...subject, usage: [aUsage({ meter, service })] } });
    expect(of('ESInstance:m5.large', 'Amazon OpenSearch Service')).toBeNull();
    expect(of('ExtendedSupport:Yr1-Yr2:MySQL5.7', 'Amazon Relational Database Service')).toBeNull();
    expect(of('ExtendedSupport:Yr3:cache.m5.large', 'Amazon ElastiCache')).not.toBeNull();
  });
});
