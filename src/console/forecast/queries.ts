import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

const ForecastFields = graphql(operations.ForecastFields);

/** Forecast for the next 60 days. */
export const ForecastQuery = graphql(operations.forecast, [ForecastFields]);

const ForecastAccuracyFields = graphql(operations.ForecastAccuracyFields);

/** Backtest accuracy of the model. */
export const AccuracyQuery = graphql(operations.forecastAccuracy, [ForecastAccuracyFields]);

/** Forecast. */
export type Forecast = ResultOf<typeof ForecastFields>;

/** Forecast accuracy. */
export type Accuracy = ResultOf<typeof ForecastAccuracyFields>;

/** Day with actual cost. */
export interface KnownDay {
  readonly date: string;
  readonly cost: number;
}
