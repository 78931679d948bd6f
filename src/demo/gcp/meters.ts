import type { Resource } from '../line-item.ts';
import { type Meter, type MeterInput, meterOf } from '../meter.ts';
import { type Tags, tagsOf } from '../tags.ts';
import { type Place, fullResource, places, services } from './places.ts';

const daysPerMonth = 30.4375;

/** Google labels: lower case, and the team's cost centre without its capitals. */
function labels(...tag: Parameters<typeof tagsOf>): Tags {
  const { Name: _name, cost_center: costCenter = '', ...rest } = tagsOf(...tag);
  return { ...rest, cost_center: costCenter.toLowerCase() };
}

interface Machine {
  readonly name: string;
  readonly at: Place;
  readonly family: 'E2' | 'N1 Predefined' | 'N2';
  readonly cores: number;
  readonly tags: Tags;
  readonly more?: Partial<MeterInput>;
}

const corePrices = { E2: '0.02399', 'N1 Predefined': '0.034773', N2: '0.034806' } as const;
const ramPrices = { E2: '0.003215', 'N1 Predefined': '0.004661', N2: '0.004665' } as const;

/** A machine is billed as cores and memory, 4 GiB a core. */
function machine({ name, at, family, cores, tags, more }: Machine): Meter[] {
  const spot = more?.spot === undefined ? '' : 'Spot Preemptible ';
  const where = at.region.id.startsWith('us') ? 'Americas' : 'EMEA';
  const base = {
    at,
    service: services.compute,
    resource: fullResource(at, 'compute', `zones/${at.region.id}-b/instances/${name}`, 'Instance'),
    tags,
    rhythm: 'always_on' as const,
  };
  const core = `${spot}${family} Instance Core running in ${where}`;
  const ram = `${spot}${family} Instance Ram running in ${where}`;
  return [
    meterOf({
      ...base,
      name: `${name} core`,
      meter: core,
      description: core,
      unit: 'h',
      price: corePrices[family],
      perDay: cores * 24,
      ...more,
    }),
    meterOf({
      ...base,
      name: `${name} ram`,
      meter: ram,
      description: ram,
      unit: 'GiBy.h',
      price: ramPrices[family],
      perDay: cores * 96,
      ...more,
    }),
  ];
}

interface Simple extends Partial<MeterInput> {
  readonly name: string;
  readonly at: Place;
  readonly service: MeterInput['service'];
  readonly meter: string;
  readonly unit: string;
  readonly price: string;
  readonly perDay: number;
}

const simple = (input: Simple): Meter => meterOf({ description: input.meter, ...input });

const disk = (
  name: string,
  at: Place,
  kind: 'SSD backed PD Capacity' | 'Storage PD Capacity' | 'Balanced PD Capacity',
  sizeGb: number,
  tags: Tags,
): Meter =>
  simple({
    name,
    at,
    service: services.compute,
    resource: fullResource(at, 'compute', `zones/${at.region.id}-b/disks/${name}`, 'Disk'),
    tags,
    meter: kind,
    unit: 'GiBy.mo',
    price: kind === 'SSD backed PD Capacity' ? '0.187' : kind === 'Storage PD Capacity' ? '0.044' : '0.11',
    perDay: sizeGb / daysPerMonth,
    rhythm: 'always_on',
  });

const bucket = (name: string, at: Place, sizeGb: number, growth: number, tags: Tags): Meter =>
  simple({
    name: `${name} storage`,
    at,
    service: services.storage,
    resource: bucketOf(name),
    tags,
    meter: 'Standard Storage Belgium',
    unit: 'GiBy.mo',
    price: '0.02',
    perDay: sizeGb / daysPerMonth,
    growth,
  });

const bucketOf = (name: string): Resource => ({ id: `//storage.googleapis.com/${name}`, name, type: 'Bucket' });

const sqlMeters = (name: string, at: Place, tags: Tags, regional: boolean): Meter[] => {
  const base = {
    at,
    service: services.sql,
    resource: fullResource(at, 'sqladmin', `instances/${name}`, 'Cloud SQL Instance'),
    tags,
    rhythm: 'always_on' as const,
  };
  const kind = `Cloud SQL for PostgreSQL: ${regional ? 'Regional' : 'Zonal'}`;
  return [
    simple({
      ...base,
      name: `${name} cpu`,
      meter: `${kind} - vCPU in Belgium`,
      unit: 'h',
      price: regional ? '0.0826' : '0.0413',
      perDay: 8 * 24,
    }),
    simple({
      ...base,
      name: `${name} ram`,
      meter: `${kind} - RAM in Belgium`,
      unit: 'GiBy.h',
      price: regional ? '0.014' : '0.007',
      perDay: 32 * 24,
    }),
    simple({
      ...base,
      name: `${name} disk`,
      meter: `${kind} - Standard storage in Belgium`,
      unit: 'GiBy.mo',
      price: regional ? '0.34' : '0.17',
      perDay: 600 / daysPerMonth,
    }),
  ];
};

