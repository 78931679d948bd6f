import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

/** Forecast for the next 60 days; with filters, also whether any cost matches them. */
export const ForecastQuery = graphql(`
  query Forecast(
    $model: ForecastModel!
    $accountId: [ID!]
    $provider: [String!]
    $service: [String!]
    $isFiltered: Boolean!
    $startDate: Date!
    $endDate: Date!
  ) {
    matching: costsByService(
      startDate: $startDate
      endDate: $endDate
      accountId: $accountId
      provider: $provider
      service: $service
    ) @include(if: $isFiltered) {
      groups {
        service
      }
    }
    forecast(model: $model, accountId: $accountId, provider: $provider, service: $service) {
      model
      currency
      horizonDays
      historyFrom
      historyTo
      lowHistory
      total {
        cost
        lower80
        upper80
        lower95
        upper95
      }
      points {
        date
        cost
        lower80
        upper80
        lower95
        upper95
      }
      unconverted {
        currency
        cost
      }
    }
  }
`);

const ForecastAccuracyFields = graphql(operations.ForecastAccuracyFields);

/** Backtest accuracy of the model. */
export const AccuracyQuery = graphql(operations.forecastAccuracy, [ForecastAccuracyFields]);

/** Forecast. */
export type Forecast = NonNullable<ResultOf<typeof ForecastQuery>['forecast']>;

/** Forecast accuracy. */
export type Accuracy = ResultOf<typeof ForecastAccuracyFields>;

/** Day with actual cost. */
export interface KnownDay {
  readonly date: string;
  readonly cost: number;
}
