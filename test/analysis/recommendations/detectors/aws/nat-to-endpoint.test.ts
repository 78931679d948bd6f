import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_nat_to_endpoint;

describe('aws_nat_to_endpoint', () => {
  const { context } = awsCases.aws_nat_to_endpoint;

  it('saves 30 % of the traffic and says what it may be at most', () => {
    // 48 in 30 days are 48.70 a month; 30 % of it are 14.61, 70 % 34.09.
    expect(find('aws_nat_to_endpoint', { subject, context })).toMatchObject({
      saving: 14.61,
      confidence: 'low',
      evidence: { missing_endpoints: ['s3'], savings_at_most: 34.09 },
    });
  });

  it('leaves networks with the endpoint, regions without such spend, and networks nobody knows of', () => {
    const metadata = { gatewayEndpoints: ['s3'] };
    expect(find('aws_nat_to_endpoint', { subject: { ...subject, metadata }, context })).toBeNull();
    expect(find('aws_nat_to_endpoint', { subject, context: aContext() })).toBeNull();
    expect(find('aws_nat_to_endpoint', { subject: { ...subject, metadata: {} }, context })).toBeNull();
  });

  it('looks at the spend on S3 and on DynamoDB in the region', () => {
    const spends = aContext({ ReadRequestUnits: '0.1' }, { service: 'Amazon DynamoDB' });
    expect(find('aws_nat_to_endpoint', { subject, context: spends })?.evidence).toMatchObject({
      missing_endpoints: ['dynamodb'],
    });
    expect(find('aws_nat_to_endpoint', { subject: { ...subject, region: 'us-east-1' }, context: spends })).toBeNull();
  });

  it('leaves less than 100 GB a month', () => {
    // 98.5 in 30 days are 99.94 a month, 98.6 are 100.04.
    const of = (quantity: string) => ({ ...subject, usage: [aUsage({ meter: 'NatGateway-Bytes', quantity })] });
    expect(find('aws_nat_to_endpoint', { subject: of('98.5'), context })).toBeNull();
    expect(find('aws_nat_to_endpoint', { subject: of('98.6'), context })).not.toBeNull();
  });
});
