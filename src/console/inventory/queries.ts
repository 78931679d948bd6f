import { graphql, type ResultOf } from '../api/graphql.ts';

/** A page of resources. */
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
    $perPage: Int
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
      perPage: $perPage
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

/** A resource of a list. */
export type ResourceRow = NonNullable<ResultOf<typeof InventoryQuery>['inventory']>['data'][number];

/** How many resources the same filters leave, by what they are and where. */
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

/** Types and regions that there are, for the filters. */
export const InventoryChoices = graphql(`
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

/** Values of a tag key on charges of the last 30 days, the dearest first. */
export const TagValueChoices = graphql(`
  query TagValueChoices($tagKey: String!) {
    costsByTag(tagKey: $tagKey) {
      groups {
        tagValue
      }
    }
  }
`);

/** Everything that is known of a resource. */
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

/** A resource as its page has it. */
export type ResourceDetails = NonNullable<ResultOf<typeof ResourceQuery>['inventoryResource']>;
