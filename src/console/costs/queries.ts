import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf, type VariablesOf } from '../api/graphql.ts';
import { sortValue } from '../api/use-api.ts';
import { coloured } from '../charts/colours.ts';
import type { DayRange } from '../parts/list/day-range.tsx';
import {
  tagKeyIn,
  virtualKeyIn,
  type Dimension,
  type Grouping,
  type NamedDimension,
  filterValue,
} from './dimensions.ts';
import { sharedBy, type Question } from './question.ts';

/** Default end of the explorer's range. */
export const LastCompleteDay = graphql(`
  query LastCompleteDay($accountId: [ID!]) {
    costsDaily(accountId: $accountId) {
      lastCompleteDay
    }
  }
`);

const CostsFields = graphql(`
  fragment CostsFields on Costs {
    currency
    totalCost
    completeThrough
    lastCompleteDay
    dataFrom
    rowCount
    previous {
      startDate
      endDate
      totalCost
      unconverted {
        currency
        cost
      }
    }
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
      directCost
      sharedCost
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
      directCost
      sharedCost
      points {
        date
        cost
      }
    }
    skippedSplits {
      name
      month
    }
  }
`);

/** Costs grouped by up to two dimensions; with a granularity, also the points of each group. */
export const Costs = graphql(operations.costs, [CostsFields]);

/** Costs returned by the API. */
export type CostsAnswer = ResultOf<typeof CostsFields>;

/** Values of a dimension with their costs, highest first. */
export const DimensionValues = graphql(operations.costDimensionValues, [graphql(operations.CostDimensionValuesFields)]);

type Variables = VariablesOf<typeof Costs>;
type DimensionInput = NonNullable<Variables['groupBy']>[number];

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
    compare: upper(compare),
    includeShared: question.includesShared,
    limit: mostRows,
    sortBy: sortValue(tableSort(question)),
  };
}

/** Variables of the chart query: largest groups of the first dimension, per bar. */
export function seriesVariables(question: Question): Variables {
  const { groups, granularity, compare } = question;
  return {
    ...rangeVariables(question),
    granularity: upper(granularity),
    groupBy: inputsOf(groups[0]),
    // Without the virtual tag, splits would not change the bars.
    includeShared: question.includesShared && sharedBy([groups[0]]) !== null,
    // A table of days has no query of its own, so this one also compares.
    compare: upper(groups[0] === 'day' ? compare : 'none'),
    limit: coloured,
    sortBy: 'COST_DESC',
  };
}

/** Variables for the totals of another range. */
export function totalsVariables(question: Question, range: DayRange): Variables {
  return {
    ...rangeVariables({ ...question, range }),
    granularity: upper(question.granularity),
    groupBy: [],
    compare: 'NONE',
    limit: 1,
    sortBy: 'COST_DESC',
  };
}

/** Variables for counting the values of a dimension. */
export function countVariables(question: Question, dimension: Dimension): Variables {
  return { ...rangeVariables(question), groupBy: [dimensionInput(dimension)], limit: 2 };
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
    costMetric: upper(metric),
    filters: { include: inputs(false), exclude: inputs(true) },
  };
}

function inputsOf(grouping: Grouping): DimensionInput[] {
  return grouping === 'day' ? [] : [dimensionInput(grouping)];
}

/** Converts a dimension to the GraphQL input. */
export function dimensionInput(dimension: Dimension): DimensionInput {
  const tag = tagKeyIn(dimension);
  if (tag !== null) return { tag };
  const virtualTag = virtualKeyIn(dimension);
  return virtualTag === null ? { dimension: upper(dimension as NamedDimension) } : { virtualTag };
}

function upper<Text extends string>(text: Text): Uppercase<Text> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says what the method does
  return text.toUpperCase() as Uppercase<Text>;
}
