import { convertedAmountText, convertedCostOf, convertedCostText, ownCurrency, serviceArgs } from '../graphql.ts';
import { otherCostsOf } from '../month-costs.ts';
import { bounded } from '../../graph/bounded.ts';
import { filledRule } from '../../kit/errors/refusals.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { batchedById, batchedByQuery } from '../../graph/relations.ts';
import {
  answerType,
  columns,
  day,
  decimal,
  instant,
  int,
  json,
  listOf,
  orNull,
  text,
  uuid,
} from '../../graph/answers.ts';
import { readRoute } from '../../graph/rest.ts';
import { accountRelation, namedAccount } from '../../tenancy/accounts/graphql.ts';
import { resourceSortFields, searchRule } from './input.ts';
import { pageResources, readResource, readResources, summarizeInventory } from './run.ts';
import { nameColumns, selectResourcesById, type ResourceName, type ResourceSelection } from './store.ts';

/** Cost of a resource in the organization's currency. */
export const ConvertedCostType = answerType('ConvertedCost', 'Cost of a resource in the organization’s currency.', {
  currency: ownCurrency,
  costLast30Days: decimal(convertedAmountText('costLast30Days')),
});

/** Cost of a resource in another billing currency. */
export const OtherCostType = answerType('OtherCost', 'Cost of a resource in another billing currency.', {
  currency: text('Billing currency, ISO 4217.'),
  costLast30Days: decimal('FOCUS EffectiveCost of the same 30 days in this currency, rounded to 6 decimals.'),
});

/** Description of `otherCosts`. */
export const otherCostsText =
  'Costs of the same 30 days in other billing currencies, which `costLast30Days` excludes. Empty unless the billing currency changed.';

/** A resource, as nested in any answer. */
export const ResourceType = builder.prismaObject('InventoryResource', {
  select: nameColumns,
  findUnique: ({ accountId, resourceId }, ctx) => ({
    organizationId: viewerOf(ctx).scope.organizationId,
    accountId_resourceId: { accountId, resourceId },
  }),
  description: 'A cloud resource, from bills and the provider’s inventory.',
  fields: (t) =>
    columns(t, 'InventoryResource', {
      id: uuid('UUIDv7 of the resource.'),
      accountId: uuid('The connected account.'),
      account: t.prismaField(accountRelation('The connected account.')),
      provider: text('Provider, as a slug such as `aws`.'),
      nativeId: text('FOCUS ResourceId, such as an ARN. Lower case for Azure.'),
      name: text('Display name, else the tag `Name`, else the end of `nativeId`. At most 500 characters.'),
      resourceType: text('Resource type, as named by the provider. Empty if unknown.'),
      service: text('FOCUS ServiceName of most of its cost.'),
      region: text('FOCUS RegionId; `global` if there is none.'),
      tags: json('Latest tags: values by key.', bounded({ additionalProperties: { type: 'string' } })),
      metadata: json(
        'Additional data from the provider’s inventory, such as state, size and attachment. May be empty.',
      ),
      costLast30Days: decimal(
        'FOCUS EffectiveCost of the 30 days up to the account’s last complete day, in `currency`, rounded to 6 decimals.',
      ),
      currency: text('Billing currency of most of the cost, ISO 4217.'),
      otherCosts: t.field({
        type: [OtherCostType],
        description: otherCostsText,
        select: { currency: true, monthCosts: true },
        resolve: otherCostsOf,
      }),
      converted: t.field({
        type: ConvertedCostType,
        nullable: true,
        description: convertedCostText,
        select: { accountId: true, currency: true, costLast30Days: true, monthCosts: true },
        resolve: (row, _args, ctx) => convertedCostOf(row, ctx),
      }),
      firstSeenAt: day('First UTC day on a bill or in the inventory.'),
      lastSeenAt: day('Last UTC day on a bill or in the inventory.'),
      goneAt: orNull(
        instant(
          'When the resource was found to be deleted; null while it exists. A deleted resource is removed from the inventory after 30 days, unless it is still billed.',
        ),
      ),
    }),
});

