import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

/** Polling interval for a report in progress, in milliseconds. */
export const pollMs = 2000;

export const ReportsQuery = graphql(operations.reports, [graphql(operations.ReportFields)]);

export const ReportQuery = graphql(operations.report, [graphql(operations.ReportFields)]);

export const CreateReport = graphql(operations.createReport);

export const SchedulesQuery = graphql(operations.reportSchedules, [graphql(operations.ReportScheduleFields)]);

export const CreateSchedule = graphql(operations.createReportSchedule);

export const UpdateSchedule = graphql(operations.updateReportSchedule);

export const SendSchedule = graphql(operations.sendReportSchedule);

export const DeleteSchedule = graphql(operations.deleteReportSchedule);

export type Report = RecordOf<typeof ReportsQuery>;

export type Schedule = RecordOf<typeof SchedulesQuery>;

export type ReportType = Report['type'];

export type ReportFormat = Report['format'];
