import { afterEach, describe, expect, it } from 'vitest';
import type { FakeAws } from '../../../support/clouds/aws/fake.ts';
import { explorerOf, inventoryAnswers, regionsOn } from '../../../support/clouds/aws/inventory.ts';
import { example, hasExamples, listAs, startAws } from './listing.ts';

let fake: FakeAws;
afterEach(() => fake?.stop());

/** Lists an account in which a service returns an example of the AWS documentation. */
async function listExample(service: string, operation: string, file: string, index = 0) {
  fake = await startAws(
    inventoryAnswers({ ...regionsOn('us-west-2'), [`${service}.${operation}`]: { '*': example(file, index) } }),
  );
  return listAs(fake);
}

const arn = (service: string, rest: string) => `arn:aws:${service}:us-west-2:123456789012:${rest}`;

describe.skipIf(!hasExamples)('published AWS examples (skipped without ../shared/data)', () => {
  it('include instances', async () => {
    const { items } = await listExample('ec2', 'DescribeInstances', 'ec2.describe-instances');
    expect(items).toEqual([
      {
        provider: 'aws',
        nativeId: arn('ec2', 'instance/i-1234567890abcdef0'),
        aliases: ['i-1234567890abcdef0'],
        name: 'my-instance',
        resourceType: 'Instance',
        service: 'Amazon Elastic Compute Cloud',
        region: 'us-west-2',
        tags: { Name: 'my-instance' },
        metadata: {
          state: 'running',
          stateSince: '2022-11-15T10:48:59.000Z',
          instanceType: 't3.nano',
          architecture: 'x86_64',
          platform: 'linux',
          platformDetails: 'Linux/UNIX',
          lifecycle: 'on-demand',
          availabilityZone: 'us-east-2a',
          vpcId: 'vpc-1234567890abcdef0',
          scalingGroup: null,
          launchedAt: '2022-11-15T10:48:59.000Z',
        },
      },
    ]);
  });

  it('include snapshots', async () => {
    const { items } = await listExample('ec2', 'DescribeSnapshots', 'ec2.describe-snapshots', 1);
    expect(items).toMatchObject([
      {
        nativeId: arn('ec2', 'snapshot/snap-01234567890aaaaaa'),
        resourceType: 'Snapshot',
        metadata: {
          state: 'completed',
          sizeGib: 8,
          sku: 'archive',
          createdAt: '2021-09-07T21:00:00.000Z',
          sourceExists: false,
          imageIds: [],
        },
      },
    ]);
  });

  it('include addresses, except those of EC2-Classic, which have no allocation', async () => {
    const { items } = await listExample('ec2', 'DescribeAddresses', 'ec2.describe-addresses');
    expect(items).toMatchObject([
      {
        nativeId: arn('ec2', 'elastic-ip/eipalloc-12345678'),
        name: '203.0.113.0',
        resourceType: 'Elastic IP',
        service: 'Amazon Virtual Private Cloud',
        metadata: { attachedTo: arn('ec2', 'instance/i-1234567890abcdef0'), publicIp: '203.0.113.0' },
      },
    ]);
  });

  it('include NAT gateways, in a network without gateway endpoints', async () => {
    const { items } = await listExample('ec2', 'DescribeNatGateways', 'ec2.describe-nat-gateways');
    expect(items).toMatchObject([
      {
        nativeId: arn('ec2', 'natgateway/nat-01234567890abcdef'),
        name: 'public-nat',
        resourceType: 'NAT Gateway',
        metadata: { state: 'available', connectivity: 'public', gatewayEndpoints: [] },
      },
    ]);
  });

  it('include databases', async () => {
    const { items } = await listExample('rds', 'DescribeDBInstances', 'rds.describe-db-instances');
    expect(items).toEqual([
      {
        provider: 'aws',
        nativeId: arn('rds', 'db:mydbinstancecf'),
        aliases: [],
        name: 'mydbinstancecf',
        resourceType: 'DB Instance',
        service: 'Amazon Relational Database Service',
        region: 'us-west-2',
        tags: {},
        metadata: { state: 'available', instanceType: 'db.t3.small', engine: 'mysql' },
      },
    ]);
  });

  it('include tagged resources', async () => {
    const { items } = await listExample('tagging', 'GetResources', 'resourcegroupstaggingapi.get-resources');
    expect(items).toMatchObject([
      {
        nativeId: arn('inspector', 'target/0-nvgVhaxX/template/0-7sbz2Kz0'),
        service: 'inspector',
        tags: { Environment: 'Production' },
      },
    ]);
  });

  it('include Resource Explorer', async () => {
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'eu-west-1'),
        ...explorerOf('us-west-2', []),
        'resource-explorer-2.ListIndexes': { '*': example('resource-explorer-2.list-indexes') },
        'resource-explorer-2.GetDefaultView': { '*': example('resource-explorer-2.get-default-view') },
        'resource-explorer-2.ListResources': { '*': { ...example('resource-explorer-2.search'), NextToken: null } },
      }),
    );
    const { byId, warnings } = await listAs(fake);
    expect(
      [...byId.values()].map(({ nativeId, resourceType, service, region }) => [
        nativeId,
        resourceType,
        service,
        region,
      ]),
    ).toEqual([
      [
        'arn:aws:iam::123456789012:policy/service-role/Some-Policy-For-A-Service-Role',
        'Policy',
        'AWS Identity and Access Management',
        'global',
      ],
      [
        'arn:aws:iam::123456789012:policy/service-role/Another-Policy-For-A-Service-Role',
        'Policy',
        'AWS Identity and Access Management',
        'global',
      ],
    ]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^Resource Explorer has no index or view for eu-west-1: /);
  });
});

