import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';
import { useAgainWhen, useAnswer } from '../api/use-api.ts';
import type { DayCost, Part } from '../costs/stacks.ts';
import { micros } from '../costs/table/rows.ts';
import { providerName } from '../../kit/text/provider-name.ts';
import type { DailyCosts } from '../costs/totals.ts';

/** Spend, month forecast, and the names of all services, highest cost first. */
export const OverviewSpend = graphql(`
  query OverviewSpend($since: Date!, $from: Date!, $to: Date!) {
    costsDaily(startDate: $since, endDate: $to) {
      currency
      lastCompleteDay
      dataFrom
      unconverted {
        currency
        cost
      }
      provisionalRates {
        currency
        month
      }
      missingBills {
        month
        accountId
        accountName
      }
      days {
        date
        cost
        unconverted {
          currency
          cost
        }
      }
    }
    costsByService(startDate: $from, endDate: $to) {
      groups {
        service
      }
    }
    forecast {
      historyTo
      lowHistory
      points {
        date
        cost
      }
    }
  }
`);

const TopFields = graphql(`
  fragment TopFields on Costs {
    currency
    rows {
      keyList {
        value
        label
      }
      cost
      previousCost
    }
  }
`);

/** Top services and accounts of a range, compared with the period before. */
export const OverviewTops = graphql(
  `
    query OverviewTops($startDate: Date!, $endDate: Date!, $limit: Int!) {
      services: costs(
        startDate: $startDate
        endDate: $endDate
        groupBy: [{ dimension: SERVICE }, { dimension: PROVIDER }]
        compare: PREVIOUS_PERIOD
        limit: $limit
      ) {
        ...TopFields
      }
      accounts: costs(
        startDate: $startDate
        endDate: $endDate
        groupBy: [{ dimension: ACCOUNT }, { dimension: PROVIDER }]
        compare: PREVIOUS_PERIOD
        limit: $limit
      ) {
        ...TopFields
      }
    }
  `,
  [TopFields],
);

/** Number of budgets and channels, for the tasks of the checklist. */
export const ChecklistQuery = graphql(`
  query Checklist($channels: Boolean!) {
    budgets(perPage: 1) {
      pagination {
        total
      }
    }
    channels(perPage: 1) @include(if: $channels) {
      pagination {
        total
      }
    }
  }
`);

/** Anomalies, recommendations and budgets that need attention. */
const OverviewFindings = graphql(
  `
    query OverviewFindings {
      anomalies(status: [OPEN], sortBy: IMPACT_DESC, perPage: 5) {
        data {
          ...AnomalyFields
        }
        pagination {
          page
          perPage
          total
          totalPages
        }
      }
      recommendationsSummary(status: [OPEN, IN_PROGRESS]) {
        ...RecommendationsSummaryFields
      }
      budgetsAtRisk: budgets(projectedStatus: [EXCEEDED, WARNING, AT_RISK], sortBy: PERCENT_USED_DESC, perPage: 5) {
        data {
          ...BudgetFields
        }
        pagination {
          total
        }
      }
    }
  `,
  [
    graphql(operations.AnomalyFields),
    graphql(operations.RecommendationsSummaryFields),
    graphql(operations.BudgetFields),
  ],
);

/** Budgets that are OK if costs that they do not include are ignored. */
export const BudgetsWithin = graphql(`
  query BudgetsWithin {
    budgets(projectedStatus: [OK], perPage: 100) {
      data {
        unconverted {
          currency
        }
        missingBills {
          month
        }
      }
    }
  }
`);

/** Findings that need attention, updated after a sync.
 *  @param loaded changes when a sync starts or ends */
export function useFindings(loaded: string | null) {
  const findings = useAnswer(OverviewFindings, {});
  useAgainWhen(loaded, findings, 8000);
  return findings;
}

export type Spend = ResultOf<typeof OverviewSpend>;
export type Tops = NonNullable<ResultOf<typeof OverviewTops>['services']>;
export type Findings = ReturnType<typeof useFindings>;

/** Dimensions of the overview chart. */
export type TrendGroup = 'service' | 'account' | 'provider';

/** Daily costs, split. */
export type SplitDays = NonNullable<ResultOf<typeof DailyCosts>['costsDaily']>['days'] | readonly never[];
type SplitGroup = NonNullable<SplitDays[number]['groups']>[number];

/** Daily costs of each group, largest group first. */
export function topParts(days: SplitDays, group: TrendGroup): Part[] {
  const found = new Map<string, { name: string; sum: number; days: DayCost[] }>();
  for (const { date, groups } of days) {
    for (const one of groups ?? []) {
      const key = valueOf(one, group);
      const entry = found.get(key) ?? { name: nameOf(one, group), sum: 0, days: [] };
      found.set(key, entry);
      entry.sum += micros(one.cost);
      entry.days.push({ date, cost: one.cost });
    }
  }
  return [...found]
    .sort(([, one], [, other]) => other.sum - one.sum)
    .map(([key, part]) => ({ key, name: part.name, days: part.days }));
}

function valueOf({ service, accountId, provider }: SplitGroup, group: TrendGroup): string {
  return (group === 'service' ? service : group === 'account' ? accountId : provider) ?? '';
}

function nameOf({ service, accountName, provider }: SplitGroup, group: TrendGroup): string {
  return (group === 'service' ? service : group === 'account' ? accountName : providerName(provider ?? '')) ?? '';
}
