import { graphql, type VariablesOf } from '../api/graphql.ts';
import type { DayRange } from '../parts/day-range.tsx';
import type { Metric } from './address.ts';
import type { Question } from './question.ts';

/** Up to which day bills are complete: where the explorer ends when nobody says otherwise. */
export const CompleteThrough = graphql(`
  query CompleteThrough {
    costsDaily {
      completeThrough
    }
  }
`);

/** The costs of a range by one dimension, and per day. Providers have no answer of their own: they are added up from
 *  days that are split by them. */
export const Costs = graphql(`
  query Costs(
    $startDate: Date!
    $endDate: Date!
    $costMetric: CostMetric!
    $accountId: [ID!]
    $subAccountId: [String!]
    $provider: [String!]
    $service: [String!]
    $region: [String!]
    $chargeCategory: [ChargeCategory!]
    $tagKey: String
    $tagValue: [String!]
    $untagged: Boolean
    $dailyTagKey: String
    $groupBy: CostDailyGroup
    $byProvider: Boolean!
    $byService: Boolean!
    $byAccount: Boolean!
    $byRegion: Boolean!
    $byTag: Boolean!
  ) {
    daily: costsDaily(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      accountId: $accountId
      provider: $provider
      subAccountId: $subAccountId
      service: $service
      region: $region
      chargeCategory: $chargeCategory
      tagKey: $dailyTagKey
      tagValue: $tagValue
      untagged: $untagged
      groupBy: $groupBy
    ) {
      currency
      totalCost
      completeThrough
      unconverted {
        currency
        cost
      }
      days {
        date
        cost
        groups @include(if: $byProvider) {
          provider
          cost
        }
      }
    }
    services: costsByService(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      accountId: $accountId
      provider: $provider
      subAccountId: $subAccountId
      service: $service
      region: $region
      chargeCategory: $chargeCategory
      tagKey: $tagKey
      tagValue: $tagValue
      untagged: $untagged
    ) @include(if: $byService) {
      groups {
        service
        serviceCategory
        provider
        cost
        percentage
      }
    }
    accounts: costsByAccount(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      accountId: $accountId
      provider: $provider
      subAccountId: $subAccountId
      service: $service
      region: $region
      chargeCategory: $chargeCategory
      tagKey: $tagKey
      tagValue: $tagValue
      untagged: $untagged
    ) @include(if: $byAccount) {
      groups {
        accountId
        accountName
        provider
        cost
        percentage
        subAccounts {
          subAccountId
          subAccountName
          cost
        }
      }
    }
    regions: costsByRegion(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      accountId: $accountId
      provider: $provider
      subAccountId: $subAccountId
      service: $service
      region: $region
      chargeCategory: $chargeCategory
      tagKey: $tagKey
      tagValue: $tagValue
      untagged: $untagged
    ) @include(if: $byRegion) {
      groups {
        region
        provider
        cost
        percentage
      }
    }
    tags: costsByTag(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      accountId: $accountId
      provider: $provider
      subAccountId: $subAccountId
      service: $service
      region: $region
      chargeCategory: $chargeCategory
      tagKey: $tagKey
      tagValue: $tagValue
      untagged: $untagged
    ) @include(if: $byTag) {
      groups {
        tagValue
        cost
        percentage
      }
    }
  }
`);

/** The largest groups per day. The others are what is left of the day, so that 20,000 groups are no more to send than ten. */
export const CostsSplit = graphql(`
  query CostsSplit(
    $startDate: Date!
    $endDate: Date!
    $costMetric: CostMetric!
    $accountId: [ID!]
    $subAccountId: [String!]
    $provider: [String!]
    $service: [String!]
    $region: [String!]
    $chargeCategory: [ChargeCategory!]
    $tagKey: String
    $tagValue: [String!]
    $untagged: Boolean
    $groupBy: CostDailyGroup!
  ) {
    costsDaily(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      accountId: $accountId
      provider: $provider
      subAccountId: $subAccountId
      service: $service
      region: $region
      chargeCategory: $chargeCategory
      tagKey: $tagKey
      tagValue: $tagValue
      untagged: $untagged
      groupBy: $groupBy
    ) {
      days {
        date
        groups {
          service
          accountId
          accountName
          region
          provider
          cost
        }
      }
    }
  }
`);

/** The days of one group of charges. */
export const OneValueDaily = graphql(`
  query OneValueDaily(
    $startDate: Date!
    $endDate: Date!
    $costMetric: CostMetric!
    $accountId: [ID!]
    $subAccountId: [String!]
    $provider: [String!]
    $service: [String!]
    $region: [String!]
    $chargeCategory: [ChargeCategory!]
    $tagKey: String
    $tagValue: [String!]
    $untagged: Boolean
  ) {
    costsDaily(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      accountId: $accountId
      provider: $provider
      subAccountId: $subAccountId
      service: $service
      region: $region
      chargeCategory: $chargeCategory
      tagKey: $tagKey
      tagValue: $tagValue
      untagged: $untagged
    ) {
      days {
        date
        cost
      }
    }
  }
`);

const costMetrics = {
  effective: 'EFFECTIVE',
  billed: 'BILLED',
  list: 'LIST',
  contracted: 'CONTRACTED',
} as const satisfies Record<Metric, string>;

/** What every question to the API of costs takes. */
export type CostArguments = VariablesOf<typeof OneValueDaily>;

/** The API's spelling of which charges count, on which days. */
export function argumentsOf({ metric, filters }: Question, { from, to }: DayRange): CostArguments {
  return {
    startDate: from,
    endDate: to,
    costMetric: costMetrics[metric],
    accountId: some(filters.account),
    subAccountId: some(filters.subAccount),
    provider: some(filters.provider),
    service: some(filters.service),
    region: some(filters.region),
    chargeCategory: some(filters.category),
    tagKey: filters.tagKey ?? undefined,
    tagValue: some(filters.tagValue),
    untagged: filters.untagged || undefined,
  };
}

/** The question of a table and its days. */
export function variablesOf(question: Question, range: DayRange): VariablesOf<typeof Costs> {
  const { group, filters } = question;
  // By tag, the key divides the charges; elsewhere it alone would leave out those that do not carry it.
  const dividesOnly = group === 'tag' && filters.tagValue.length === 0 && !filters.untagged;
  return {
    ...argumentsOf(question, range),
    dailyTagKey: dividesOnly ? undefined : (filters.tagKey ?? undefined),
    groupBy: group === 'provider' ? 'PROVIDER' : undefined,
    byProvider: group === 'provider',
    byService: group === 'service',
    byAccount: group === 'account',
    byRegion: group === 'region',
    byTag: group === 'tag',
  };
}

function some<Value>(values: readonly Value[]): Value[] | undefined {
  return values.length === 0 ? undefined : [...values];
}
