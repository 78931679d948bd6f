import { type Meter, type MeterInput, meterOf } from '../bill/meter.ts';
import type { Tags } from '../inventory/tags.ts';
import { type Place, fullResource, places, services } from './places.ts';
import { daysPerMonth, labels, simple } from './simple.ts';

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

/** Machines are billed as cores and memory, with 4 GiB per core. */
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
      unit: 'Hours',
      price: corePrices[family],
      perDay: cores * 24,
      ...more,
    }),
    meterOf({
      ...base,
      name: `${name} ram`,
      meter: ram,
      description: ram,
      unit: 'GiB-Hours',
      price: ramPrices[family],
      perDay: cores * 96,
      ...more,
    }),
  ];
}

interface DiskSize {
  readonly kind: 'SSD backed PD Capacity' | 'Storage PD Capacity' | 'Balanced PD Capacity';
  readonly sizeGb: number;
}

const disk = (name: string, at: Place, { kind, sizeGb }: DiskSize, tags: Tags): Meter =>
  simple({
    name,
    at,
    service: services.compute,
    resource: fullResource(at, 'compute', `zones/${at.region.id}-b/disks/${name}`, 'Disk'),
    tags,
    meter: kind,
    unit: 'GiB-Months',
    price: kind === 'SSD backed PD Capacity' ? '0.187' : kind === 'Storage PD Capacity' ? '0.044' : '0.11',
    perDay: sizeGb / daysPerMonth,
    rhythm: 'always_on',
  });

/** Machines, disks and clusters of the Google sample. */
export const computeMeters: readonly Meter[] = [
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
  disk('event-ingest-data', places.analytics, { kind: 'SSD backed PD Capacity', sizeGb: 1500 }, labels('data', 'prod')),
  disk('legacy-etl-data', places.analytics, { kind: 'Storage PD Capacity', sizeGb: 3000 }, {}),
  disk('model-cache', places.ml, { kind: 'Balanced PD Capacity', sizeGb: 800 }, labels('ml', 'prod')),
  disk('dev-workbench-data', places.dev, { kind: 'SSD backed PD Capacity', sizeGb: 500 }, labels('ml', 'dev')),
  // Unattached to any machine.
  disk('old-etl-scratch', places.analytics, { kind: 'SSD backed PD Capacity', sizeGb: 1000 }, {}),
  disk('experiment-42-data', places.ml, { kind: 'Balanced PD Capacity', sizeGb: 2000 }, labels('ml', 'dev')),
  simple({
    name: 'etl-2024-snapshot',
    at: places.analytics,
    service: services.compute,
    resource: fullResource(places.analytics, 'compute', 'global/snapshots/etl-2024-snapshot', 'Snapshot'),
    meter: 'Storage PD Snapshot in Belgium',
    unit: 'GiB-Months',
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
      unit: 'Hours',
      price: '0.01',
      perDay: 24,
      rhythm: 'always_on',
    }),
  ),
  simple({
    name: 'apps cluster',
    at: places.apps,
    service: services.gke,
    resource: fullResource(places.apps, 'container', 'locations/europe-west1/clusters/apps', 'Cluster'),
    tags: labels('platform', 'prod'),
    meter: 'Regional Kubernetes Clusters',
    unit: 'Hours',
    price: '0.1',
    perDay: 24,
    rhythm: 'always_on',
  }),
];
