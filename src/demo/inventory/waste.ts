import { instance } from '../aws/compute.ts';
import { elasticIp, loadBalancer, natGateway } from '../aws/network.ts';
import { places as aws } from '../aws/places.ts';
import { database } from '../aws/databases.ts';
import { snapshot, volume } from '../aws/storage.ts';
import { armResource, places as azure } from '../azure/places.ts';
import { fullResource, places as gcp } from '../gcp/places.ts';
import type { DemoProvider } from '../bill/line-item.ts';

/** Known waste in the sample organization. */
export interface DemoWaste {
  readonly provider: DemoProvider;
  /** FOCUS ResourceId on the bill. */
  readonly nativeId: string;
  readonly kind:
    | 'unattached_disk'
    | 'old_volume_type'
    | 'old_snapshot'
    | 'idle_address'
    | 'idle_nat_gateway'
    | 'idle_load_balancer'
    | 'previous_generation'
    | 'nonproduction_always_on'
    | 'nonproduction_high_availability'
    | 'extended_support'
    | 'burst_credits'
    | 'never_read_storage'
    | 'empty_plan';
}

const all = (provider: DemoProvider, kind: DemoWaste['kind'], nativeIds: readonly string[]): DemoWaste[] =>
  nativeIds.map((nativeId) => ({ provider, nativeId, kind }));

const arms = (
  place: (typeof azure)[keyof typeof azure],
  group: string,
  type: string,
  names: readonly string[],
): string[] => names.map((name) => armResource(place, group, type, name).id);

const zonal = (place: (typeof gcp)[keyof typeof gcp], kind: string, name: string): string =>
  fullResource(place, 'compute', `zones/${place.region.id}-b/${kind}/${name}`, '').id;

