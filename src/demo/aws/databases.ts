import type { Resource } from '../bill/line-item.ts';
import { type Meter, meterOf } from '../bill/meter.ts';
import { type Tags, tagsOf } from '../inventory/tags.ts';
import { type Place, places, services, usagePrefix } from './places.ts';

const daysPerMonth = 30.4375;

/** A resource identified by its ARN.
 *  @param path service and resource, such as `lambda:function:mail-sender` */
export function arnOf(at: Place, path: string, name: string, type: string): Resource {
  const [service = '', ...rest] = path.split(':');
  return { id: `arn:aws:${service}:${at.region.id}:${at.subAccount.id}:${rest.join(':')}`, name, type };
}

/** A database, identified by its ARN. */
export function database(at: Place, name: string): Resource {
  return arnOf(at, `rds:db:${name}`, name, 'DB Instance');
}

interface Database {
  readonly name: string;
  readonly at: Place;
  readonly engine: 'PostgreSQL' | 'MySQL';
  readonly type: string;
  readonly price: string;
  readonly storageGb: number;
  readonly tags: Tags;
  readonly multiAz?: boolean;
  readonly coveredBy?: string;
}

function metersOf(db: Database): Meter[] {
  const base = {
    at: db.at,
    service: services.rds,
    resource: database(db.at, db.name),
    tags: db.tags,
    rhythm: 'always_on' as const,
  };
  const prefix = usagePrefix(db.at);
  return [
    meterOf({
      ...base,
      name: `${db.name} instance`,
      meter: `${prefix}${db.multiAz ? 'Multi-AZUsage' : 'InstanceUsage'}:${db.type}`,
      description: `$${db.price} per RDS ${db.type} ${db.multiAz ? 'Multi-AZ' : 'Single-AZ'} instance hour running ${db.engine}`,
      operation: db.engine === 'MySQL' ? 'CreateDBInstance:0002' : 'CreateDBInstance:0014',
      unit: 'Hours',
      price: db.price,
      perDay: 24,
      ...(db.coveredBy ? { coveredBy: db.coveredBy } : {}),
    }),
    meterOf({
      ...base,
      name: `${db.name} storage`,
      meter: `${prefix}RDS:GP2-Storage`,
      description: '$0.127 per GB-month of provisioned gp2 storage',
      operation: 'CreateDBInstance:0014',
      unit: 'GB-Months',
      price: '0.127',
      perDay: db.storageGb / daysPerMonth,
    }),
  ];
}

const databases: readonly Database[] = [
  {
    name: 'orders-db',
    at: places.shop,
    engine: 'PostgreSQL',
    type: 'db.r6g.2xlarge',
    price: '0.964',
    storageGb: 1800,
    tags: tagsOf('orders', 'prod', 'orders-db'),
    coveredBy: 'rds-ri',
  },
  {
    name: 'catalog-db',
    at: places.shop,
    engine: 'PostgreSQL',
    type: 'db.r6g.2xlarge',
    price: '0.964',
    storageGb: 900,
    tags: tagsOf('search', 'prod', 'catalog-db'),
    coveredBy: 'rds-ri',
  },
  {
    name: 'erp-db',
    at: places.office,
    engine: 'MySQL',
    type: 'db.m4.2xlarge',
    price: '0.82',
    storageGb: 1400,
    tags: tagsOf('erp', 'prod', 'erp-db'),
  },
  {
    name: 'staging-db',
    at: places.staging,
    engine: 'PostgreSQL',
    type: 'db.m6g.xlarge',
    price: '0.704',
    storageGb: 500,
    tags: tagsOf('orders', 'staging', 'staging-db'),
    multiAz: true,
  },
];

/** The relational databases of the AWS sample: instances and storage. */
export const databaseMeters: readonly Meter[] = databases.flatMap(metersOf);
