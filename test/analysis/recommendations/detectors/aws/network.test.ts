import { describe, expect, it } from 'vitest';
import { aUsage, find, aContext } from '../../subject.ts';
import { awsCases } from './cases.ts';

describe('aws_eip_idle', () => {
  const { subject } = awsCases.aws_eip_idle;

  it('saves all that the address costs', () => {
    // 3.60 in 30 days are 3.6525 a month.
    expect(find('aws_eip_idle', { subject })).toMatchObject({ saving: 3.6525, confidence: 'high', method: 'observed' });
  });

  it('finds those under the usage type before 2024', () => {
    const usage = [aUsage({ meter: 'ElasticIP:IdleAddress', recentQuantity: '336', cost: '3.6' })];
    expect(find('aws_eip_idle', { subject: { ...subject, usage } })?.saving).toBe(3.6525);
  });

  it('leaves an address that is in use by now, whatever hours it was idle before', () => {
    const idle = (recentQuantity: string) => [aUsage({ meter: 'PublicIPv4:IdleAddress', recentQuantity, cost: '3.6' })];
    expect(find('aws_eip_idle', { subject: { ...subject, usage: idle('288') } })).not.toBeNull();
    expect(find('aws_eip_idle', { subject: { ...subject, usage: idle('287.9') } })).toBeNull();
    const used = aUsage({ meter: 'PublicIPv4:InUseAddress', recentQuantity: '1' });
    expect(find('aws_eip_idle', { subject: { ...subject, usage: [...idle('335'), used] } })).toBeNull();
    const metadata = { attachedTo: 'eni-1' };
    expect(find('aws_eip_idle', { subject: { ...subject, metadata } })).toBeNull();
  });

  it('has no command for what no allocation is named of', () => {
    const nativeId = 'arn:aws:ec2:eu-west-1:111111111111:elastic-ip/203.0.113.9';
    expect(find('aws_eip_idle', { subject: { ...subject, nativeId } })?.scripts()).toEqual([]);
  });

  it('leaves an address in use, and what an address in use costs beside its idle hours', () => {
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

  it('saves hours and bytes', () => {
    // 38 in 30 days are 38.554166.. a month.
    expect(find('aws_nat_idle', { subject })).toMatchObject({
      saving: 38.554167,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('leaves a gateway from 1 GB in 14 days on', () => {
    expect(passed('0.999')?.saving).toBe(36.525);
    expect(passed('1')).toBeNull();
  });

  it('waits until 14 days are known', () => {
    expect(find('aws_nat_idle', { subject: { ...subject, firstSeen: '2026-11-06' } })).toBeNull();
    expect(find('aws_nat_idle', { subject: { ...subject, firstSeen: '2026-11-05' } })).not.toBeNull();
    const { window, ...rest } = aContext();
    expect(find('aws_nat_idle', { subject, context: { ...rest, window: { ...window, days: 13 } } })).toBeNull();
  });
});

describe('aws_vpce_idle', () => {
  const { subject } = awsCases.aws_vpce_idle;

  it('saves hours and bytes', () => {
    // 7.21 in 30 days are 7.315145.. a month.
    expect(find('aws_vpce_idle', { subject })).toMatchObject({
      saving: 7.315146,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('leaves an endpoint from 0.1 GB in 14 days on', () => {
    const usage = [...subject.usage.slice(0, 1), aUsage({ meter: 'VpcEndpoint-Bytes', recentQuantity: '0.1' })];
    expect(find('aws_vpce_idle', { subject: { ...subject, usage } })).toBeNull();
    expect(find('aws_vpce_idle', { subject: { ...subject, usage: usage.slice(0, 1) } })?.saving).toBe(7.305);
  });

  it('waits until 14 days are known', () => {
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

  it('saves hours and capacity', () => {
    // 18.60 in 30 days are 18.87125 a month.
    expect(find('aws_elb_idle', { subject })).toMatchObject({
      saving: 18.87125,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('leaves a balancer from 0.1 capacity unit-hours or GB in 14 days on', () => {
    expect(used('LCUUsage', '0.099')).not.toBeNull();
    expect(used('LCUUsage', '0.1')).toBeNull();
    expect(used('DataProcessing-Bytes', '0.099')).not.toBeNull();
    expect(used('DataProcessing-Bytes', '0.1')).toBeNull();
  });

  it('is sure where nothing is registered, whatever scanners send', () => {
    // 18 and 30 in 30 days are 48.70 a month.
    expect(used('LCUUsage', '5', { usedByCount: 0 })).toMatchObject({ saving: 48.7, confidence: 'high' });
    expect(used('LCUUsage', '5', { usedByCount: 1 })).toBeNull();
  });

  it('deletes each kind by its own API', () => {
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

  it('saves a tenth of the hours', () => {
    // 18 in 30 days are 18.2625 a month; 10 % of it are 1.82625.
    expect(find('aws_clb_migrate', { subject })).toMatchObject({
      saving: 1.82625,
      confidence: 'low',
      method: 'factor',
    });
  });

  it('leaves load balancers of the newer kinds, whatever they are called', () => {
    expect(kind('app/web/0123')).toBeNull();
    expect(kind('net/web/0123')).toBeNull();
    expect(kind('gwy/web/0123')).toBeNull();
    expect(kind('app')).not.toBeNull();
  });

  it('leaves what has no hours on demand', () => {
    expect(
      find('aws_clb_migrate', { subject: { ...subject, usage: [aUsage({ meter: 'DataProcessing-Bytes' })] } }),
    ).toBeNull();
  });
});

describe('aws_nat_to_endpoint', () => {
  const { subject } = awsCases.aws_nat_to_endpoint;

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

describe('aws_cross_az_transfer', () => {
  const { subject } = awsCases.aws_cross_az_transfer;

  const moved = (quantity: string, meter = 'DataTransfer-Regional-Bytes') =>
    find('aws_cross_az_transfer', { subject: { ...subject, usage: [aUsage({ meter, quantity, cost: '20' })] } });

  it('saves half of the traffic', () => {
    // 20 in 30 days are 20.291666.. a month; half of it is 10.145833.
    expect(find('aws_cross_az_transfer', { subject })).toMatchObject({
      saving: 10.145833,
      confidence: 'low',
      method: 'factor',
    });
    const shared = awsCases.aws_cross_az_transfer_shared.subject;
    expect(find('aws_cross_az_transfer_shared', { subject: shared })?.saving).toBe(10.145833);
  });

  it('leaves less than 1000 GB a month', () => {
    // 985 in 30 days are 999.4 a month, 986 are 1000.4.
    expect(moved('985')).toBeNull();
    expect(moved('986')).not.toBeNull();
  });

  it('leaves traffic to the internet', () => {
    expect(moved('5000', 'DataTransfer-Out-Bytes')).toBeNull();
  });
});
