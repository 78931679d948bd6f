import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

export const UnitMetricsQuery = graphql(operations.unitMetrics, [graphql(operations.UnitMetricFields)]);

export const UnitMetricQuery = graphql(operations.unitMetric, [graphql(operations.UnitMetricFields)]);

export const CreateUnitMetric = graphql(operations.createUnitMetric);

export const UpdateUnitMetric = graphql(operations.updateUnitMetric);

export const DeleteUnitMetric = graphql(operations.deleteUnitMetric);

export const UnitMetricValuesQuery = graphql(operations.unitMetricValues, [graphql(operations.UnitMetricValueFields)]);

export const DeleteUnitMetricValues = graphql(operations.deleteUnitMetricValues);

export const UnitCostQuery = graphql(operations.unitCost, [graphql(operations.UnitCostFields)]);

export type UnitMetric = RecordOf<typeof UnitMetricQuery>;

/** Quantity of a day, for a set of labels. */
export type UnitMetricValue = RecordOf<typeof UnitMetricValuesQuery>;

/** Cost per unit of a metric over a range. */
export type UnitCost = RecordOf<typeof UnitCostQuery>;
