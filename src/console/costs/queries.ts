import { graphql, type ResultOf, type VariablesOf } from '../api/graphql.ts';
import { sortValue } from '../api/use-api.ts';
import { coloured } from '../charts/legend.tsx';
import type { DayRange } from '../parts/list/day-range.tsx';
import { filterValue, type Compare, type Granularity, type Metric } from './address.ts';
import { tagKeyIn, type Dimension, type Grouping, type NamedDimension } from './dimensions.ts';
import type { Step } from './drill.ts';
import type { Question } from './question.ts';

/** The day through which bills are complete: where the explorer ends by default. */
export const CompleteThrough = graphql(`
  query CompleteThrough($accountId: [ID!]) {
    costsDaily(accountId: $accountId) {
      completeThrough
    }
  }
`);

/** Costs grouped by up to two dimensions; with a granularity also the points of each group. */
export const Costs = graphql(`
  query Costs(
    $startDate: Date!
    $endDate: Date!
    $costMetric: CostMetric!
    $granularity: CostSeriesGranularity!
    $groupBy: [CostDimensionInput!]!
    $filters: CostFiltersInput
    $compare: CostComparison!
    $limit: Int!
    $sortBy: CostRowSort
  ) {
    costs(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      granularity: $granularity
      groupBy: $groupBy
      filters: $filters
      compare: $compare
      limit: $limit
      sortBy: $sortBy
    ) {
      currency
      totalCost
      completeThrough
      rowCount
      previous {
        startDate
        endDate
        totalCost
      }
      unconverted {
        currency
        cost
      }
      rows {
        keyList {
          value
          label
        }
        resourceId
        cost
        percentage
        previousCost
        change
        changePercent
        quantity
        unit
        points {
          date
          cost
        }
      }
      other {
        count
        cost
        previousCost
        points {
          date
          cost
        }
      }
    }
  }
`);

/** An answer about costs. */
export type CostsAnswer = NonNullable<ResultOf<typeof Costs>['costs']>;

/** How many values the steps of a drill-down have, as far as it matters: one, or more. */
export const DrillSteps = graphql(`
  query DrillSteps(
    $startDate: Date!
    $endDate: Date!
    $costMetric: CostMetric!
    $filters: CostFiltersInput
    $hasService: Boolean!
    $hasMeter: Boolean!
    $hasResource: Boolean!
  ) {
    service: costs(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      groupBy: [{ dimension: SERVICE }]
      filters: $filters
      limit: 2
    ) @include(if: $hasService) {
      rowCount
    }
    meter: costs(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      groupBy: [{ dimension: METER }]
      filters: $filters
      limit: 2
    ) @include(if: $hasMeter) {
      rowCount
    }
    resource: costs(
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      groupBy: [{ dimension: RESOURCE }]
      filters: $filters
      limit: 2
    ) @include(if: $hasResource) {
      rowCount
    }
  }
`);

/** Values of a dimension with their costs, the largest first. */
export const DimensionValues = graphql(`
  query DimensionValues(
    $dimension: CostDimensionInput!
    $search: String
    $startDate: Date!
    $endDate: Date!
    $costMetric: CostMetric!
    $filters: CostFiltersInput
  ) {
    costDimensionValues(
      dimension: $dimension
      search: $search
      startDate: $startDate
      endDate: $endDate
      costMetric: $costMetric
      filters: $filters
    ) {
      currency
      values {
        value
        label
        cost
      }
    }
  }
`);

const metricNames = {
  effective: 'EFFECTIVE',
  billed: 'BILLED',
  list: 'LIST',
  contracted: 'CONTRACTED',
} as const satisfies Record<Metric, string>;

const compareNames = {
  none: 'NONE',
  previous_period: 'PREVIOUS_PERIOD',
  previous_month: 'PREVIOUS_MONTH',
  previous_year: 'PREVIOUS_YEAR',
} as const satisfies Record<Compare, string>;

const granularityNames = { daily: 'DAILY', monthly: 'MONTHLY' } as const satisfies Record<Granularity, string>;

type Variables = VariablesOf<typeof Costs>;
type DimensionInput = Variables['groupBy'][number];

/** Rows of the table at most, as many as the API gives. */
export const mostRows = 1000;

/** The sort of the table, as the address and REST spell it; by cost where the address names another. */
export function tableSort({ compare, sort }: Question): string {
  const isKnown = /^-?(cost|change|name)$/.test(sort) && !(compare === 'none' && sort.endsWith('change'));
  return isKnown ? sort : '-cost';
}

/** The question of the table. */
export function tableVariables(question: Question): Variables {
  const { groups, compare } = question;
  return {
    ...rangeVariables(question),
    granularity: 'NONE',
    groupBy: groups.flatMap((one) => (one === undefined ? [] : inputsOf(one))),
    compare: compareNames[compare],
    limit: mostRows,
    sortBy: sortValue(tableSort(question)),
  };
}

/** The question of the chart: the largest groups of the first dimension, bar by bar. */
export function seriesVariables(question: Question): Variables {
  const { groups, granularity, compare } = question;
  return {
    ...rangeVariables(question),
    granularity: granularityNames[granularity],
    groupBy: inputsOf(groups[0]),
    // The table of days has no question of its own.
    compare: compareNames[groups[0] === 'day' ? compare : 'none'],
    limit: coloured,
    sortBy: 'COST_DESC',
  };
}

/** The question of the bars of another range. */
export function totalsVariables(question: Question, range: DayRange): Variables {
  return {
    ...rangeVariables({ ...question, range }),
    granularity: granularityNames[question.granularity],
    groupBy: [],
    compare: 'NONE',
    limit: 1,
    sortBy: 'COST_DESC',
  };
}

/** The question of how many values the open steps have. */
export function stepsVariables(question: Question, steps: readonly Step[]): VariablesOf<typeof DrillSteps> {
  return {
    ...rangeVariables(question),
    hasService: steps.includes('service'),
    hasMeter: steps.includes('meter'),
    hasResource: steps.includes('resource'),
  };
}

/** The question of a dimension's values, whatever it is filtered by itself. */
export function valuesVariables(
  question: Question,
  dimension: Dimension,
  search: string,
): VariablesOf<typeof DimensionValues> {
  const filters = question.filters.filter((filter) => filter.dimension !== dimension);
  return {
    ...rangeVariables({ ...question, filters }),
    dimension: dimensionInput(dimension),
    search: search === '' ? undefined : search,
  };
}

function rangeVariables({ range, metric, filters }: Question) {
  const inputs = (isExcluded: boolean) =>
    filters
      .filter((filter) => filter.isExcluded === isExcluded)
      .map(({ dimension, values }) => ({
        ...dimensionInput(dimension),
        values: values.map(filterValue),
      }));
  return {
    startDate: range.from,
    endDate: range.to,
    costMetric: metricNames[metric],
    filters: { include: inputs(false), exclude: inputs(true) },
  };
}

function inputsOf(grouping: Grouping): DimensionInput[] {
  return grouping === 'day' ? [] : [dimensionInput(grouping)];
}

function dimensionInput(dimension: Dimension): DimensionInput {
  const tag = tagKeyIn(dimension);
  return tag === null ? { dimension: upper(dimension as NamedDimension) } : { tag };
}

function upper<Text extends string>(text: Text): Uppercase<Text> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says what the method does
  return text.toUpperCase() as Uppercase<Text>;
}
