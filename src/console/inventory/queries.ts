import { useMemo } from 'react';
import { graphql, type ResultOf } from '../api/graphql.ts';
import { useAnswer } from '../api/use-api.ts';
import type { Choice } from '../parts/list/filters.tsx';
import { regionName } from '../words/format.ts';

export const InventoryQuery = graphql(`
  query Inventory(
    $search: String
    $accountId: [ID!]
    $provider: [String!]
    $region: [String!]
    $resourceType: [String!]
    $service: [String!]
    $tagKey: String
    $tagValue: [String!]
    $includeGone: Boolean
    $sortBy: InventoryResourceSort
    $page: Int
  ) {
    inventory(
      search: $search
      accountId: $accountId
      provider: $provider
      region: $region
      resourceType: $resourceType
      service: $service
      tagKey: $tagKey
      tagValue: $tagValue
      includeGone: $includeGone
      sortBy: $sortBy
      page: $page
      perPage: 25
    ) {
      data {
        id
        name
        resourceType
        service
        region
        accountId
        provider
        costLast30Days
        currency
        lastSeenAt
        goneAt
      }
      pagination {
        page
        perPage
        total
        totalPages
      }
    }
  }
`);

/** Resource in a list. */
export type ResourceRow = NonNullable<ResultOf<typeof InventoryQuery>['inventory']>['data'][number];

/** Resource counts by type and region for the same filters. */
export const InventorySummaryQuery = graphql(`
  query InventorySummary(
    $search: String
    $accountId: [ID!]
    $provider: [String!]
    $region: [String!]
    $resourceType: [String!]
    $service: [String!]
    $tagKey: String
    $tagValue: [String!]
    $includeGone: Boolean
  ) {
    inventorySummary(
      search: $search
      accountId: $accountId
      provider: $provider
      region: $region
      resourceType: $resourceType
      service: $service
      tagKey: $tagKey
      tagValue: $tagValue
      includeGone: $includeGone
    ) {
      total
      byType {
        resourceType
        count
      }
      byRegion {
        region
        count
      }
      byAccount {
        accountId
        accountName
        count
      }
    }
  }
`);

/** Existing types and regions, for the filters. */
const InventoryChoices = graphql(`
  query InventoryChoices {
    inventorySummary(includeGone: true) {
      byType {
        resourceType
      }
      byRegion {
        region
      }
    }
  }
`);

/** Values of a tag key on charges of the last 30 days, highest cost first. */
export const TagValueChoices = graphql(`
  query TagValueChoices($tagKey: String!) {
    costsByTag(tagKey: $tagKey) {
      groups {
        tagValue
      }
    }
  }
`);

/** One resource with all details. */
export const ResourceQuery = graphql(`
  query Resource($id: ID!) {
    inventoryResource(id: $id) {
      id
      name
      nativeId
      resourceType
      service
      region
      accountId
      provider
      tags
      metadata
      costLast30Days
      currency
      firstSeenAt
      lastSeenAt
      goneAt
    }
  }
`);

/** Resource with all details. */
export type ResourceDetails = NonNullable<ResultOf<typeof ResourceQuery>['inventoryResource']>;

/** Types and regions of the inventory, largest resource count first. */
export function useInventoryChoices(): Readonly<Record<'types' | 'regions', Choice[]>> {
  const { data } = useAnswer(InventoryChoices, {});
  return useMemo(() => {
    const types = data?.inventorySummary?.byType ?? [];
    const regions = data?.inventorySummary?.byRegion ?? [];
    return {
      types: types
        .filter(({ resourceType }) => resourceType !== '')
        .map(({ resourceType }) => ({ value: resourceType, label: resourceType })),
      regions: regions.map(({ region }) => ({ value: region, label: regionName(region) })),
    };
  }, [data]);
}

/** Label of a resource type, which neither bill nor inventory always names. */
export function typeLabel(resourceType: string): string {
  return resourceType === '' ? 'Unknown type' : resourceType;
}

/** Query of the inventory list. */
interface InventoryQuestion {
  readonly account?: string;
  readonly type?: string;
  readonly tagKey?: string;
  readonly tagValue?: string;
}

/** URL of the filtered inventory list. */
export function inventoryHref(question: InventoryQuestion): string {
  return `/inventory?${new URLSearchParams({ ...question })}`;
}
