import { graphql, type ResultOf } from '../../api/graphql.ts';

/** All exchange rates of the organization. */
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

/** Sets rates; a null rate removes one. */
export const SetRates = graphql(`
  mutation SetRates($rates: [ExchangeRateInput!]!) {
    setExchangeRates(rates: $rates) {
      rates {
        month
      }
    }
  }
`);

/** Exchange rate in the list. */
export type Rate = NonNullable<ResultOf<typeof RateList>['exchangeRates']>['rates'][number];
