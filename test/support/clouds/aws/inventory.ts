import type { AwsAnswer, AwsAnswers, AwsCall } from './fake.ts';
import { ec2Xml, queryXml } from './xml.ts';

/** Responses of services as printed by the CLI: by `service.Operation`, then by region; `*` matches any other
 *  region. */
export type AwsContents = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** The responses of an empty account. */
const empty: Readonly<Record<string, object>> = {
  'ec2.DescribeRegions': { Regions: [] },
  'ec2.DescribeInstances': { Reservations: [] },
  'ec2.DescribeVolumes': { Volumes: [] },
  'ec2.DescribeSnapshots': { Snapshots: [] },
  'ec2.DescribeImages': { Images: [] },
  'ec2.DescribeAddresses': { Addresses: [] },
  'ec2.DescribeNatGateways': { NatGateways: [] },
  'ec2.DescribeVpcEndpoints': { VpcEndpoints: [] },
  'ec2.DescribeReservedInstances': { ReservedInstances: [] },
  'rds.DescribeDBInstances': { DBInstances: [] },
  'rds.DescribeDBClusters': { DBClusters: [] },
  'rds.DescribeDBSnapshots': { DBSnapshots: [] },
  'rds.DescribeReservedDBInstances': { ReservedDBInstances: [] },
  'elasticache.DescribeReservedCacheNodes': { ReservedCacheNodes: [] },
  'redshift.DescribeReservedNodes': { ReservedNodes: [] },
  'es.DescribeReservedInstances': { ReservedInstances: [] },
  'savingsplans.DescribeSavingsPlans': { savingsPlans: [] },
  'tagging.GetResources': { ResourceTagMappingList: [] },
  'resource-explorer-2.ListIndexes': { Indexes: [] },
};

/** The services of an account's inventory; those missing in `contents` return nothing. */
export function inventoryAnswers(contents: AwsContents = {}): AwsAnswers {
  const names = new Set([...Object.keys(empty), ...Object.keys(contents)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      (call: AwsCall): AwsAnswer => {
        const byRegion = contents[name];
        return printed(call, byRegion?.[call.region] ?? byRegion?.['*'] ?? empty[name] ?? {});
      },
    ]),
  );
}

/** A response in the protocol of the service. */
export function printed({ service, operation }: Pick<AwsCall, 'service' | 'operation'>, body: object): AwsAnswer {
  if (service === 'ec2') return ec2Xml(operation, body);
  if (['rds', 'elasticache', 'redshift'].includes(service)) return queryXml(operation, body);
  return { json: body };
}

/** Enabled regions. */
export function regionsOn(...names: readonly string[]): AwsContents {
  const Regions = names.map((RegionName) => ({
    RegionName,
    Endpoint: `ec2.${RegionName}.amazonaws.com`,
    OptInStatus: 'opt-in-not-required',
  }));
  return { 'ec2.DescribeRegions': { '*': { Regions } } };
}

/** An aggregator index in a region, with a default view of all given regions. */
export function explorerOf(
  home: string,
  regions: readonly string[],
  view: { hasTags?: boolean; filter?: string } = {},
): AwsContents {
  const arn = (type: string, region: string) =>
    `arn:aws:resource-explorer-2:${region}:123456789012:${type}/EXAMPLE8-90ab`;
  const ViewArn = `arn:aws:resource-explorer-2:${home}:123456789012:view/all/EXAMPLE8-90ab`;
  return {
    'resource-explorer-2.ListIndexes': {
      '*': {
        Indexes: regions.map((Region) => ({
          Arn: arn('index', Region),
          Region,
          Type: Region === home ? 'AGGREGATOR' : 'LOCAL',
        })),
      },
    },
    'resource-explorer-2.GetDefaultView': { [home]: { ViewArn } },
    'resource-explorer-2.GetView': {
      [home]: {
        View: {
          ViewArn,
          Owner: '123456789012',
          Filters: { FilterString: view.filter ?? '' },
          IncludedProperties: view.hasTags === false ? [] : [{ Name: 'tags' }],
        },
        Tags: {},
      },
    },
  };
}

/** A resource as listed by Resource Explorer. */
export function explored(Arn: string, ResourceType: string, tags: Readonly<Record<string, string>> = {}): object {
  const [, , , region = '', account = ''] = Arn.split(':');
  return {
    Arn,
    OwningAccountId: account || '123456789012',
    Region: region || 'global',
    ResourceType,
    Service: ResourceType.split(':')[0],
    LastReportedAt: '2026-11-20T12:34:42Z',
    Properties: [
      {
        Name: 'tags',
        LastReportedAt: '2026-11-20T12:34:42Z',
        Data: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      },
    ],
  };
}

/** Responses of a view to `ListResources`: the matches of a query, in pages. */
export function exploring(resources: readonly object[], options: { pageSize?: number; cap?: number } = {}): AwsAnswers {
  const { pageSize = 500, cap = Number.POSITIVE_INFINITY } = options;
  return {
    'resource-explorer-2.ListResources': ({ params }) => {
      const { Filters, NextToken } = params as { Filters?: { FilterString?: string }; NextToken?: string };
      const terms = (Filters?.FilterString ?? '').split(' ').filter((term) => term !== '');
      const found = resources.filter((each) => terms.every((term) => matches(each, term))).slice(0, cap);
      const from = Number(NextToken ?? 0);
      const next = from + pageSize < found.length ? { NextToken: String(from + pageSize) } : {};
      return { json: { Resources: found.slice(from, from + pageSize), ...next } };
    },
  };
}

function matches(resource: object, term: string): boolean {
  const { Region, Service, ResourceType } = resource as Record<string, string>;
  const at = term.indexOf(':');
  const value = term.slice(at + 1);
  return { region: Region, service: Service, resourcetype: ResourceType }[term.slice(0, at)] === value;
}
