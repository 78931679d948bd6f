import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

/** Polling interval for a report in progress, in milliseconds. */
export const pollMs = 2000;

const ReportRow = graphql(operations.ReportRow);

export const ReportsQuery = graphql(operations.reports, [ReportRow]);

const ReportFields = graphql(operations.ReportFields);

export const ReportQuery = graphql(operations.report, [ReportFields]);

export const CreateReport = graphql(operations.createReport);

const ReportScheduleRow = graphql(operations.ReportScheduleRow);

export const SchedulesQuery = graphql(operations.reportSchedules, [ReportScheduleRow]);

export const CreateSchedule = graphql(operations.createReportSchedule);

export const UpdateSchedule = graphql(operations.updateReportSchedule);

export const DeleteSchedule = graphql(operations.deleteReportSchedule);

export type Report = ResultOf<typeof ReportRow>;

export type Schedule = ResultOf<typeof ReportScheduleRow>;

export type ReportType = Report['type'];

export type ReportFormat = Report['format'];
