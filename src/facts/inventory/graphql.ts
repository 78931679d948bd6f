import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageType, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { microsToNumber, parseAmount, roundAmount } from '../../kit/money.ts';
import { resourceSortFields } from './input.ts';
import { pageResources, readResource, summarizeInventory, type InventorySummary } from './run.ts';
import type { InventoryResource } from './store.ts';

const ResourceType = builder.objectRef<InventoryResource>('InventoryResource').implement({
  description: 'Something that the organization owns at a provider, as its bills and the provider’s inventory tell it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the resource here.' }),
    accountId: t.exposeID('accountId', { description: 'The connected account that it belongs to.' }),
    provider: t.exposeString('provider', { description: 'Provider, as a slug such as `aws`.' }),
    nativeId: t.exposeString('nativeId', {
      description: 'What the provider calls it: FOCUS ResourceId, such as an ARN. Azure’s are in lower case.',
    }),
    name: t.exposeString('name', {
      description:
        'Its display name; its tag `Name` or the end of `nativeId`, where it has none. At most 500 characters.',
    }),
    resourceType: t.exposeString('resourceType', {
      description: 'What it is, in the provider’s words. Empty where neither bill nor inventory says it.',
    }),
    service: t.exposeString('service', { description: 'FOCUS ServiceName of most of its cost.' }),
    region: t.exposeString('region', { description: 'FOCUS RegionId; `global` for what has none.' }),
    tags: t.expose('tags', { type: 'JSON', description: 'Its latest tags: values by key.' }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description:
        'What the provider’s inventory says beyond the bill, such as state, size and attachment. May be empty.',
    }),
    costLast30Days: t.field({
      type: 'Decimal',
      description:
        'FOCUS EffectiveCost of the 30 days up to the account’s last complete day, in `currency`, rounded to 6 decimals.',
      resolve: ({ costLast30Days }) => microsToNumber(roundAmount(parseAmount(costLast30Days))),
    }),
    currency: t.exposeString('currency', {
      description: 'Billing currency of the cost, ISO 4217; of most of it, should there be several.',
    }),
    firstSeenAt: t.expose('firstSeenAt', { type: 'Date', description: 'First UTC day on a bill or in the inventory.' }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'Date', description: 'Last UTC day on a bill or in the inventory.' }),
    goneAt: t.expose('goneAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it was found gone; 30 days later it leaves, unless it is billed still. Null while it is there.',
    }),
  }),
});

const ResourcePage = pageType('InventoryResource', ResourceType);

type Counted<Group extends keyof InventorySummary> = InventorySummary[Group] extends readonly (infer Item)[]
  ? Item
  : never;

const countText = 'How many resources there are.';

const TypeCount = builder.objectRef<Counted<'byType'>>('InventoryTypeCount').implement({
  description: 'How many resources are of a type.',
  fields: (t) => ({
    resourceType: t.exposeString('resourceType', { description: 'The type, in the provider’s words.' }),
    count: t.exposeInt('count', { description: countText }),
  }),
});

const RegionCount = builder.objectRef<Counted<'byRegion'>>('InventoryRegionCount').implement({
  description: 'How many resources are in a region.',
  fields: (t) => ({
    region: t.exposeString('region', { description: 'FOCUS RegionId; `global` for what has none.' }),
    count: t.exposeInt('count', { description: countText }),
  }),
});

const AccountCount = builder.objectRef<Counted<'byAccount'>>('InventoryAccountCount').implement({
  description: 'How many resources are in a connected account.',
  fields: (t) => ({
    accountId: t.exposeID('accountId', { description: 'The connected account.' }),
    accountName: t.exposeString('accountName', { description: 'Its name.' }),
    count: t.exposeInt('count', { description: countText }),
  }),
});

const Summary = builder.objectRef<InventorySummary>('InventorySummary').implement({
  description: 'How many resources there are. Each split adds up to the total; the largest counts come first.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: countText }),
    byType: t.expose('byType', { type: [TypeCount], description: 'By type.' }),
    byRegion: t.expose('byRegion', { type: [RegionCount], description: 'By region.' }),
    byAccount: t.expose('byAccount', { type: [AccountCount], description: 'By connected account.' }),
  }),
});

const resourceArgs = builder.args((t) => ({
  accountId: t.idList({ description: 'Connected accounts. An unknown one matches nothing.' }),
  provider: t.stringList({ description: 'Providers, as slugs: `aws`, `azure`, `gcp`, `oracle` …' }),
  resourceType: t.stringList({ description: 'Types, in the provider’s words.' }),
  service: t.stringList({ description: 'FOCUS ServiceName, as on the bill.' }),
  region: t.stringList({ description: 'FOCUS RegionId, as on the bill; `global` for what has none.' }),
  tagKey: t.string({
    description: 'A tag key, whatever its case, with or without the `user:` of AWS: only resources that carry it.',
  }),
  tagValue: t.stringList({
    description: 'Values of `tagKey`, which it needs.',
    extensions: { allowsEmpty: true },
  }),
  search: t.string({ description: 'Only those whose name or id holds this text, whatever its case.' }),
  includeGone: t.boolean({ description: 'True: also those that are gone, which are kept for 30 days.' }),
}));

function route(path: RestRoute['path'], more: Partial<RestRoute> = {}) {
  const rest: RestRoute = { method: 'GET', path, status: 200, tags: ['Inventory'], category: 'read', ...more };
  return { authScopes: { signedIn: true }, extensions: { rest } };
}

builder.queryFields((t) => ({
  inventory: t.field({
    ...route('/inventory', { csv: 'data' }),
    type: ResourcePage,
    description:
      'What the organization owns, by its bills and the providers’ inventories. Newest first. By cost, currencies are compared ' +
      'by their rates to the organization’s of the month of the account’s last complete day; what has no rate comes last.',
    complexity: pageComplexity,
    args: { ...resourceArgs, ...sortArg(resourceSortFields), ...pageArgs() },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageResources(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
  inventoryResource: t.field({
    ...route('/inventory/{id}'),
    type: ResourceType,
    description: 'One resource; one that is gone for 30 days more.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the resource, as `inventory` lists it.' }) },
    resolve: (_root, { id }, ctx) => readResource(ctx.deps, viewerOf(ctx).scope, id),
  }),
  inventorySummary: t.field({
    ...route('/inventory/summary'),
    type: Summary,
    description: 'How many resources there are by type, region and connected account.',
    args: resourceArgs,
    resolve: (_root, args, ctx) => summarizeInventory(ctx.deps, viewerOf(ctx).scope, args),
  }),
}));
