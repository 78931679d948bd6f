import { describe, expect, it } from 'vitest';
import { natToEndpoint } from '../../../../../src/analysis/recommendations/detectors/aws/nat-to-endpoint.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_nat_to_endpoint;

describe('aws_nat_to_endpoint', () => {
  const { context } = awsCases.aws_nat_to_endpoint;

  it('saves 30 % of the traffic cost, and states the maximum', () => {
    // 48 in 30 days are 48.70 per month; 30 % of that is 14.61, 70 % is 34.09.
    expect(find(natToEndpoint, { subject, context })).toMatchObject({
      saving: 14.61,
      confidence: 'low',
      evidence: { missing_endpoints: ['s3'], savings_at_most: 34.09 },
    });
  });

  it('skips networks with the endpoint, regions without such spend, and networks with unknown endpoints', () => {
    const metadata = { gatewayEndpoints: ['s3'] };
    expect(find(natToEndpoint, { subject: { ...subject, metadata }, context })).toBeNull();
    expect(find(natToEndpoint, { subject, context: aContext() })).toBeNull();
    expect(find(natToEndpoint, { subject: { ...subject, metadata: {} }, context })).toBeNull();
  });

  it('considers the spend on S3 and DynamoDB in the region', () => {
    const spends = aContext({ ReadRequestUnits: '0.1' }, { service: 'Amazon DynamoDB' });
    expect(find(natToEndpoint, { subject, context: spends })?.evidence).toMatchObject({
      missing_endpoints: ['dynamodb'],
    });
    expect(find(natToEndpoint, { subject: { ...subject, region: 'us-east-1' }, context: spends })).toBeNull();
  });

  it('skips traffic below 100 GB per month', () => {
    // 98.5 in 30 days are 99.94 per month, 98.6 are 100.04.
    const of = (quantity: string) => ({ ...subject, usage: [aUsage({ meter: 'NatGateway-Bytes', quantity })] });
    expect(find(natToEndpoint, { subject: of('98.5'), context })).toBeNull();
    expect(find(natToEndpoint, { subject: of('98.6'), context })).not.toBeNull();
  });
});
