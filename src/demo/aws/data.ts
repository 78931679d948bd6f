import type { Service } from '../bill/line-item.ts';
import { type Meter, type MeterInput, meterOf } from '../bill/meter.ts';
import { hexOf } from '../random.ts';
import { type Tags, tagsOf } from '../inventory/tags.ts';
import { arnOf, database, databaseMeters } from './databases.ts';
import { type Place, places, services, usagePrefix } from './places.ts';

interface Managed extends Partial<MeterInput> {
  readonly name: string;
  readonly at: Place;
  readonly service: Service;
  readonly meter: string;
  readonly unit: string;
  readonly price: string;
  readonly perDay: number;
}

const managed = (input: Managed): Meter =>
  meterOf({ description: `$${input.price} per ${input.unit} of ${input.meter}`, operation: 'Usage', ...input });

const lambda = (name: string, owner: Tags, perDay: number): Meter[] => {
  const base = {
    at: places.shop,
    service: services.lambda,
    resource: arnOf(places.shop, `lambda:function:${name}`, name, 'Function'),
    tags: owner,
    rhythm: 'shopping' as const,
    growth: 0.3,
    operation: 'Invoke',
  };
  return [
    managed({
      ...base,
      name: `${name} duration`,
      meter: 'EU-Lambda-GB-Second',
      unit: 'GB-Seconds',
      price: '0.00001667',
      perDay,
    }),
    managed({
      ...base,
      name: `${name} requests`,
      meter: 'EU-Request',
      unit: 'Requests',
      price: '0.0000002',
      perDay: perDay * 3,
    }),
  ];
};

const cache = (name: string): Meter =>
  managed({
    name,
    at: places.shop,
    service: services.cache,
    resource: arnOf(places.shop, `elasticache:cluster:${name}`, name, 'Cache Cluster'),
    tags: tagsOf('storefront', 'prod', name),
    meter: 'EU-NodeUsage:cache.r6g.large',
    description: '$0.227 per r6g.large Cache node-hour running Redis',
    operation: 'CreateCacheCluster:0002',
    unit: 'Hours',
    price: '0.227',
    perDay: 24,
    rhythm: 'always_on',
    coveredBy: 'cache-ri',
  });

const cluster = (name: string, at: Place, tags: Tags, extended: boolean): Meter =>
  managed({
    name,
    at,
    service: services.eks,
    resource: arnOf(at, `eks:cluster/${name}`, name, 'Cluster'),
    tags,
    meter: `${usagePrefix(at)}AmazonEKS-Hours:${extended ? 'extendedSupport' : 'perCluster'}`,
    operation: extended ? 'ExtendedSupport' : 'CreateOperation',
    unit: 'Hours',
    price: extended ? '0.6' : '0.1',
    perDay: 24,
    rhythm: 'always_on',
  });