describe.skipIf(!hasExamples)('commitments in published AWS examples', () => {
  it('are listed with their term while they are active', async () => {
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('us-west-2'),
        'ec2.DescribeReservedInstances': { '*': example('ec2.describe-reserved-instances') },
        'rds.DescribeReservedDBInstances': { '*': example('rds.describe-reserved-db-instances') },
        'elasticache.DescribeReservedCacheNodes': { '*': example('elasticache.describe-reserved-cache-nodes') },
        'redshift.DescribeReservedNodes': { '*': example('redshift.describe-reserved-nodes') },
      }),
    );
    const { byId } = await listAs(fake);
    expect(byId.get(arn('ec2', 'reserved-instances/b847fa93-e282-4f55-b59a-1342fexample'))).toEqual({
      provider: 'aws',
      nativeId: arn('ec2', 'reserved-instances/b847fa93-e282-4f55-b59a-1342fexample'),
      aliases: ['b847fa93-e282-4f55-b59a-1342fexample'],
      name: '2 × m3.medium Linux/UNIX',
      resourceType: 'Reserved',
      service: 'Amazon Elastic Compute Cloud',
      region: 'us-west-2',
      tags: {},
      metadata: {
        state: 'active',
        startsAt: '2015-08-15T21:34:35.086Z',
        endsAt: '2016-08-14T21:34:34.000Z',
        termMonths: 12,
        payment: 'no_upfront',
        currency: 'USD',
        count: 2,
        instanceType: 'm3.medium',
        hourlyRate: 0.104,
        upfrontPayment: 0,
        platformDetails: 'Linux/UNIX',
        availabilityZone: 'us-west-1c',
      },
    });
    expect(byId.get(arn('rds', 'ri:myreservedinstance'))).toMatchObject({
      service: 'Amazon Relational Database Service',
      metadata: {
        state: 'payment-pending',
        endsAt: '2021-06-01T13:44:21.436Z',
        engine: 'sqlserver-ex(li)',
        hourlyRate: 0.014,
      },
    });
    const cache = byId.get('arn:aws:elasticache:us-west-2:xxxxxxxxxxxx52:reserved-instance:mynode');
    expect(cache).toMatchObject({
      resourceType: 'Reserved',
      metadata: {
        endsAt: '2020-12-05T02:50:44.003Z',
        termMonths: 12,
        payment: 'no_upfront',
        count: 1,
        hourlyRate: 0.023,
      },
    });
    const warehouse = byId.get(arn('redshift', 'reserved-node:1ba8e2e3-bc01-4d65-b35d-a4a3e931547e'));
    expect(warehouse).toMatchObject({
      service: 'Amazon Redshift',
      metadata: { state: 'payment-pending', endsAt: '2014-02-13T17:08:39.051Z', instanceType: 'dw.hs1.xlarge' },
    });
  });
});
