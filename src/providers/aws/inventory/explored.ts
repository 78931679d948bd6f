import {
  ListResourcesCommand,
  ListSupportedResourceTypesCommand,
  type Resource,
  ResourceExplorer2Client,
} from '@aws-sdk/client-resource-explorer-2';
import type { InventoryItem } from '../../contract.ts';
import type { AwsSession } from '../session.ts';
import { parseArn } from './arn.ts';
import type { View } from './explorer.ts';
import { itemOfArn } from './item.ts';
import type { Kind, Ledger } from './ledger.ts';
import { typeName } from './names.ts';
import { allPages, pagesOf } from './pages.ts';

/** A resource as Resource Explorer lists it. */
export interface Explored {
  readonly item: InventoryItem;
  /** `ec2:volume` */
  readonly type: string;
  /** Number of the account that it belongs to: an organization's view shows those of others too. */
  readonly owner: string;
}

/** What is asked of a view. */
export interface Search {
  readonly session: AwsSession;
  readonly view: View;
  /** `eu-west-1`, or `global`. */
  readonly region: string;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}

/** No query answers more where the view is capped; a page of so many has no next one. */
const cap = 1000;
const pageSize = 500;
const partsKind: Kind = { label: 'part of what Resource Explorer knows' };

/** Resources of a region, page by page; one may come twice. A query that ends at the cap is asked again in parts: by service,
 *  then by type. */
export async function* explore(search: Search): AsyncGenerator<Explored[]> {
  const { region, session, signal } = search;
  let parts: readonly string[] = [`region:${region}`];
  const types = lazily(() =>
    search.ledger.read(partsKind, search.view.region, () => supportedTypes(session, search.view.region, signal)),
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
    if (!narrower || !known) return tell(search, capped);
    parts = capped.flatMap((query) => narrower(query, known));
  }
}

async function* ask({ session, view, signal }: Search, query: string): AsyncGenerator<readonly Resource[]> {
  const client = session.client(ResourceExplorer2Client, view.region);
  const input = { ViewArn: view.arn, Filters: { FilterString: query }, MaxResults: pageSize };
  yield* pagesOf(
    'Resource Explorer ListResources',
    (NextToken) => client.send(new ListResourcesCommand({ ...input, NextToken }), { abortSignal: signal }),
    (page) => ({ items: page.Resources, next: page.NextToken }),
  );
}

interface SupportedType {
  readonly service: string;
  readonly type: string;
}

async function supportedTypes(session: AwsSession, region: string, signal: AbortSignal): Promise<SupportedType[]> {
  const client = session.client(ResourceExplorer2Client, region);
  const types = await allPages(
    'Resource Explorer ListSupportedResourceTypes',
    (NextToken) =>
      client.send(new ListSupportedResourceTypesCommand({ MaxResults: 1000, NextToken }), { abortSignal: signal }),
    (page) => ({ items: page.ResourceTypes, next: page.NextToken }),
  );
  return types.flatMap(({ Service, ResourceType }) =>
    Service && ResourceType ? [{ service: Service, type: ResourceType }] : [],
  );
}

function byService(query: string, types: readonly SupportedType[]): string[] {
  return [...new Set(types.map(({ service }) => service))].map((service) => `${query} service:${service}`);
}

function byType(query: string, types: readonly SupportedType[]): string[] {
  const service = query.split('service:')[1];
  return types.filter((each) => each.service === service).map(({ type }) => `${query} resourcetype:${type}`);
}

function tell({ ledger, region }: Search, capped: readonly string[]): void {
  const types = capped.map((query) => query.split('resourcetype:')[1] ?? query).join(', ');
  ledger.note(
    `The inventory may lack some of ${types} in ${region}: Resource Explorer answers the first ${cap} of a type alone.`,
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

/** Tags are a property whose data is a document: a list of pairs. */
function tagsIn({ Properties }: Resource): Record<string, string> {
  const data: unknown = Properties?.find(({ Name }) => Name === 'tags')?.Data;
  const pairs = Array.isArray(data) ? data.filter((each): each is Record<string, unknown> => isRecord(each)) : [];
  return Object.fromEntries(
    pairs.flatMap(({ Key, Value }) =>
      typeof Key === 'string' && Key !== '' ? [[Key, typeof Value === 'string' ? Value : '']] : [],
    ),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
