import { afterEach, describe, expect, it } from 'vitest';
import type { FakeAws } from '../../../support/clouds/aws/fake.ts';
import {
  explored,
  explorerOf,
  exploring,
  inventoryAnswers,
  printed,
  regionsOn,
} from '../../../support/clouds/aws/inventory.ts';
import { ec2Error, jsonError, queryError } from '../../../support/clouds/aws/xml.ts';
import { listAs, startAws } from './listing.ts';

let fake: FakeAws;
afterEach(() => fake.stop());

const account = '123456789012';
const arn = (region: string, rest: string) => `arn:aws:ec2:${region}:${account}:${rest}`;
const volume = (id: string, more: object = {}) => ({
  VolumeId: id,
  Size: 100,
  VolumeType: 'gp3',
  State: 'available',
  ...more,
});
const tagged = (ResourceARN: string, tags: Record<string, string> = {}) => ({
  ResourceARN,
  Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
});

describe('inventory of an AWS account', () => {
  it('merges Resource Explorer and service APIs, with each resource once', async () => {
    const attached = volume('vol-0aaaaaaaa', {
      State: 'in-use',
      Tags: [
        { Key: 'Name', Value: 'data' },
        { Key: 'team', Value: 'shop' },
      ],
      Attachments: [{ InstanceId: 'i-0bbbbbbbb', AttachTime: '2026-01-05T10:00:00.000Z', State: 'attached' }],
    });
    const instance = {
      InstanceId: 'i-0bbbbbbbb',
      InstanceType: 'm5.large',
      State: { Name: 'stopped' },
      StateTransitionReason: 'User initiated (2026-09-01 12:30:00 GMT)',
      Tags: [{ Key: 'Name', Value: 'batch' }],
    };
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('eu-west-1'),
        ...explorerOf('eu-west-1', ['eu-west-1']),
        'ec2.DescribeVolumes': { 'eu-west-1': { Volumes: [attached, volume('vol-0cccccccc')] } },
        'ec2.DescribeInstances': { 'eu-west-1': { Reservations: [{ OwnerId: account, Instances: [instance] }] } },
      }),
      exploring(
        [
          explored(arn('eu-west-1', 'volume/vol-0aaaaaaaa'), 'ec2:volume', { Name: 'stale', owner: 'nobody' }),
          explored(arn('eu-west-1', 'volume/vol-0dddddddd'), 'ec2:volume', { Name: 'deleted an hour ago' }),
          explored('arn:aws:s3:::invoices', 's3:bucket', { team: 'office' }),
          explored('arn:aws:sqs:eu-west-1:123456789012:orders', 'sqs:queue'),
          explored('arn:aws:ec2:eu-west-1:999999999999:volume/vol-0eeeeeeee', 'ec2:volume'),
        ].map((each) => ({ ...each, Region: 'eu-west-1' })),
      ),
    );

    const { byId, items, warnings } = await listAs(fake);

    expect(warnings).toEqual([]);
    expect(items.map(({ nativeId }) => nativeId).toSorted()).toEqual([
      arn('eu-west-1', 'instance/i-0bbbbbbbb'),
      arn('eu-west-1', 'volume/vol-0aaaaaaaa'),
      arn('eu-west-1', 'volume/vol-0cccccccc'),
      'arn:aws:ec2:eu-west-1:999999999999:volume/vol-0eeeeeeee',
      'arn:aws:s3:::invoices',
      'arn:aws:sqs:eu-west-1:123456789012:orders',
    ]);
    expect(byId.get(arn('eu-west-1', 'volume/vol-0aaaaaaaa'))).toEqual({
      provider: 'aws',
      nativeId: arn('eu-west-1', 'volume/vol-0aaaaaaaa'),
      aliases: ['vol-0aaaaaaaa'],
      name: 'data',
      resourceType: 'Volume',
      service: 'Amazon Elastic Compute Cloud',
      region: 'eu-west-1',
      tags: { Name: 'data', team: 'shop' },
      metadata: {
        state: 'in-use',
        stateSince: '2026-01-05T10:00:00.000Z',
        attachedTo: arn('eu-west-1', 'instance/i-0bbbbbbbb'),
        attachedToState: 'stopped',
        attachedToStateSince: '2026-09-01T12:30:00.000Z',
        sizeGib: 100,
        sku: 'gp3',
      },
    });
    expect(byId.get(arn('eu-west-1', 'volume/vol-0cccccccc'))?.metadata).toMatchObject({
      state: 'available',
      attachedTo: null,
    });
    expect(byId.get('arn:aws:s3:::invoices')).toMatchObject({
      aliases: ['invoices'],
      resourceType: 'Bucket',
      service: 'Amazon Simple Storage Service',
      region: 'eu-west-1',
      tags: { team: 'office' },
    });
    expect(byId.get('arn:aws:sqs:eu-west-1:123456789012:orders')).toMatchObject({
      resourceType: 'Queue',
      service: 'Amazon Simple Queue Service',
    });
  });

  it('only reads, with Describe, List and Get operations as the role', async () => {
    fake = await startAws(
      inventoryAnswers({ ...regionsOn('eu-west-1', 'us-east-1'), ...explorerOf('us-east-1', ['us-east-1']) }),
      exploring([]),
    );
    await listAs(fake);
    const operations = fake.log.map(({ operation }) => operation);
    expect(operations.filter((name) => name === 'AssumeRole')).toHaveLength(1);
    expect(operations.filter((name) => !/^(Describe|List|Get|AssumeRole$)/.test(name))).toEqual([]);
    const forbidden = /UserData|Functions|TaskDefinition|LaunchTemplate|LaunchConfiguration|Secret|Parameter/;
    expect(operations.filter((name) => forbidden.test(name))).toEqual([]);
    expect(fake.log.slice(1).every(({ sessionToken }) => sessionToken === `session-of-${account}`)).toBe(true);
    // Each region of the account is searched, and resources without a region.
    const searched = fake.log.filter(({ operation }) => operation === 'ListResources');
    expect(searched.map(({ region, params }) => [region, params['Filters']]).toSorted()).toEqual([
      ['us-east-1', { FilterString: 'region:global' }],
      ['us-east-1', { FilterString: 'region:us-east-1' }],
    ]);
    expect(fake.asked()).toContain('tagging.GetResources eu-west-1');
  });

  it('uses the tagging API without a Resource Explorer index, and warns about missing resources', async () => {
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('eu-west-1', 'us-east-1'),
        'tagging.GetResources': {
          'eu-west-1': {
            ResourceTagMappingList: [
              tagged(' arn:aws:lambda:eu-west-1:123456789012:function:mail', { team: 'shop' }),
              tagged('arn:aws:s3:::invoices', { Name: 'Invoices' }),
            ],
          },
          'us-east-1': {
            ResourceTagMappingList: [tagged('arn:aws:cloudfront::123456789012:distribution/E1H6PI5VWS3NLQ')],
          },
        },
      }),
    );
    const { items, warnings } = await listAs(fake);
    expect(items.map(({ nativeId, resourceType, region, name }) => [nativeId, resourceType, region, name])).toEqual(
      expect.arrayContaining([
        ['arn:aws:lambda:eu-west-1:123456789012:function:mail', 'Function', 'eu-west-1', ''],
        ['arn:aws:s3:::invoices', 'Bucket', 'eu-west-1', 'Invoices'],
        ['arn:aws:cloudfront::123456789012:distribution/E1H6PI5VWS3NLQ', 'Distribution', 'global', ''],
      ]),
    );
    expect(warnings).toEqual([
      'Resource Explorer has no index or view for any region: resources there are listed if they have tags, or are of EC2 or RDS. ' +
        'Turn on Resource Explorer with an aggregator index to list all resources.',
    ]);
  });

  it('uses tags of the tagging API if the view does not include them', async () => {
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('eu-west-1'),
        ...explorerOf('eu-west-1', ['eu-west-1'], { hasTags: false, filter: '-tag:secret=yes' }),
        'tagging.GetResources': {
          'eu-west-1': {
            ResourceTagMappingList: [tagged('arn:aws:sqs:eu-west-1:123456789012:orders', { Name: 'Orders' })],
          },
        },
      }),
      exploring([explored('arn:aws:sqs:eu-west-1:123456789012:orders', 'sqs:queue')]),
    );
    const { byId, warnings } = await listAs(fake);
    expect(byId.get('arn:aws:sqs:eu-west-1:123456789012:orders')).toMatchObject({
      name: 'Orders',
      tags: { Name: 'Orders' },
    });
    expect(warnings).toEqual([
      'The inventory lacks what the filter "-tag:secret=yes" of Resource Explorer\'s view all (eu-west-1) excludes: ' +
        'make a view without a filter the default of eu-west-1 to include all resources.',
    ]);
  });

  it('splits queries by service and type when a result is limited to 1,000', async () => {
    const queues = Array.from({ length: 1500 }, (_, index) =>
      explored(`arn:aws:sqs:eu-west-1:123456789012:queue-${index}`, 'sqs:queue'),
    );
    const groups = Array.from({ length: 900 }, (_, index) =>
      explored(`arn:aws:logs:eu-west-1:123456789012:log-group:group-${index}`, 'logs:log-group'),
    );
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('eu-west-1'),
        ...explorerOf('eu-west-1', ['eu-west-1']),
        'resource-explorer-2.ListSupportedResourceTypes': {
          '*': {
            ResourceTypes: [
              { ResourceType: 'logs:log-group', Service: 'logs' },
              { ResourceType: 'sqs:queue', Service: 'sqs' },
            ],
          },
        },
      }),
      exploring([...queues, ...groups], { cap: 1000 }),
    );
    const { byId, warnings } = await listAs(fake);
    expect(byId.size).toBe(1900);
    expect(warnings).toEqual([
      'The inventory may lack some of sqs:queue in eu-west-1: Resource Explorer returns only the first 1000 of a type.',
    ]);
    fake.answer(exploring([...queues, ...groups]));
    expect((await listAs(fake)).byId.size).toBe(2400);
  });

  it('keeps commitment details that Resource Explorer lacks', async () => {
    const plan = 'arn:aws:savingsplans::123456789012:savingsplan/11111111-aaaa';
    const reserved = arn('eu-west-1', 'reserved-instances/22222222-bbbb');
    const both = [
      explored(plan, 'savingsplans:savingsplan'),
      explored(reserved, 'ec2:reserved-instances', { team: 'shop' }),
    ];
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('eu-west-1'),
        ...explorerOf('eu-west-1', ['eu-west-1']),
        'savingsplans.DescribeSavingsPlans': {
          '*': { savingsPlans: [{ savingsPlanArn: plan, state: 'active', end: '2027-05-01T00:00:00.000Z' }] },
        },
        'ec2.DescribeReservedInstances': {
          '*': {
            ReservedInstances: [
              {
                ReservedInstancesId: '22222222-bbbb',
                State: 'active',
                End: '2027-06-01T00:00:00.000Z',
                InstanceCount: 1,
              },
            ],
          },
        },
      }),
      exploring([...both, ...both]),
    );
    const { items } = await listAs(fake);
    expect(items.map(({ nativeId, tags, metadata }) => [nativeId, tags, metadata['endsAt']])).toEqual([
      [plan, {}, '2027-05-01T00:00:00.000Z'],
      [reserved, { team: 'shop' }, '2027-06-01T00:00:00.000Z'],
    ]);
  });

  it('reads all pages', async () => {
    const pages: Record<string, object> = {
      '': { Volumes: [volume('vol-0aaaaaaaa')], NextToken: 'two' },
      two: { Volumes: [volume('vol-0bbbbbbbb')], NextToken: 'three' },
      three: { Volumes: [volume('vol-0cccccccc')] },
    };
    fake = await startAws(inventoryAnswers(regionsOn('eu-west-1')), {
      'ec2.DescribeVolumes': (call) => printed(call, pages[String(call.params['NextToken'] ?? '')] ?? {}),
    });
    const { items } = await listAs(fake);
    expect(items.flatMap(({ aliases }) => aliases)).toEqual(['vol-0aaaaaaaa', 'vol-0bbbbbbbb', 'vol-0cccccccc']);
  });
});

