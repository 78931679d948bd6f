import type { Resource } from '../bill/line-item.ts';
import { type Meter, meterOf } from '../bill/meter.ts';
import { hexOf } from '../random.ts';
import { type Tags, tagsOf } from '../inventory/tags.ts';
import { type Place, places, services, usagePrefix } from './places.ts';

const ec2Arn = (at: Place, kind: string, id: string): string =>
  `arn:aws:ec2:${at.region.id}:${at.subAccount.id}:${kind}/${id}`;

/** Average days per month; volumes are priced per month. */
const daysPerMonth = 30.4375;

interface Volume {
  readonly name: string;
  readonly at: Place;
  readonly type: 'gp2' | 'gp3' | 'piops';
  readonly sizeGb: number;
  readonly tags: Tags;
}

/** A volume, identified by its ARN. */
export function volume(at: Place, name: string): Resource {
  return { id: ec2Arn(at, 'volume', `vol-0${hexOf(name, 16)}`), name, type: 'Volume' };
}

/** A snapshot, identified by its ARN. */
export function snapshot(at: Place, name: string): Resource {
  return { id: ec2Arn(at, 'snapshot', `snap-0${hexOf(name, 16)}`), name, type: 'Snapshot' };
}

const volumePrices = { gp2: '0.11', gp3: '0.088', piops: '0.138' } as const;

const volumeMeter = ({ name, at, type, sizeGb, tags }: Volume): Meter =>
  meterOf({
    name,
    at,
    service: services.ebs,
    resource: volume(at, name),
    tags,
    meter: `${usagePrefix(at)}EBS:VolumeUsage.${type}`,
    description: `$${volumePrices[type]} per GB-month of ${type === 'piops' ? 'Provisioned IOPS SSD (io1)' : `General Purpose (${type})`} provisioned storage`,
    operation: type === 'piops' ? 'CreateVolume-P-IOPS' : `CreateVolume-${type === 'gp2' ? 'Gp2' : 'Gp3'}`,
    unit: 'GB-Months',
    price: volumePrices[type],
    perDay: sizeGb / daysPerMonth,
    rhythm: 'always_on',
  });

const snapshotMeter = (name: string, at: Place, sizeGb: number, tags: Tags): Meter =>
  meterOf({
    name,
    at,
    service: services.ebs,
    resource: snapshot(at, name),
    tags,
    meter: `${usagePrefix(at)}EBS:SnapshotUsage`,
    description: '$0.05 per GB-Month of snapshot data stored',
    operation: 'CreateSnapshot',
    unit: 'GB-Months',
    price: '0.05',
    perDay: sizeGb / daysPerMonth,
    rhythm: 'always_on',
  });

interface Bucket {
  readonly name: string;
  readonly at: Place;
  readonly sizeGb: number;
  readonly growth: number;
  readonly tags: Tags;
  /** Thousands of requests on an ordinary day; 0 if it is never read. */
  readonly reads: number;
}

function bucketMeters({ name, at, sizeGb, growth, tags, reads }: Bucket): Meter[] {
  const base = { at, service: services.s3, resource: { id: `arn:aws:s3:::${name}`, name, type: 'Bucket' }, tags };
  const storage = meterOf({
    ...base,
    name: `${name} storage`,
    meter: `${usagePrefix(at)}TimedStorage-ByteHrs`,
    description: '$0.023 per GB - first 50 TB / month of storage used',
    operation: 'StandardStorage',
    unit: 'GB-Months',
    price: '0.023',
    perDay: sizeGb / daysPerMonth,
    growth,
  });
  if (reads === 0) return [storage];
  const requests = { ...base, unit: 'Requests', rhythm: 'shopping' as const, growth };
  return [
    storage,
    meterOf({
      ...requests,
      name: `${name} writes`,
      meter: `${usagePrefix(at)}Requests-Tier1`,
      description: '$0.005 per 1,000 PUT, COPY, POST, or LIST requests',
      operation: 'PutObject',
      price: '0.000005',
      perDay: reads * 60,
    }),
    meterOf({
      ...requests,
      name: `${name} reads`,
      meter: `${usagePrefix(at)}Requests-Tier2`,
      description: '$0.004 per 10,000 GET and all other requests',
      operation: 'GetObject',
      price: '0.0000004',
      perDay: reads * 1000,
    }),
  ];
}

const volumes: readonly Volume[] = [
  {
    name: 'orders-api-data',
    at: places.shop,
    type: 'gp3',
    sizeGb: 800,
    tags: tagsOf('orders', 'prod', 'orders-api-data'),
  },
  {
    name: 'payments-api-data',
    at: places.shop,
    type: 'gp3',
    sizeGb: 400,
    tags: tagsOf('payments', 'prod', 'payments-api-data'),
  },
  {
    name: 'search-node-data',
    at: places.shop,
    type: 'piops',
    sizeGb: 1200,
    tags: tagsOf('search', 'prod', 'search-node-data'),
  },
  { name: 'erp-app-data', at: places.office, type: 'gp2', sizeGb: 2000, tags: tagsOf('erp', 'prod', 'erp-app-data') },
  { name: 'erp-report-data', at: places.office, type: 'gp2', sizeGb: 500, tags: {} },
  {
    name: 'staging-web-data',
    at: places.staging,
    type: 'gp2',
    sizeGb: 600,
    tags: tagsOf('storefront', 'staging', 'staging-web-data'),
  },
  { name: 'web-asg-data', at: places.shop, type: 'gp3', sizeGb: 640, tags: tagsOf('storefront', 'prod') },
  // Left behind after their instances were terminated: these three are unattached.
  {
    name: 'old-orders-data',
    at: places.shop,
    type: 'gp3',
    sizeGb: 1000,
    tags: tagsOf('orders', 'prod', 'old-orders-data'),
  },
  { name: 'migration-scratch', at: places.office, type: 'gp2', sizeGb: 1500, tags: {} },
  { name: 'loadtest-data', at: places.sandbox, type: 'gp2', sizeGb: 750, tags: {} },
];

const buckets: readonly Bucket[] = [
  {
    name: 'brightwater-shop-images',
    at: places.shop,
    sizeGb: 18_000,
    growth: 0.25,
    tags: tagsOf('storefront', 'prod'),
    reads: 9000,
  },
  {
    name: 'brightwater-order-events',
    at: places.data,
    sizeGb: 42_000,
    growth: 0.45,
    tags: tagsOf('data', 'prod'),
    reads: 2500,
  },
  {
    name: 'brightwater-build-cache',
    at: places.staging,
    sizeGb: 6000,
    growth: 0.1,
    tags: tagsOf('platform', 'dev'),
    reads: 700,
  },
  // Not read for a year.
  {
    name: 'brightwater-erp-archive',
    at: places.office,
    sizeGb: 61_000,
    growth: 0.02,
    tags: tagsOf('erp', 'prod'),
    reads: 0,
  },
  { name: 'brightwater-loadtest-results', at: places.sandbox, sizeGb: 9000, growth: 0, tags: {}, reads: 0 },
];

/** Volumes, snapshots and buckets of the AWS sample. */
export const storageMeters: readonly Meter[] = [
  ...volumes.map(volumeMeter),
  snapshotMeter('erp-before-upgrade', places.office, 1900, {}),
  snapshotMeter('orders-2023-final', places.shop, 900, tagsOf('orders', 'prod')),
  snapshotMeter('old-ami-base', places.staging, 420, {}),
  snapshotMeter('nightly-orders', places.shop, 350, tagsOf('orders', 'prod')),
  ...buckets.flatMap(bucketMeters),
];