/** Databases and managed services of the AWS sample. */
export const dataMeters: readonly Meter[] = [
  ...databaseMeters,
  managed({
    name: 'erp-db extended support',
    at: places.office,
    service: services.rds,
    resource: database(places.office, 'erp-db'),
    tags: tagsOf('erp', 'prod', 'erp-db'),
    meter: 'EUC1-ExtendedSupport:Yr1-Yr2:MySQL5.7',
    operation: 'CreateDBInstance:0002',
    unit: 'Core-Hours',
    price: '0.122',
    perDay: 192,
    rhythm: 'always_on',
  }),
  managed({
    name: 'orders-db backups',
    at: places.shop,
    service: services.rds,
    resource: database(places.shop, 'orders-db'),
    tags: tagsOf('orders', 'prod', 'orders-db'),
    meter: 'EU-RDS:ChargedBackupUsage',
    unit: 'GB-Months',
    price: '0.095',
    perDay: 74,
    growth: 0.2,
  }),
  cache('session-cache-01'),
  cache('session-cache-02'),
  managed({
    name: 'carts reads',
    at: places.shop,
    service: services.dynamo,
    resource: arnOf(places.shop, 'dynamodb:table/carts', 'carts', 'Table'),
    tags: tagsOf('storefront', 'prod'),
    meter: 'EU-ReadRequestUnits',
    unit: 'ReadRequestUnits',
    price: '0.00000028',
    perDay: 96_000_000,
    rhythm: 'shopping',
    growth: 0.2,
  }),
  managed({
    name: 'carts writes',
    at: places.shop,
    service: services.dynamo,
    resource: arnOf(places.shop, 'dynamodb:table/carts', 'carts', 'Table'),
    tags: tagsOf('storefront', 'prod'),
    meter: 'EU-WriteRequestUnits',
    unit: 'WriteRequestUnits',
    price: '0.00000141',
    perDay: 21_000_000,
    rhythm: 'shopping',
    growth: 0.2,
  }),
  ...lambda('order-events', tagsOf('orders', 'prod'), 1_400_000),
  ...lambda('image-resize', tagsOf('storefront', 'prod'), 2_100_000),
  ...lambda('mail-sender', {}, 300_000),
  cluster('shop', places.shop, tagsOf('platform', 'prod'), false),
  cluster('legacy-jobs', places.data, tagsOf('data', 'prod'), true),
  managed({
    name: 'ecr storage',
    at: places.staging,
    service: services.ecr,
    resource: arnOf(places.staging, 'ecr:repository/services', 'services', 'Repository'),
    tags: tagsOf('platform', 'dev'),
    meter: 'EU-TimedStorage-ByteHrs',
    unit: 'GB-Months',
    price: '0.1',
    perDay: 82,
    growth: 0.6,
  }),
  managed({
    name: 'cloudwatch ingest',
    at: places.shopUs,
    service: services.cloudwatch,
    resource: arnOf(places.shopUs, 'logs:log-group:/shop/edge', '/shop/edge', 'Log Group'),
    tags: tagsOf('storefront', 'prod'),
    meter: 'USE1-DataProcessing-Bytes',
    operation: 'PutLogEvents',
    unit: 'GB',
    price: '0.5',
    perDay: 34,
    rhythm: 'shopping',
    growth: 0.2,
  }),
  managed({
    name: 'cloudwatch storage',
    at: places.shopUs,
    service: services.cloudwatch,
    resource: arnOf(places.shopUs, 'logs:log-group:/shop/edge', '/shop/edge', 'Log Group'),
    tags: tagsOf('storefront', 'prod'),
    meter: 'USE1-TimedStorage-ByteHrs',
    operation: 'HourlyStorageMetering',
    unit: 'GB-Months',
    price: '0.03',
    perDay: 410,
    growth: 0.9,
  }),
  managed({
    name: 'order queue',
    at: places.shop,
    service: services.sqs,
    resource: arnOf(places.shop, 'sqs:orders', 'orders', 'Queue'),
    tags: tagsOf('orders', 'prod'),
    meter: 'EU-Requests-Tier1',
    unit: 'Requests',
    price: '0.0000004',
    perDay: 31_000_000,
    rhythm: 'shopping',
    growth: 0.2,
  }),
  managed({
    name: 'clickstream shards',
    at: places.data,
    service: services.kinesis,
    resource: arnOf(places.data, 'kinesis:stream/clickstream', 'clickstream', 'Stream'),
    tags: tagsOf('data', 'prod'),
    meter: 'EU-Storage-ShardHour',
    unit: 'Shard-Hours',
    price: '0.017',
    perDay: 48 * 24,
    rhythm: 'always_on',
  }),
  managed({
    name: 'bedrock input',
    at: places.shopUs,
    service: services.bedrock,
    resource: arnOf(
      places.shopUs,
      `bedrock:application-inference-profile/${hexOf('bedrock', 12)}`,
      'product-copy',
      'Inference Profile',
    ),
    tags: tagsOf('ml', 'prod'),
    meter: 'USE1-InputTokenCount',
    unit: '1000 Tokens',
    price: '0.003',
    perDay: 19_000,
    rhythm: 'business',
    growth: 1.1,
  }),
  managed({
    name: 'bedrock output',
    at: places.shopUs,
    service: services.bedrock,
    resource: arnOf(
      places.shopUs,
      `bedrock:application-inference-profile/${hexOf('bedrock', 12)}`,
      'product-copy',
      'Inference Profile',
    ),
    tags: tagsOf('ml', 'prod'),
    meter: 'USE1-OutputTokenCount',
    unit: '1000 Tokens',
    price: '0.015',
    perDay: 5200,
    rhythm: 'business',
    growth: 1.1,
  }),
];