const dataset = (name: string): Resource => fullResource(places.analytics, 'bigquery', `datasets/${name}`, 'Dataset');

/** Every meter of the Google sample. */
export const meters: readonly Meter[] = [
  ...machine({
    name: 'airflow-1',
    at: places.analytics,
    family: 'E2',
    cores: 8,
    tags: labels('data', 'prod'),
    more: { coveredBy: 'flex-cud' },
  }),
  ...machine({
    name: 'airflow-2',
    at: places.analytics,
    family: 'E2',
    cores: 8,
    tags: labels('data', 'prod'),
    more: { coveredBy: 'flex-cud' },
  }),
  ...machine({
    name: 'event-ingest',
    at: places.analytics,
    family: 'N2',
    cores: 16,
    tags: labels('data', 'prod'),
    more: { coveredBy: 'flex-cud' },
  }),
  ...machine({ name: 'legacy-etl', at: places.analytics, family: 'N1 Predefined', cores: 16, tags: {} }),
  ...machine({ name: 'model-server', at: places.ml, family: 'N2', cores: 16, tags: labels('ml', 'prod') }),
  ...machine({
    name: 'training-pool',
    at: places.ml,
    family: 'N2',
    cores: 32,
    tags: labels('ml', 'prod'),
    more: { spot: 340, rhythm: 'business', perMonth: true },
  }),
  ...machine({ name: 'dev-workbench', at: places.dev, family: 'E2', cores: 8, tags: labels('ml', 'dev') }),
  ...machine({
    name: 'qa-devices',
    at: places.dev,
    family: 'N1 Predefined',
    cores: 4,
    tags: labels('storefront', 'staging'),
  }),
  disk('event-ingest-data', places.analytics, 'SSD backed PD Capacity', 1500, labels('data', 'prod')),
  disk('legacy-etl-data', places.analytics, 'Storage PD Capacity', 3000, {}),
  disk('model-cache', places.ml, 'Balanced PD Capacity', 800, labels('ml', 'prod')),
  disk('dev-workbench-data', places.dev, 'SSD backed PD Capacity', 500, labels('ml', 'dev')),
  // No machine uses these two.
  disk('old-etl-scratch', places.analytics, 'SSD backed PD Capacity', 1000, {}),
  disk('experiment-42-data', places.ml, 'Balanced PD Capacity', 2000, labels('ml', 'dev')),
  simple({
    name: 'etl-2024-snapshot',
    at: places.analytics,
    service: services.compute,
    resource: fullResource(places.analytics, 'compute', 'global/snapshots/etl-2024-snapshot', 'Snapshot'),
    meter: 'Storage PD Snapshot in Belgium',
    unit: 'GiBy.mo',
    price: '0.0286',
    perDay: 2400 / daysPerMonth,
    rhythm: 'always_on',
  }),
  ...['old-vpn', 'experiment-42'].map((name) =>
    simple({
      name: `${name} address`,
      at: places.dev,
      service: services.compute,
      resource: fullResource(places.dev, 'compute', `regions/europe-west1/addresses/${name}`, 'Address'),
      meter: 'Static Ip Charge',
      unit: 'h',
      price: '0.01',
      perDay: 24,
      rhythm: 'always_on',
    }),
  ),
  simple({
    name: 'old-api rule',
    at: places.apps,
    service: services.network,
    resource: fullResource(places.apps, 'compute', 'global/forwardingRules/old-api', 'Forwarding Rule'),
    meter: 'Network Load Balancing: Forwarding Rule Minimum Service Charge in EMEA',
    unit: 'h',
    price: '0.025',
    perDay: 24,
    rhythm: 'always_on',
  }),
  simple({
    name: 'apps rule',
    at: places.apps,
    service: services.network,
    resource: fullResource(places.apps, 'compute', 'global/forwardingRules/apps', 'Forwarding Rule'),
    tags: labels('storefront', 'prod'),
    meter: 'Network Load Balancing: Forwarding Rule Minimum Service Charge in EMEA',
    unit: 'h',
    price: '0.025',
    perDay: 24,
    rhythm: 'always_on',
  }),
  simple({
    name: 'apps data',
    at: places.apps,
    service: services.network,
    resource: fullResource(places.apps, 'compute', 'global/forwardingRules/apps', 'Forwarding Rule'),
    tags: labels('storefront', 'prod'),
    meter: 'Network Load Balancing: Data Processed in EMEA',
    unit: 'GiBy',
    price: '0.008',
    perDay: 900,
    rhythm: 'shopping',
    growth: 0.4,
  }),
  simple({
    name: 'dev nat',
    at: places.dev,
    service: services.network,
    resource: fullResource(places.dev, 'compute', 'regions/europe-west1/routers/dev-nat', 'Router'),
    meter: 'Networking Cloud NAT Gateway Uptime',
    unit: 'h',
    price: '0.044',
    perDay: 24,
    rhythm: 'always_on',
  }),
  simple({
    name: 'internet egress',
    at: places.apps,
    service: services.network,
    meter: 'Network Internet Data Transfer Out from EMEA to EMEA',
    unit: 'GiBy',
    price: '0.085',
    perDay: 420,
    rhythm: 'shopping',
    growth: 0.4,
  }),
  simple({
    name: 'bq analysis',
    at: places.analytics,
    service: services.bigQuery,
    resource: dataset('events'),
    tags: labels('data', 'prod'),
    meter: 'Analysis (europe-west1)',
    unit: 'TiBy',
    price: '7.5',
    perDay: 17,
    rhythm: 'business',
    growth: 0.35,
  }),
  simple({
    name: 'bq storage',
    at: places.analytics,
    service: services.bigQuery,
    resource: dataset('events'),
    tags: labels('data', 'prod'),
    meter: 'Active Logical Storage (europe-west1)',
    unit: 'GiBy.mo',
    price: '0.02',
    perDay: 88_000 / daysPerMonth,
    growth: 0.4,
  }),
  simple({
    name: 'bq long term',
    at: places.analytics,
    service: services.bigQuery,
    resource: dataset('history'),
    tags: labels('data', 'prod'),
    meter: 'Long Term Logical Storage (europe-west1)',
    unit: 'GiBy.mo',
    price: '0.01',
    perDay: 120_000 / daysPerMonth,
    growth: 0.2,
  }),
  bucket('bw-event-lake', places.analytics, 52_000, 0.4, labels('data', 'prod')),
  bucket('bw-model-artifacts', places.ml, 14_000, 0.5, labels('ml', 'prod')),
  bucket('bw-experiments-2023', places.ml, 38_000, 0, {}),
  simple({
    name: 'lake operations',
    at: places.analytics,
    service: services.storage,
    resource: bucketOf('bw-event-lake'),
    tags: labels('data', 'prod'),
    meter: 'Regional Standard Class A Operations',
    unit: 'count',
    price: '0.000005',
    perDay: 1_400_000,
    rhythm: 'business',
    growth: 0.4,
  }),
  ...sqlMeters('apps-db', places.apps, labels('storefront', 'prod'), true),
  ...sqlMeters('apps-db-test', places.dev, labels('storefront', 'staging'), true),
  simple({
    name: 'clickstream messages',
    at: places.apps,
    service: services.pubsub,
    resource: fullResource(places.apps, 'pubsub', 'topics/clickstream', 'Topic'),
    tags: labels('data', 'prod'),
    meter: 'Message Delivery Basic',
    unit: 'TiBy',
    price: '40',
    perDay: 0.9,
    rhythm: 'shopping',
    growth: 0.3,
  }),
  simple({
    name: 'app backend cpu',
    at: places.apps,
    service: services.run,
    resource: fullResource(places.apps, 'run', 'locations/europe-west1/services/app-backend', 'Service'),
    tags: labels('storefront', 'prod'),
    meter: 'Services CPU (Request-based billing) in europe-west1',
    unit: 's',
    price: '0.000024',
    perDay: 1_900_000,
    rhythm: 'shopping',
    growth: 0.5,
  }),
  simple({
    name: 'app backend memory',
    at: places.apps,
    service: services.run,
    resource: fullResource(places.apps, 'run', 'locations/europe-west1/services/app-backend', 'Service'),
    tags: labels('storefront', 'prod'),
    meter: 'Services Memory (Request-based billing) in europe-west1',
    unit: 'GiBy.s',
    price: '0.0000025',
    perDay: 3_800_000,
    rhythm: 'shopping',
    growth: 0.5,
  }),
  simple({
    name: 'apps cluster',
    at: places.apps,
    service: services.gke,
    resource: fullResource(places.apps, 'container', 'locations/europe-west1/clusters/apps', 'Cluster'),
    tags: labels('platform', 'prod'),
    meter: 'Regional Kubernetes Clusters',
    unit: 'h',
    price: '0.1',
    perDay: 24,
    rhythm: 'always_on',
  }),
  simple({
    name: 'recommender prediction',
    at: places.ml,
    service: services.vertex,
    resource: fullResource(places.ml, 'aiplatform', 'locations/us-central1/endpoints/recommender', 'Endpoint'),
    tags: labels('ml', 'prod'),
    meter: 'Online/Batch Prediction Nvidia L4 GPU running in Americas',
    unit: 'h',
    price: '0.6441',
    perDay: 96,
    rhythm: 'shopping',
    growth: 0.3,
  }),
  simple({
    name: 'log storage',
    at: places.apps,
    service: services.logging,
    resource: fullResource(places.apps, 'logging', 'locations/global/buckets/_Default', 'Log Bucket'),
    meter: 'Log Storage cost',
    unit: 'GiBy',
    price: '0.5',
    perDay: 58,
    rhythm: 'business',
    growth: 0.4,
  }),
];
