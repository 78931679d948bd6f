import type { Resource } from '../bill/line-item.ts';
import { type Meter, type MeterInput, meterOf } from '../bill/meter.ts';
import { hexOf } from '../random.ts';
import { type Tags, tagsOf } from '../inventory/tags.ts';
import { type Place, places, services, usagePrefix } from './places.ts';

const arn = (at: Place, service: string, rest: string): string =>
  `arn:aws:${service}:${at.region.id}:${at.subAccount.id}:${rest}`;

/** A NAT gateway, identified by its ARN. */
export function natGateway(at: Place, name: string): Resource {
  return { id: arn(at, 'ec2', `natgateway/nat-0${hexOf(name, 16)}`), name, type: 'NAT Gateway' };
}

/** An Elastic IP, identified by its ARN. */
export function elasticIp(at: Place, name: string): Resource {
  return { id: arn(at, 'ec2', `elastic-ip/eipalloc-0${hexOf(name, 16)}`), name, type: 'Elastic IP' };
}

/** An Application Load Balancer, identified by its ARN. */
export function loadBalancer(at: Place, name: string): Resource {
  return {
    id: arn(at, 'elasticloadbalancing', `loadbalancer/app/${name}/${hexOf(name, 16)}`),
    name,
    type: 'Load Balancer',
  };
}

function nat(
  name: string,
  at: Place,
  tags: Tags,
  gigabytes: Pick<MeterInput, 'perDay' | 'rhythm' | 'growth'>,
): Meter[] {
  const base = {
    at,
    service: services.ec2,
    resource: natGateway(at, name),
    tags,
    operation: 'NatGateway',
    price: '0.048',
  };
  return [
    meterOf({
      ...base,
      name: `${name} hours`,
      meter: `${usagePrefix(at)}NatGateway-Hours`,
      description: '$0.048 per NAT Gateway Hour',
      unit: 'Hours',
      perDay: 24,
      rhythm: 'always_on',
    }),
    meterOf({
      ...base,
      name: `${name} bytes`,
      meter: `${usagePrefix(at)}NatGateway-Bytes`,
      description: '$0.048 per GB Data Processed by NAT Gateways',
      unit: 'GB',
      ...gigabytes,
    }),
  ];
}

function balancer(name: string, at: Place, tags: Tags, lcuPerDay: number): Meter[] {
  const base = {
    at,
    service: services.elb,
    resource: loadBalancer(at, name),
    tags,
    operation: 'LoadBalancing:Application',
  };
  const hours = meterOf({
    ...base,
    name: `${name} hours`,
    meter: `${usagePrefix(at)}LoadBalancerUsage`,
    description: '$0.0252 per Application LoadBalancer-hour',
    unit: 'Hours',
    price: '0.0252',
    perDay: 24,
    rhythm: 'always_on',
  });
  if (lcuPerDay === 0) return [hours];
  return [
    hours,
    meterOf({
      ...base,
      name: `${name} capacity`,
      meter: `${usagePrefix(at)}LCUUsage`,
      description: '$0.008 per used Application load balancer capacity unit-hour',
      unit: 'LCU-Hours',
      price: '0.008',
      perDay: lcuPerDay,
      rhythm: 'shopping',
      growth: 0.2,
    }),
  ];
}

function address(name: string, at: Place, idle: boolean, tags: Tags): Meter {
  return meterOf({
    name,
    at,
    service: services.vpc,
    resource: elasticIp(at, name),
    tags,
    meter: `${usagePrefix(at)}PublicIPv4:${idle ? 'Idle' : 'InUse'}Address`,
    description: `$0.005 per ${idle ? 'Idle' : 'In-use'} public IPv4 address per hour`,
    operation: idle ? 'AllocateAddressVPC' : 'AssociateAddressVPC',
    unit: 'Hours',
    price: '0.005',
    perDay: 24,
    rhythm: 'always_on',
  });
}

function transfer(name: string, meter: string, price: string, perDay: number): Meter {
  const at = places.shop;
  return meterOf({
    name,
    at,
    service: services.ec2,
    meter: `${usagePrefix(at)}${meter}`,
    description: `$${price} per GB - ${meter === 'DataTransfer-Out-Bytes' ? 'data transferred out' : 'regional data transfer'}`,
    operation: 'RunInstances',
    unit: 'GB',
    price,
    perDay,
    rhythm: 'shopping',
    growth: 0.2,
  });
}

/** NAT gateways, load balancers, addresses and traffic of the AWS sample. */
export const networkMeters: readonly Meter[] = [
  ...nat('nat-prod', places.shop, tagsOf('platform', 'prod', 'nat-prod'), {
    perDay: 620,
    rhythm: 'shopping',
    growth: 0.15,
  }),
  ...nat('nat-data', places.data, tagsOf('data', 'prod', 'nat-data'), { perDay: 240 }),
  // Nothing runs behind this one any more: it is billed for hours and almost no bytes.
  ...nat('nat-sandbox', places.sandbox, {}, { perDay: 0.02 }),
  ...balancer('shop-web', places.shop, tagsOf('storefront', 'prod', 'shop-web'), 190),
  ...balancer('orders-api', places.shop, tagsOf('orders', 'prod', 'orders-api'), 85),
  ...balancer('erp-old', places.office, {}, 0),
  ...balancer('loadtest', places.sandbox, {}, 0),
  address('web-eip', places.shop, false, tagsOf('storefront', 'prod')),
  address('vpn-eip', places.office, false, tagsOf('platform', 'prod')),
  address('old-vpn-eip', places.office, true, {}),
  address('loadtest-eip-1', places.sandbox, true, {}),
  address('loadtest-eip-2', places.sandbox, true, {}),
  transfer('internet out', 'DataTransfer-Out-Bytes', '0.09', 410),
  transfer('cross zone', 'DataTransfer-Regional-Bytes', '0.01', 2900),
  meterOf({
    name: 'cdn out',
    at: places.shopUs,
    service: services.cloudfront,
    resource: {
      id: `arn:aws:cloudfront::${places.shop.subAccount.id}:distribution/E${hexOf('cdn', 12).toUpperCase()}`,
      name: 'shop-cdn',
      type: 'Distribution',
    },
    tags: tagsOf('storefront', 'prod'),
    meter: 'EU-DataTransfer-Out-Bytes',
    description: '$0.085 per GB - first 10 TB / month data transfer out',
    operation: 'GET',
    unit: 'GB',
    price: '0.085',
    perDay: 980,
    rhythm: 'shopping',
    growth: 0.3,
  }),
];
