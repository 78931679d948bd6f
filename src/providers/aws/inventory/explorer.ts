import {
  GetDefaultViewCommand,
  GetViewCommand,
  ListIndexesCommand,
  ListResourcesCommand,
  ListSupportedResourceTypesCommand,
  ListViewsCommand,
  type Resource,
  ResourceExplorer2Client,
} from '@aws-sdk/client-resource-explorer-2';
import { GetResourcesCommand, ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import type { InventoryItem } from '../../contract.ts';
import { AwsFault, isRecord } from '../faults.ts';
import type { AwsSession } from '../session.ts';
import { allPages, type Asking, listOf, pagesOf } from './asking.ts';
import { itemOfArn, parseArn, tagsOf, typeName } from './item.ts';
import { type Kind, type Ledger, listIn } from './ledger.ts';

/** A Resource Explorer view to list resources through. */
export interface View {
  readonly arn: string;
  /** Region to query it in. */
  readonly region: string;
  /** Whether its results include tags. */
  readonly hasTags: boolean;
}

/** Maps regions to views. */
export interface Explorer {
  /** Returns the view of a region; null: no index covers it.
   *  @param region `global` for resources outside regions */
  viewOf(region: string): View | null;
}

/** List name of what an index contains. */
export const exploredList = 'explored';

const hides = listIn('.+', exploredList);
export const indexList = listOf(
  { label: 'resources in the indexes of Resource Explorer', isRegional: true, hides },
  ResourceExplorer2Client,
  (NextToken, MaxResults = 100) => new ListIndexesCommand({ MaxResults, NextToken }),
  (page) => page.Indexes,
);

const views: Kind = { label: 'resources in the views of Resource Explorer', hides };
const noView = /^(ResourceNotFoundException|UnauthorizedException|ValidationException)$/;

/** Finds the views: the aggregator index's, which covers all regions that have an index; otherwise each region's own. */
export async function findExplorer(session: AwsSession, ledger: Ledger, signal: AbortSignal): Promise<Explorer> {
  const home = session.partition.mainRegion;
  const found = (await ledger.read(indexList, home, () => allPages({ session, signal }, indexList))) ?? [];
  const aggregator = found.find(({ Type }) => Type === 'AGGREGATOR')?.Region;
  const regions = found.flatMap(({ Region }) => Region ?? []);
  const asked = aggregator === undefined ? regions : [aggregator];
  const byRegion = new Map<string, View>();
  for (const region of asked) {
    const view = await ledger.read(views, region, () => readView({ session, region, ledger, signal }));
    if (view) byRegion.set(region, view);
  }
  const global = byRegion.get(aggregator ?? home) ?? null;
  return {
    viewOf(region) {
      if (region === 'global') return global;
      return regions.includes(region) ? (byRegion.get(aggregator ?? region) ?? null) : null;
    },
  };
}

/** Returns the region's default view, or the first one. */
async function readView({ session, region, ledger, signal }: Omit<Search, 'view'>): Promise<View | null> {
  const client = session.client(ResourceExplorer2Client, region);
  const arn =
    (await defaultView(client, signal)) ??
    (await client.send(new ListViewsCommand({ MaxResults: 20 }), { abortSignal: signal })).Views?.[0];
  if (!arn) return null;
  const { View: view } = await client.send(new GetViewCommand({ ViewArn: arn }), { abortSignal: signal });
  const filter = view?.Filters?.FilterString?.trim();
  if (filter)
    ledger.note(
      `The inventory lacks what the filter "${filter}" of Resource Explorer's view ${nameOf(arn)} (${region}) excludes: ` +
        `make a view without a filter the default of ${region} to include all resources.`,
    );
  return { arn, region, hasTags: view?.IncludedProperties?.some(({ Name }) => Name === 'tags') ?? false };
}

async function defaultView(client: ResourceExplorer2Client, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await client.send(new GetDefaultViewCommand({}), { abortSignal: signal })).ViewArn;
  } catch (error) {
    // A missing default view is an error.
    if (error instanceof AwsFault && noView.test(error.code)) return undefined;
    throw error;
  }
}

/** Returns a view's name: `all` for `arn:aws:resource-explorer-2:us-east-1:123456789012:view/all/EXAMPLE8`. */
function nameOf(arn: string): string {
  return arn.split('/')[1] ?? arn;
}

/** A resource listed by Resource Explorer. */
export interface Explored {
  readonly item: InventoryItem;
  /** `ec2:volume` */
  readonly type: string;
  /** Id of the owning account: an organization's view also has those of other accounts. */
  readonly owner: string;
}

/** A query of a view. */
interface Search {
  readonly session: AwsSession;
  readonly view: View;
  /** `eu-west-1`, or `global`. */
  readonly region: string;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}

