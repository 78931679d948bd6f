import { describe, expect, it } from 'vitest';
import { aUsage, find, aContext } from '../../subject.ts';
import { awsCases } from './cases.ts';

describe('aws_eip_idle', () => {
  const { subject } = awsCases.aws_eip_idle;

  it('saves the full cost of the address', () => {
    // 3.60 in 30 days are 3.6525 per month.
    expect(find('aws_eip_idle', { subject })).toMatchObject({ saving: 3.6525, confidence: 'high', method: 'observed' });
  });

  it('recognizes the usage type from before 2024', () => {
    const usage = [aUsage({ meter: 'ElasticIP:IdleAddress', recentQuantity: '336', cost: '3.6' })];
    expect(find('aws_eip_idle', { subject: { ...subject, usage } })?.saving).toBe(3.6525);
  });

  it('skips an address that is in use now, however long it was idle before', () => {
    const idle = (recentQuantity: string) => [aUsage({ meter: 'PublicIPv4:IdleAddress', recentQuantity, cost: '3.6' })];
    expect(find('aws_eip_idle', { subject: { ...subject, usage: idle('288') } })).not.toBeNull();
    expect(find('aws_eip_idle', { subject: { ...subject, usage: idle('287.9') } })).toBeNull();
    const used = aUsage({ meter: 'PublicIPv4:InUseAddress', recentQuantity: '1' });
    expect(find('aws_eip_idle', { subject: { ...subject, usage: [...idle('335'), used] } })).toBeNull();
    const metadata = { attachedTo: 'eni-1' };
    expect(find('aws_eip_idle', { subject: { ...subject, metadata } })).toBeNull();
  });

  it('has no command for an address without an allocation id', () => {
    const nativeId = 'arn:aws:ec2:eu-west-1:111111111111:elastic-ip/203.0.113.9';
    expect(find('aws_eip_idle', { subject: { ...subject, nativeId } })?.scripts()).toEqual([]);
  });

  it('skips an address in use, and excludes the cost of its hours in use', () => {
    const used = aUsage({ meter: 'PublicIPv4:InUseAddress', cost: '3.6' });
    expect(find('aws_eip_idle', { subject: { ...subject, usage: [used] } })).toBeNull();
    expect(find('aws_eip_idle', { subject: { ...subject, usage: [...subject.usage, used] } })?.saving).toBe(3.6525);
  });
});

