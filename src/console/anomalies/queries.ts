import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

export const AnomaliesQuery = graphql(operations.anomalies, [graphql(operations.AnomalyFields)]);

/** Anomaly in a list. */
export type AnomalyRow = RecordOf<typeof AnomaliesQuery>;

/** One anomaly with all details. */
export const AnomalyQuery = graphql(operations.anomaly, [graphql(operations.AnomalyDetailsFields)]);

/** Anomaly with all details. */
export type AnomalyDetails = RecordOf<typeof AnomalyQuery>;

/** Changes the status, the assignee or the note of an anomaly. */
export const UpdateAnomaly = graphql(operations.updateAnomaly);

/** Makes the same change to several anomalies. */
export const UpdateAnomalies = graphql(operations.updateAnomalies);