/** All known waste of the sample, the same every day. Unused commitments appear on the bill as such. */
export const demoWaste: readonly DemoWaste[] = [
  ...all('aws', 'unattached_disk', [
    volume(aws.shop, 'old-orders-data').id,
    volume(aws.office, 'migration-scratch').id,
    volume(aws.sandbox, 'loadtest-data').id,
  ]),
  ...all('aws', 'old_volume_type', [
    volume(aws.office, 'erp-app-data').id,
    volume(aws.office, 'erp-report-data').id,
    volume(aws.staging, 'staging-web-data').id,
  ]),
  ...all('aws', 'old_snapshot', [
    snapshot(aws.office, 'erp-before-upgrade').id,
    snapshot(aws.shop, 'orders-2023-final').id,
    snapshot(aws.staging, 'old-ami-base').id,
  ]),
  ...all('aws', 'idle_address', [
    elasticIp(aws.office, 'old-vpn-eip').id,
    elasticIp(aws.sandbox, 'loadtest-eip-1').id,
    elasticIp(aws.sandbox, 'loadtest-eip-2').id,
  ]),
  ...all('aws', 'idle_nat_gateway', [natGateway(aws.sandbox, 'nat-sandbox').id]),
  ...all('aws', 'idle_load_balancer', [
    loadBalancer(aws.office, 'erp-old').id,
    loadBalancer(aws.sandbox, 'loadtest').id,
  ]),
  ...all('aws', 'previous_generation', [
    ...['erp-app-01', 'erp-app-02', 'erp-app-03', 'erp-report', 'erp-archive'].map(
      (name) => instance(aws.office, name).id,
    ),
    instance(aws.sandbox, 'qa-runner').id,
    database(aws.office, 'erp-db').id,
  ]),
  ...all('aws', 'nonproduction_always_on', [
    ...['staging-web-01', 'staging-web-02', 'staging-web-03', 'staging-orders-01', 'staging-orders-02'].map(
      (name) => instance(aws.staging, name).id,
    ),
    ...['dev-box-01', 'dev-box-02', 'dev-box-03'].map((name) => instance(aws.sandbox, name).id),
  ]),
  ...all('aws', 'nonproduction_high_availability', [database(aws.staging, 'staging-db').id]),
  ...all('aws', 'extended_support', [
    database(aws.office, 'erp-db').id,
    `arn:aws:eks:eu-west-1:${aws.data.subAccount.id}:cluster/legacy-jobs`,
  ]),
  ...all('aws', 'burst_credits', [instance(aws.sandbox, 'dev-box-01').id]),
  ...all('aws', 'never_read_storage', [
    'arn:aws:s3:::brightwater-erp-archive',
    'arn:aws:s3:::brightwater-loadtest-results',
  ]),
  ...all('azure', 'unattached_disk', [
    ...arms(azure.retail, 'pos', 'microsoft.compute/disks', ['pos-app-old-data']),
    ...arms(azure.development, 'developers', 'microsoft.compute/disks', ['dev-vm-9-data']),
  ]),
  ...all(
    'azure',
    'old_snapshot',
    arms(azure.corporate, 'legacy', 'microsoft.compute/snapshots', ['erp-export-snapshot']),
  ),
  ...all('azure', 'idle_address', [
    ...arms(azure.corporate, 'legacy', 'microsoft.network/publicipaddresses', ['old-vpn-ip']),
    ...arms(azure.development, 'developers', 'microsoft.network/publicipaddresses', ['dev-vm-9-ip']),
  ]),
  ...all(
    'azure',
    'idle_nat_gateway',
    arms(azure.development, 'developers', 'microsoft.network/natgateways', ['nat-dev']),
  ),
  ...all(
    'azure',
    'idle_load_balancer',
    arms(azure.corporate, 'legacy', 'microsoft.network/applicationgateways', ['old-portal-gateway']),
  ),
  ...all('azure', 'previous_generation', [
    ...arms(azure.corporate, 'identity', 'microsoft.compute/virtualmachines', ['ad-dc-1', 'ad-dc-2']),
    ...arms(azure.corporate, 'legacy', 'microsoft.compute/virtualmachines', ['file-server']),
  ]),
  ...all(
    'azure',
    'nonproduction_always_on',
    arms(azure.development, 'developers', 'microsoft.compute/virtualmachines', ['dev-vm-1', 'dev-vm-2', 'dev-vm-3']),
  ),
  ...all(
    'azure',
    'never_read_storage',
    arms(azure.corporate, 'legacy', 'microsoft.storage/storageaccounts', ['bwcompliance']),
  ),
  ...all('azure', 'empty_plan', arms(azure.corporate, 'legacy', 'microsoft.web/serverfarms', ['old-portal'])),
  ...all('gcp', 'unattached_disk', [
    zonal(gcp.analytics, 'disks', 'old-etl-scratch'),
    zonal(gcp.ml, 'disks', 'experiment-42-data'),
  ]),
  ...all('gcp', 'old_snapshot', [fullResource(gcp.analytics, 'compute', 'global/snapshots/etl-2024-snapshot', '').id]),
  ...all(
    'gcp',
    'idle_address',
    ['old-vpn', 'experiment-42'].map(
      (name) => fullResource(gcp.dev, 'compute', `regions/europe-west1/addresses/${name}`, '').id,
    ),
  ),
  ...all('gcp', 'idle_nat_gateway', [fullResource(gcp.dev, 'compute', 'regions/europe-west1/routers/dev-nat', '').id]),
  ...all('gcp', 'idle_load_balancer', [fullResource(gcp.apps, 'compute', 'global/forwardingRules/old-api', '').id]),
  ...all('gcp', 'previous_generation', [
    zonal(gcp.analytics, 'instances', 'legacy-etl'),
    zonal(gcp.dev, 'instances', 'qa-devices'),
  ]),
  ...all('gcp', 'nonproduction_always_on', [zonal(gcp.dev, 'instances', 'dev-workbench')]),
  ...all('gcp', 'nonproduction_high_availability', [
    fullResource(gcp.dev, 'sqladmin', 'instances/apps-db-test', '').id,
  ]),
  ...all('gcp', 'never_read_storage', ['//storage.googleapis.com/bw-experiments-2023']),
];