describe('aws_nat_idle', () => {
  const { subject } = awsCases.aws_nat_idle;

  const passed = (recentQuantity: string) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'NatGateway-Bytes', recentQuantity, cost: '0' })];
    return find('aws_nat_idle', { subject: { ...subject, usage } });
  };

  it('saves the cost of hours and bytes', () => {
    // 38 in 30 days are 38.554166.. per month.
    expect(find('aws_nat_idle', { subject })).toMatchObject({
      saving: 38.554167,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('skips a gateway with 1 GB or more in 14 days', () => {
    expect(passed('0.999')?.saving).toBe(36.525);
    expect(passed('1')).toBeNull();
  });

  it('waits for 14 days of data', () => {
    expect(find('aws_nat_idle', { subject: { ...subject, firstSeen: '2026-11-06' } })).toBeNull();
    expect(find('aws_nat_idle', { subject: { ...subject, firstSeen: '2026-11-05' } })).not.toBeNull();
    const { window, ...rest } = aContext();
    expect(find('aws_nat_idle', { subject, context: { ...rest, window: { ...window, days: 13 } } })).toBeNull();
  });
});

describe('aws_vpce_idle', () => {
  const { subject } = awsCases.aws_vpce_idle;

  it('saves the cost of hours and bytes', () => {
    // 7.21 in 30 days are 7.315145.. per month.
    expect(find('aws_vpce_idle', { subject })).toMatchObject({
      saving: 7.315146,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('skips an endpoint with 0.1 GB or more in 14 days', () => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'VpcEndpoint-Bytes', recentQuantity: '0.1' })];
    expect(find('aws_vpce_idle', { subject: { ...subject, usage } })).toBeNull();
    expect(find('aws_vpce_idle', { subject: { ...subject, usage: usage.slice(0, 1) } })?.saving).toBe(7.305);
  });

  it('waits for 14 days of data', () => {
    expect(find('aws_vpce_idle', { subject: { ...subject, firstSeen: '2026-11-06' } })).toBeNull();
    expect(find('aws_vpce_idle', { subject: { ...subject, firstSeen: '2026-11-05' } })).not.toBeNull();
  });
});

describe('aws_elb_idle', () => {
  const { subject } = awsCases.aws_elb_idle;

  const used = (meter: string, recentQuantity: string, metadata = {}) => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter, recentQuantity, cost: '30' })];
    return find('aws_elb_idle', { subject: { ...subject, metadata, usage } });
  };

  it('saves the cost of hours and capacity', () => {
    // 18.60 in 30 days are 18.87125 per month.
    expect(find('aws_elb_idle', { subject })).toMatchObject({
      saving: 18.87125,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('skips a load balancer with 0.1 capacity unit-hours or GB in 14 days', () => {
    expect(used('LCUUsage', '0.099')).not.toBeNull();
    expect(used('LCUUsage', '0.1')).toBeNull();
    expect(used('DataProcessing-Bytes', '0.099')).not.toBeNull();
    expect(used('DataProcessing-Bytes', '0.1')).toBeNull();
  });

  it('has high confidence without registered targets, even with traffic', () => {
    // 18 and 30 in 30 days are 48.70 per month.
    expect(used('LCUUsage', '5', { usedByCount: 0 })).toMatchObject({ saving: 48.7, confidence: 'high' });
    expect(used('LCUUsage', '5', { usedByCount: 1 })).toBeNull();
  });

  it('deletes each kind with its own API', () => {
    const script = (nativeId: string) =>
      find('aws_elb_idle', { subject: { ...subject, nativeId } })?.scripts()[0]?.script;
    expect(script('arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/old')).toBe(
      "aws elb delete-load-balancer --region='eu-west-1' --load-balancer-name='old'",
    );
    expect(script(subject.nativeId)).toContain('aws elbv2 delete-load-balancer');
  });
});

describe('aws_clb_migrate', () => {
  const { subject } = awsCases.aws_clb_migrate;

  const kind = (resource: string) =>
    find('aws_clb_migrate', {
      subject: { ...subject, nativeId: `arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/${resource}` },
    });

  it('saves a tenth of the cost of the hours', () => {
    // 18 in 30 days are 18.2625 per month; 10% of that is 1.82625.
    expect(find('aws_clb_migrate', { subject })).toMatchObject({
      saving: 1.82625,
      confidence: 'low',
      method: 'factor',
    });
  });

  it('skips newer kinds of load balancers, whatever their name', () => {
    expect(kind('app/web/0123')).toBeNull();
    expect(kind('net/web/0123')).toBeNull();
    expect(kind('gwy/web/0123')).toBeNull();
    expect(kind('app')).not.toBeNull();
  });

  it('skips load balancers without on-demand hours', () => {
    expect(
      find('aws_clb_migrate', { subject: { ...subject, usage: [aUsage({ meter: 'DataProcessing-Bytes' })] } }),
    ).toBeNull();
  });
});

describe('aws_nat_to_endpoint', () => {
  const { subject } = awsCases.aws_nat_to_endpoint;

  const { context } = awsCases.aws_nat_to_endpoint;

  it('saves 30% of the traffic cost, and states the maximum', () => {
    // 48 in 30 days are 48.70 per month; 30% of that is 14.61, 70% is 34.09.
    expect(find('aws_nat_to_endpoint', { subject, context })).toMatchObject({
      saving: 14.61,
      confidence: 'low',
      evidence: { missing_endpoints: ['s3'], savings_at_most: 34.09 },
    });
  });

  it('skips networks with the endpoint, regions without such spend, and networks with unknown endpoints', () => {
    const metadata = { gatewayEndpoints: ['s3'] };
    expect(find('aws_nat_to_endpoint', { subject: { ...subject, metadata }, context })).toBeNull();
    expect(find('aws_nat_to_endpoint', { subject, context: aContext() })).toBeNull();
    expect(find('aws_nat_to_endpoint', { subject: { ...subject, metadata: {} }, context })).toBeNull();
  });

  it('considers the spend on S3 and DynamoDB in the region', () => {
    const spends = aContext({ ReadRequestUnits: '0.1' }, { service: 'Amazon DynamoDB' });
    expect(find('aws_nat_to_endpoint', { subject, context: spends })?.evidence).toMatchObject({
      missing_endpoints: ['dynamodb'],
    });
    expect(find('aws_nat_to_endpoint', { subject: { ...subject, region: 'us-east-1' }, context: spends })).toBeNull();
  });

  it('skips traffic below 100 GB per month', () => {
    // 98.5 in 30 days are 99.94 per month, 98.6 are 100.04.
    const of = (quantity: string) => ({ ...subject, usage: [aUsage({ meter: 'NatGateway-Bytes', quantity })] });
    expect(find('aws_nat_to_endpoint', { subject: of('98.5'), context })).toBeNull();
    expect(find('aws_nat_to_endpoint', { subject: of('98.6'), context })).not.toBeNull();
  });
});

describe('aws_cross_az_transfer', () => {
  const { subject } = awsCases.aws_cross_az_transfer;

  const moved = (quantity: string, meter = 'DataTransfer-Regional-Bytes') =>
    find('aws_cross_az_transfer', { subject: { ...subject, usage: [aUsage({ meter, quantity, cost: '20' })] } });

  it('saves half of the traffic cost', () => {
    // 20 in 30 days are 20.291666.. per month; half of that is 10.145833.
    expect(find('aws_cross_az_transfer', { subject })).toMatchObject({
      saving: 10.145833,
      confidence: 'low',
      method: 'factor',
    });
    const shared = awsCases.aws_cross_az_transfer_shared.subject;
    expect(find('aws_cross_az_transfer_shared', { subject: shared })?.saving).toBe(10.145833);
  });

  it('skips traffic below 1000 GB per month', () => {
    // 985 in 30 days are 999.4 per month, 986 are 1000.4.
    expect(moved('985')).toBeNull();
    expect(moved('986')).not.toBeNull();
  });

  it('skips traffic to the internet', () => {
    expect(moved('5000', 'DataTransfer-Out-Bytes')).toBeNull();
  });
});