/** Maximum results of a query on a capped view; there is no next page. */
const cap = 1000;
const pageSize = 500;
export const typeList = listOf(
  { label: 'some resources of Resource Explorer' },
  ResourceExplorer2Client,
  (NextToken, MaxResults = 1000) => new ListSupportedResourceTypesCommand({ MaxResults, NextToken }),
  ({ ResourceTypes = [] }): SupportedType[] =>
    ResourceTypes.flatMap(({ Service, ResourceType }) =>
      Service && ResourceType ? [{ service: Service, type: ResourceType }] : [],
    ),
);

/** Lists the resources of a region, page by page, with possible duplicates. A query that hits the cap is split by service, then
 *  by type. */
export async function* explore(search: Search): AsyncGenerator<Explored[]> {
  const { region, session, signal } = search;
  let parts: readonly string[] = [`region:${region}`];
  const types = lazily(() =>
    search.ledger.read(typeList, search.view.region, () => allPages({ session, place: search.view, signal }, typeList)),
  );
  for (const narrower of [byService, byType, null]) {
    const capped: string[] = [];
    for (const query of parts) {
      let count = 0;
      for await (const page of ask(search, query)) {
        count += page.length;
        yield page.flatMap((resource) => exploredOf(resource) ?? []);
      }
      if (count === cap) capped.push(query);
    }
    if (capped.length === 0) return;
    const known = narrower && (await types());
    if (!narrower || !known) return warnOfCap(search, capped);
    parts = capped.flatMap((query) => narrower(query, known));
  }
}

/** Resources of a view. */
export const knownKind = {
  label: 'resources that Resource Explorer lists',
  list: exploredList,
} as const satisfies Kind;

function ask({ session, view, signal }: Search, query: string): AsyncGenerator<readonly Resource[]> {
  const input = { ViewArn: view.arn, Filters: { FilterString: query }, MaxResults: pageSize };
  const list = listOf(
    knownKind,
    ResourceExplorer2Client,
    (NextToken) => new ListResourcesCommand({ ...input, NextToken }),
    (page) => page.Resources,
  );
  return pagesOf({ session, place: view, signal }, list);
}

interface SupportedType {
  readonly service: string;
  readonly type: string;
}

function byService(query: string, types: readonly SupportedType[]): string[] {
  return [...new Set(types.map(({ service }) => service))].map((service) => `${query} service:${service}`);
}

function byType(query: string, types: readonly SupportedType[]): string[] {
  const service = query.split('service:')[1];
  return types.filter((each) => each.service === service).map(({ type }) => `${query} resourcetype:${type}`);
}

function warnOfCap({ ledger, region }: Search, capped: readonly string[]): void {
  const types = capped.map((query) => query.split('resourcetype:')[1] ?? query).join(', ');
  ledger.note(
    `The inventory may lack some of ${types} in ${region}: Resource Explorer returns only the first ${cap} of a type.`,
  );
}

function exploredOf(resource: Resource): Explored | null {
  const arn = parseArn(resource.Arn ?? '');
  if (arn === null) return null;
  const [service = arn.service, ...rest] = (resource.ResourceType ?? `${arn.service}:${arn.type}`).split(':');
  const type = rest.join(':');
  return {
    type: `${service}:${type}`,
    owner: resource.OwningAccountId ?? arn.account,
    item: itemOfArn(arn, {
      tags: tagsIn(resource),
      region: resource.Region,
      resourceType: typeName({ service, type }),
    }),
  };
}

/** Returns the tags, which are a property whose data is a list of pairs. */
function tagsIn({ Properties }: Resource): Record<string, string> {
  const data: unknown = Properties?.find(({ Name }) => Name === 'tags')?.Data;
  const pairs = Array.isArray(data) ? data.filter((each): each is Record<string, unknown> => isRecord(each)) : [];
  return Object.fromEntries(
    pairs.flatMap(({ Key, Value }) =>
      typeof Key === 'string' && Key !== '' ? [[Key, typeof Value === 'string' ? Value : '']] : [],
    ),
  );
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

/** Fallback for resources and their tags. */
export const taggedList = {
  ...listOf(
    { label: 'tagged resources', isRegional: true },
    ResourceGroupsTaggingAPIClient,
    (PaginationToken, ResourcesPerPage = 100) => new GetResourcesCommand({ ResourcesPerPage, PaginationToken }),
    (page) => page.ResourceTagMappingList,
  ),
  list: 'tagged',
};

/** Lists the resources of a region that have or had tags. Resources outside regions are returned in the partition's main
 *  one. */
export async function* readTagged(asking: Asking): AsyncGenerator<InventoryItem[]> {
  for await (const page of pagesOf(asking, taggedList))
    yield page.flatMap(({ ResourceARN = '', Tags }) => {
      const arn = parseArn(ResourceARN);
      if (arn === null) return [];
      // A bucket's ARN does not contain its region; a distribution has none.
      const region = arn.region || (arn.service === 's3' ? asking.place.region : 'global');
      return [itemOfArn(arn, { tags: tagsOf(Tags), region })];
    });
}
