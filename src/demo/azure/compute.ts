import { type Meter, type MeterInput, meterOf } from '../bill/meter.ts';
import { type Tags, tagsOf } from '../inventory/tags.ts';
import { type Place, armResource, places, services } from './places.ts';

interface Machines {
  readonly names: readonly string[];
  readonly at: Place;
  readonly group: string;
  readonly size: string;
  readonly price: string;
  readonly tags: Tags;
  readonly more?: Partial<MeterInput>;
}

function machines({ names, at, group, size, price, tags, more }: Machines): Meter[] {
  return names.map((name) =>
    meterOf({
      name,
      at,
      service: services.vm,
      resource: armResource(at, group, 'microsoft.compute/virtualmachines', name),
      tags,
      meter: size,
      description: `Virtual Machines ${size} - ${size} - EU West`,
      operation: 'Compute',
      unit: 'Hours',
      price,
      perDay: 24,
      rhythm: 'always_on',
      ...more,
    }),
  );
}

function nodePool(name: string, perDay: number, more: Partial<MeterInput>): Meter {
  return meterOf({
    name,
    at: places.retail,
    service: services.vm,
    resource: armResource(places.retail, 'mc-retail', 'microsoft.compute/virtualmachinescalesets', name),
    tags: tagsOf('storefront', 'prod'),
    meter: 'D4s v5',
    description: 'Virtual Machines Dsv5 Series - D4s v5 - EU West',
    operation: 'Compute',
    unit: 'Hours',
    price: '0.23',
    perDay,
    rhythm: 'shopping',
    ...more,
  });
}

/** All machines of the Azure sample. */
export const computeMeters: readonly Meter[] = [
  ...machines({
    names: ['pos-app-1', 'pos-app-2', 'pos-app-3'],
    at: places.retail,
    group: 'pos',
    size: 'D4s v5',
    price: '0.23',
    tags: tagsOf('storefront', 'prod'),
    more: { coveredBy: 'vm-reservation' },
  }),
  ...machines({
    names: ['pricing-1', 'pricing-2'],
    at: places.retail,
    group: 'pricing',
    size: 'E4s v5',
    price: '0.302',
    tags: { ...tagsOf('search', 'prod'), env: 'Prod' },
  }),
  ...machines({
    names: ['ad-dc-1', 'ad-dc-2'],
    at: places.corporate,
    group: 'identity',
    size: 'D2 v2',
    price: '0.146',
    tags: tagsOf('platform', 'prod'),
  }),
  ...machines({
    names: ['file-server'],
    at: places.corporate,
    group: 'legacy',
    size: 'D3 v2',
    price: '0.293',
    tags: {},
  }),
  ...machines({
    names: ['dev-vm-1', 'dev-vm-2', 'dev-vm-3'],
    at: places.development,
    group: 'developers',
    size: 'D4s v5',
    price: '0.23',
    tags: tagsOf('orders', 'dev'),
  }),
  ...machines({
    names: ['test-farm'],
    at: places.development,
    group: 'test',
    size: 'F8s v2',
    price: '0.388',
    tags: { ...tagsOf('storefront', 'staging'), env: 'test' },
    more: { perDay: 88, rhythm: 'office_hours' },
  }),
  nodePool('retail-nodes', 96, { growth: 0.18, coveredBy: 'vm-savings-plan' }),
  nodePool('retail-spot-nodes', 40, {
    spot: 260,
    growth: 0.3,
    meter: 'D4s v5 Spot',
    description: 'Virtual Machines Dsv5 Series - D4s v5 Spot - EU West',
  }),
  meterOf({
    name: 'retail-aks',
    at: places.retail,
    service: services.aks,
    resource: armResource(places.retail, 'retail', 'microsoft.containerservice/managedclusters', 'retail-aks'),
    tags: tagsOf('platform', 'prod'),
    meter: 'Standard Uptime SLA',
    description: 'Azure Kubernetes Service - Standard Uptime SLA',
    unit: 'Hours',
    price: '0.1',
    perDay: 24,
    rhythm: 'always_on',
  }),
  meterOf({
    name: 'shop-backoffice',
    at: places.retail,
    service: services.appService,
    resource: armResource(places.retail, 'backoffice', 'microsoft.web/serverfarms', 'shop-backoffice'),
    tags: tagsOf('orders', 'prod'),
    meter: 'P1 v3 App',
    description: 'Azure App Service Premium v3 Plan - P1 v3 App',
    unit: 'Hours',
    price: '0.226',
    perDay: 48,
    rhythm: 'always_on',
  }),
  // A plan without any sites.
  meterOf({
    name: 'old-portal',
    at: places.corporate,
    service: services.appService,
    resource: armResource(places.corporate, 'legacy', 'microsoft.web/serverfarms', 'old-portal'),
    tags: {},
    meter: 'S2 App',
    description: 'Azure App Service Standard Plan - S2 App',
    unit: 'Hours',
    price: '0.2',
    perDay: 24,
    rhythm: 'always_on',
  }),
];