describe('incomplete inventory', () => {
  it('omits denied lists, and names the permission and region', async () => {
    fake = await startAws(inventoryAnswers({ ...regionsOn('eu-west-1', 'eu-west-2', 'us-east-1') }), {
      'ec2.DescribeVolumes': () =>
        ec2Error(403, 'UnauthorizedOperation', 'You are not authorized to perform this operation.'),
      'rds.DescribeDBInstances': ({ region }) =>
        region === 'eu-west-2'
          ? queryError(
              403,
              'AccessDenied',
              'User: x is not authorized with an explicit deny in a service control policy',
            )
          : printed(
              { service: 'rds', operation: 'DescribeDBInstances' },
              { DBInstances: [{ DBInstanceIdentifier: 'orders' }] },
            ),
      'savingsplans.DescribeSavingsPlans': () => jsonError(403, 'AccessDeniedException', 'no'),
      'es.DescribeReservedInstances': () => jsonError(403, 'SubscriptionRequiredException', 'not subscribed'),
      'resource-explorer-2.ListIndexes': () => jsonError(403, 'AccessDeniedException', 'no'),
    });
    const { items, warnings, unread, lists } = await listAs(fake);
    expect(items.map(({ name, region }) => `${name} ${region}`).toSorted()).toEqual([
      'orders eu-west-1',
      'orders us-east-1',
    ]);
    // Resources of unread lists are not considered deleted; a list that AWS does not offer the account is empty.
    expect([...lists.values()].toSorted()).toEqual(['eu-west-1/rds:db', 'us-east-1/rds:db']);
    expect(unread).toEqual([
      '^(.+/explored)$',
      '^(eu-west-1/ec2:volume)$',
      '^(eu-west-2/ec2:volume)$',
      '^(eu-west-2/rds:db)$',
      '^(us-east-1/ec2:volume)$',
      '^(us-east-1/savings-plans)$',
    ]);
    expect(warnings.slice(1)).toEqual([
      'The inventory lacks EBS volumes (eu-west-1 and 2 more regions): allow ec2:DescribeVolumes in the policy of the role or user.',
      'The inventory lacks Savings Plans (us-east-1): allow savingsplans:DescribeSavingsPlans in the policy of the role or user.',
      'The inventory lacks resources in the indexes of Resource Explorer (us-east-1): allow resource-explorer-2:ListIndexes in the policy of the role or user.',
      'The inventory lacks state and size of databases (eu-west-2): a service control policy of the organization denies ' +
        'rds:DescribeDBInstances; allow it there, or do not use the region.',
    ]);
  });

  it('has no snapshot sources if volumes cannot be read', async () => {
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('eu-west-1'),
        'ec2.DescribeSnapshots': {
          '*': {
            Snapshots: [{ SnapshotId: 'snap-0aaaaaaaa', VolumeId: 'vol-0gone', StartTime: '2024-01-02T03:04:05.000Z' }],
          },
        },
      }),
    );
    const known = await listAs(fake);
    expect(known.items[0]?.metadata).toEqual({
      createdAt: '2024-01-02T03:04:05.000Z',
      sourceExists: false,
      imageIds: [],
    });
    fake.answer({
      'ec2.DescribeVolumes': () => ec2Error(403, 'UnauthorizedOperation', 'no'),
      'ec2.DescribeImages': () => ec2Error(403, 'UnauthorizedOperation', 'no'),
    });
    const unknown = await listAs(fake);
    expect(unknown.items[0]?.metadata).toEqual({ createdAt: '2024-01-02T03:04:05.000Z' });
  });

  it('treats lists in unknown regions as unread', async () => {
    fake = await startAws(inventoryAnswers(regionsOn('eu-west-1')), {
      'ec2.DescribeRegions': () => ec2Error(403, 'UnauthorizedOperation', 'no'),
    });
    const hidden = (list: string) => unread.some((pattern) => new RegExp(pattern).test(list));
    const { unread } = await listAs(fake);
    expect(['eu-west-1/ec2:volume', 'us-east-1/ec2:volume', 'global/explored'].filter(hidden)).toEqual([
      'eu-west-1/ec2:volume',
    ]);
  });

  it('uses Resource Explorer for a service that cannot be read', async () => {
    const known = `arn:aws:ec2:eu-west-1:123456789012:volume/vol-0aaaaaaaa`;
    fake = await startAws(
      inventoryAnswers({ ...regionsOn('eu-west-1'), ...explorerOf('eu-west-1', ['eu-west-1']) }),
      exploring([explored(known, 'ec2:volume')]),
      { 'ec2.DescribeVolumes': () => ec2Error(403, 'UnauthorizedOperation', 'no') },
    );
    const { lists, unread } = await listAs(fake);
    expect([...lists]).toEqual([[known, 'eu-west-1/explored']]);
    expect(unread).toEqual([]);
  });

  it('uses the tagging API if the index cannot be searched', async () => {
    fake = await startAws(
      inventoryAnswers({
        ...regionsOn('eu-west-1'),
        ...explorerOf('eu-west-1', ['eu-west-1']),
        'tagging.GetResources': {
          '*': { ResourceTagMappingList: [tagged('arn:aws:sqs:eu-west-1:123456789012:orders', { team: 'shop' })] },
        },
      }),
      { 'resource-explorer-2.ListResources': () => jsonError(401, 'UnauthorizedException', 'no') },
    );
    const { items, warnings, unread } = await listAs(fake);
    expect(unread).toEqual(['^(eu-west-1/explored)$', '^(global/explored)$']);
    expect(items.map(({ nativeId }) => nativeId)).toEqual(['arn:aws:sqs:eu-west-1:123456789012:orders']);
    expect(warnings).toEqual([
      'The inventory lacks resources that Resource Explorer lists (eu-west-1 and global): ' +
        'allow resource-explorer-2:ListResources in the policy of the role or user.',
    ]);
  });

  it('is rejected if nothing can be read', async () => {
    const denied = Object.fromEntries(
      Object.keys(inventoryAnswers()).map((name) => [
        name,
        () =>
          name.startsWith('ec2')
            ? ec2Error(403, 'UnauthorizedOperation', 'no')
            : /^(rds|elasticache|redshift)/.test(name)
              ? queryError(403, 'AccessDenied', 'no')
              : jsonError(403, 'AccessDeniedException', 'no'),
      ]),
    );
    fake = await startAws(denied);
    await expect(listAs(fake)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^AWS denies access to the inventory\. .*allow ec2:DescribeRegions/),
    });
  });

  it('is retried later after a temporary error, so that no resources seem deleted', async () => {
    fake = await startAws(inventoryAnswers(regionsOn('eu-west-1', 'us-east-1')), {
      'rds.DescribeDBInstances': () => ({
        ...queryError(400, 'Throttling', 'Rate exceeded'),
        headers: { 'retry-after': '120' },
      }),
    });
    await expect(listAs(fake)).rejects.toMatchObject({
      name: 'TryLater',
      message: 'AWS RDS (DescribeDBInstances) limits the request rate (Throttling, 400)',
      retryAfterMs: 120_000,
    });
  });

  it('stops endless paging', async () => {
    fake = await startAws(inventoryAnswers(regionsOn('eu-west-1')), {
      'ec2.DescribeSnapshots': (call) => printed(call, { Snapshots: [], NextToken: 'again' }),
    });
    await expect(listAs(fake)).rejects.toMatchObject({
      name: 'TryLater',
      message: 'AWS EC2 DescribeSnapshots returned pages without end: the same page was returned twice',
    });
    expect(fake.log.filter(({ operation }) => operation === 'DescribeSnapshots')).toHaveLength(2);
  });

  it('stops on abort', async () => {
    const stop = new AbortController();
    fake = await startAws(inventoryAnswers(regionsOn('eu-west-1')), {
      'ec2.DescribeVolumes': async () => {
        stop.abort();
        return new Promise(() => {});
      },
    });
    await expect(listAs(fake, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
