import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

/** Forecast for the next 60 days. */
export const ForecastQuery = graphql(operations.forecast, [graphql(operations.ForecastFields)]);

/** Backtest accuracy of the model. */
export const AccuracyQuery = graphql(operations.forecastAccuracy, [graphql(operations.ForecastAccuracyFields)]);

/** Forecast. */
export type Forecast = RecordOf<typeof ForecastQuery>;

/** Forecast accuracy. */
export type Accuracy = RecordOf<typeof AccuracyQuery>;
