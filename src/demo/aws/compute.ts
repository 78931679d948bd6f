import type { Resource } from '../bill/line-item.ts';
import { type Meter, type MeterInput, meterOf } from '../bill/meter.ts';
import { hexOf } from '../random.ts';
import { type Tags, tagsOf } from '../inventory/tags.ts';
import { type Place, places, services, usagePrefix } from './places.ts';

/** An instance id that is stable across runs. */
export function instance(place: Place, name: string): Resource {
  const id = `i-0${hexOf(name, 16)}`;
  return { id: `arn:aws:ec2:${place.region.id}:${place.subAccount.id}:instance/${id}`, name, type: 'Instance' };
}

interface Group {
  readonly names: readonly string[];
  readonly at: Place;
  readonly type: string;
  readonly price: string;
  readonly tags: (name: string) => Tags;
  readonly more?: Partial<MeterInput>;
}

function instances({ names, at, type, price, tags, more }: Group): Meter[] {
  return names.map((name) =>
    meterOf({
      name,
      at,
      service: services.ec2,
      resource: instance(at, name),
      tags: tags(name),
      meter: `${usagePrefix(at)}BoxUsage:${type}`,
      description: `$${price} per On Demand Linux ${type} Instance Hour`,
      operation: 'RunInstances',
      unit: 'Hours',
      price,
      perDay: 24,
      rhythm: 'always_on',
      ...more,
    }),
  );
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}-0${at + 1}`);

/** Autoscaled nodes: one meter for the group's instance hours, which follow shopping traffic. */
const scaling: Meter[] = [
  ...instances({
    names: ['web-asg'],
    at: places.shop,
    type: 'm6i.xlarge',
    price: '0.214',
    tags: () => ({ ...tagsOf('storefront', 'prod'), 'aws:autoscaling:groupName': 'web-asg' }),
    more: { perDay: 120, rhythm: 'shopping', growth: 0.22, coveredBy: 'compute-sp' },
  }),
  ...instances({
    names: ['build-node'],
    at: places.staging,
    type: 'c6i.4xlarge',
    price: '0.7296',
    tags: () => tagsOf('platform', 'dev'),
    more: {
      perDay: 38,
      rhythm: 'business',
      growth: 0.1,
      spot: 380,
      meter: 'EU-SpotUsage:c6i.4xlarge',
      description: 'c6i.4xlarge Linux/UNIX Spot Instance-hour in EU (Ireland)',
      operation: 'RunInstances:SV001',
      perMonth: true,
    },
  }),
  ...instances({
    names: numbered('feature-batch', 4),
    at: places.data,
    type: 'r6i.2xlarge',
    price: '0.564',
    tags: (name) => ({ ...tagsOf('ml', 'prod'), 'aws:autoscaling:groupName': 'feature-batch', Name: name }),
    more: {
      perDay: 9,
      spot: 320,
      meter: 'EU-SpotUsage:r6i.2xlarge',
      description: 'r6i.2xlarge Linux/UNIX Spot Instance-hour in EU (Ireland)',
      operation: 'RunInstances:SV001',
      perMonth: true,
    },
  }),
];

/** All EC2 instances of the sample. */
export const computeMeters: readonly Meter[] = [
  ...instances({
    names: numbered('orders-api', 4),
    at: places.shop,
    type: 'c6i.2xlarge',
    price: '0.3648',
    tags: (name) => tagsOf('orders', 'prod', name),
    more: { coveredBy: 'compute-sp' },
  }),
  ...instances({
    names: numbered('payments-api', 2),
    at: places.shop,
    type: 'm6i.xlarge',
    price: '0.214',
    tags: (name) => tagsOf('payments', 'prod', name),
    more: { coveredBy: 'compute-sp' },
  }),
  ...instances({
    names: numbered('search-node', 3),
    at: places.shop,
    type: 'r6i.2xlarge',
    price: '0.564',
    tags: (name) => tagsOf('search', 'prod', name),
  }),
  ...instances({
    names: numbered('erp-app', 3),
    at: places.office,
    type: 'm4.xlarge',
    price: '0.24',
    tags: (name) => tagsOf('erp', 'prod', name),
  }),
  ...instances({
    names: ['erp-report', 'erp-archive'],
    at: places.office,
    type: 'm4.large',
    price: '0.12',
    tags: () => ({}),
  }),
  ...instances({
    names: numbered('staging-web', 3),
    at: places.staging,
    type: 'm6i.xlarge',
    price: '0.214',
    tags: (name) => tagsOf('storefront', 'staging', name),
  }),
  ...instances({
    names: numbered('staging-orders', 2),
    at: places.staging,
    type: 'c6i.2xlarge',
    price: '0.3648',
    tags: (name) => tagsOf('orders', 'staging', name),
  }),
  ...instances({
    names: numbered('dev-box', 3),
    at: places.sandbox,
    type: 't3.large',
    price: '0.0832',
    tags: (name) => tagsOf('platform', 'dev', name),
  }),
  ...instances({ names: ['qa-runner'], at: places.sandbox, type: 't2.xlarge', price: '0.1856', tags: () => ({}) }),
  ...instances({
    names: numbered('dev-office', 2),
    at: places.staging,
    type: 'm6i.large',
    price: '0.107',
    tags: (name) => tagsOf('orders', 'dev', name),
    more: { perDay: 11, rhythm: 'office_hours' },
  }),
  ...scaling,
  meterOf({
    name: 'dev-box credits',
    at: places.sandbox,
    service: services.ec2,
    resource: instance(places.sandbox, 'dev-box-01'),
    tags: tagsOf('platform', 'dev', 'dev-box-01'),
    meter: 'USE1-CPUCredits:t3',
    description: '$0.05 per T3 CPU Credits',
    operation: 'RunInstances',
    unit: 'Core-Hours',
    price: '0.05',
    perDay: 12,
  }),
];
