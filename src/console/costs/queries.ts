import { graphql, type ResultOf, type VariablesOf } from '../api/graphql.ts';
import { sortValue } from '../api/use-api.ts';
import { coloured } from '../charts/legend.tsx';
import type { DayRange } from '../parts/list/day-range.tsx';
import { filterValue, type Compare, type Granularity, type Metric } from './address.ts';
import { tagKeyIn, type Dimension, type Grouping, type NamedDimension } from './dimensions.ts';
import type { Step } from './drill.ts';
import type { Question } from './question.ts';

/** Last day with complete bills; default end of the explorer's range. */
export const CompleteThrough = graphql(`
  query CompleteThrough($accountId: [ID!]) {
    costsDaily(accountId: $accountId) {
      completeThrough
    }
  }
`);

/** Costs grouped by up to two dimensions; with a granularity, also the points of each group. */
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

/** Costs returned by the API. */
export type CostsAnswer = NonNullable<ResultOf<typeof Costs>['costs']>;

/** Checks whether each drill-down step has one value or more. */
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

/** Values of a dimension with their costs, highest first. */
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

/** Maximum table rows; the API's limit. */
export const mostRows = 1000;

/** Table sort in URL and REST spelling; falls back to cost if the URL has an unknown one. */
export function tableSort({ compare, sort }: Question): string {
  const isKnown = /^-?(cost|change|name)$/.test(sort) && !(compare === 'none' && sort.endsWith('change'));
  return isKnown ? sort : '-cost';
}

/** Variables of the table query. */
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

/** Variables of the chart query: largest groups of the first dimension, per bar. */
export function seriesVariables(question: Question): Variables {
  const { groups, granularity, compare } = question;
  return {
    ...rangeVariables(question),
    granularity: granularityNames[granularity],
    groupBy: inputsOf(groups[0]),
    // A table of days has no query of its own, so this one also compares.
    compare: compareNames[groups[0] === 'day' ? compare : 'none'],
    limit: coloured,
    sortBy: 'COST_DESC',
  };
}

/** Variables for the totals of another range. */
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

/** Variables for counting the values of the remaining steps. */
export function stepsVariables(question: Question, steps: readonly Step[]): VariablesOf<typeof DrillSteps> {
  return {
    ...rangeVariables(question),
    hasService: steps.includes('service'),
    hasMeter: steps.includes('meter'),
    hasResource: steps.includes('resource'),
  };
}

/** Variables for a dimension's values, ignoring the filter on the dimension itself. */
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
