import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

const AnomalyRow = graphql(operations.AnomalyRow);

export const AnomaliesQuery = graphql(operations.anomalies, [AnomalyRow]);

/** Anomaly in a list. */
export type AnomalyRow = ResultOf<typeof AnomalyRow>;

const AnomalyDetailsFields = graphql(operations.AnomalyDetailsFields);

/** One anomaly with all details. */
export const AnomalyQuery = graphql(operations.anomaly, [AnomalyDetailsFields]);

/** Anomaly with all details. */
export type AnomalyDetails = ResultOf<typeof AnomalyDetailsFields>;

/** Acknowledges, resolves or reopens an anomaly. */
export const UpdateAnomaly = graphql(operations.updateAnomaly);

/** Searches the inventory for a driver's resource by its provider ID. */
export const DriverResource = graphql(`
  query DriverResource($accountId: [ID!], $search: String!) {
    inventory(accountId: $accountId, search: $search, includeGone: true, perPage: 5) {
      data {
        id
        name
        nativeId
      }
    }
  }
`);