/** Loads the inventory resource that a record refers to, for a `prismaField`; null if it is outside the caller's scope or no
 *  longer in the inventory. */
export const resourceOf = batchedByQuery((names: readonly ResourceName[], query: ResourceSelection, ctx) =>
  readResources(ctx.deps, viewerOf(ctx).scope, names, query),
);

/** Same as `resourceOf`, but by the resource's UUID. */
export const resourceById = batchedById((ids, query: ResourceSelection, ctx) =>
  selectResourcesById(ctx.deps, viewerOf(ctx).scope, ids, query),
);

const ResourcePage = pageType('InventoryResource', ResourceType);

const count = int('Number of resources.');

const TypeCount = answerType('InventoryTypeCount', 'Number of resources of a type.', {
  resourceType: text('Resource type, as named by the provider.'),
  count,
});

const RegionCount = answerType('InventoryRegionCount', 'Number of resources in a region.', {
  region: text('FOCUS RegionId; `global` if there is none.'),
  count,
});

const AccountCount = answerType('InventoryAccountCount', 'Number of resources in a connected account.', {
  accountId: uuid('The connected account.'),
  accountName: text('Name of the connected account.'),
  count,
});

builder.objectField(AccountCount, 'account', (t) => t.prismaField(namedAccount('The connected account.')));

const Summary = answerType(
  'InventorySummary',
  'Number of resources. Each split adds up to the total, largest count first.',
  {
    total: count,
    byType: listOf(TypeCount, 'By type.'),
    byRegion: listOf(RegionCount, 'By region.'),
    byAccount: listOf(AccountCount, 'By connected account.'),
  },
);

const resourceArgs = builder.args((t) => ({
  ...serviceArgs,
  resourceType: t.stringList({ description: 'Resource types as named by the provider.' }),
  region: t.stringList({ description: 'FOCUS RegionId, as on the bill; `global` for resources without one.' }),
  tagKey: t.string({
    ...bounded(filledRule),
    description: 'Tag key, ignoring case, with or without the `user:` prefix of AWS: only resources with this tag.',
  }),
  tagValue: t.stringList({
    description: 'Values of the tag. Requires `tagKey`. A value can be empty.',
    extensions: { allowsBlank: true },
  }),
  untagged: t.boolean({
    description: 'True: only resources without the tag. Requires `tagKey`; cannot be combined with `tagValue`.',
  }),
  search: t.string({
    ...bounded(searchRule),
    description: 'Text in the name or id, ignoring case.',
  }),
  includeGone: t.boolean({ description: 'True: includes deleted resources, which are kept for 30 days.' }),
}));

builder.queryFields((t) => ({
  inventory: t.field({
    ...readRoute('Inventory', '/inventory', { csv: 'data' }),
    ...pageField(ResourcePage),
    description:
      'Lists resources from bills and provider inventories, newest first. When sorted by cost, costs are converted at the rates of their months, like `converted`; resources without a rate come last.',
    args: { ...resourceArgs, ...listArgs('InventoryResource', resourceSortFields) },
    resolve: selectedPage((ctx, args, page) => pageResources(ctx.deps, viewerOf(ctx).scope, args, page), nameColumns),
  }),
  inventoryResource: t.prismaField({
    ...readRoute('Inventory', '/inventory/{id}'),
    type: ResourceType,
    description: 'Returns a resource. Deleted resources are kept for 30 days.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the resource, as listed by `inventory`.' }) },
    resolve: (query, _root, { id }, ctx) => readResource(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
  inventorySummary: t.field({
    ...readRoute('Inventory', '/inventory/summary'),
    type: Summary,
    description: 'Returns the number of resources by type, region and connected account.',
    args: resourceArgs,
    resolve: (_root, args, ctx) => summarizeInventory(ctx.deps, viewerOf(ctx).scope, args),
  }),
}));
