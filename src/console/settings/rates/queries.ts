import { graphql, type ResultOf } from '../../api/graphql.ts';

/** Every rate of the organization. */
export const RateList = graphql(`
  query RateList {
    exchangeRates {
      rates {
        month
        from
        to
        rate
      }
    }
  }
`);

/** What could not be converted, for want of a rate, since a day. */
export const Unconverted = graphql(`
  query Unconverted($startDate: Date!, $endDate: Date!) {
    costsSummary(startDate: $startDate, endDate: $endDate) {
      currency
      unconverted {
        currency
        cost
      }
    }
  }
`);

/** Sets rates, and takes those away whose rate is null. */
export const SetRates = graphql(`
  mutation SetRates($rates: [ExchangeRateInput!]!) {
    setExchangeRates(rates: $rates) {
      rates {
        month
      }
    }
  }
`);

/** A rate of the list. */
export type Rate = NonNullable<ResultOf<typeof RateList>['exchangeRates']>['rates'][number];
