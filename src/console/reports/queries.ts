import { graphql, type ResultOf } from '../api/graphql.ts';

/** The list. */
export const ReportsQuery = graphql(`
  query Reports(
    $type: [ReportType!]
    $format: [ReportFormat!]
    $status: [ReportStatus!]
    $sortBy: String
    $page: Int!
  ) {
    reports(type: $type, format: $format, status: $status, sortBy: $sortBy, page: $page, perPage: 25) {
      data {
        id
        type
        format
        status
        failureReason
        startDate
        endDate
        filters
        sizeBytes
        downloadUrl
        createdBy
        createdAt
        expiresAt
      }
      pagination {
        page
        perPage
        total
        totalPages
      }
    }
  }
`);

/** Asks for one. */
export const CreateReport = graphql(`
  mutation CreateReport($type: ReportType!, $format: ReportFormat!, $startDate: Date, $endDate: Date, $filters: JSON) {
    createReport(type: $type, format: $format, startDate: $startDate, endDate: $endDate, filters: $filters) {
      id
    }
  }
`);

/** The list of schedules. */
export const SchedulesQuery = graphql(`
  query ReportSchedules(
    $type: [ReportType!]
    $format: [ReportFormat!]
    $enabled: Boolean
    $sortBy: String
    $page: Int!
  ) {
    reportSchedules(type: $type, format: $format, enabled: $enabled, sortBy: $sortBy, page: $page, perPage: 25) {
      data {
        id
        name
        type
        format
        filters
        frequency
        day
        hour
        timeZone
        recipients
        slack
        enabled
        nextRunAt
        lastRunAt
        lastStatus
        createdBy
      }
      pagination {
        page
        perPage
        total
        totalPages
      }
    }
  }
`);

/** Makes a schedule. */
export const CreateSchedule = graphql(`
  mutation CreateReportSchedule(
    $name: String!
    $type: ReportType!
    $format: ReportFormat!
    $filters: JSON
    $frequency: ReportFrequency!
    $day: Int
    $hour: Int
    $timeZone: String
    $recipients: [String!]
    $slack: Boolean
    $enabled: Boolean
  ) {
    createReportSchedule(
      name: $name
      type: $type
      format: $format
      filters: $filters
      frequency: $frequency
      day: $day
      hour: $hour
      timeZone: $timeZone
      recipients: $recipients
      slack: $slack
      enabled: $enabled
    ) {
      id
      name
    }
  }
`);

/** Changes a schedule. */
export const UpdateSchedule = graphql(`
  mutation UpdateReportSchedule(
    $id: ID!
    $name: String
    $type: ReportType
    $format: ReportFormat
    $filters: JSON
    $frequency: ReportFrequency
    $day: Int
    $hour: Int
    $timeZone: String
    $recipients: [String!]
    $slack: Boolean
    $enabled: Boolean
  ) {
    updateReportSchedule(
      id: $id
      name: $name
      type: $type
      format: $format
      filters: $filters
      frequency: $frequency
      day: $day
      hour: $hour
      timeZone: $timeZone
      recipients: $recipients
      slack: $slack
      enabled: $enabled
    ) {
      id
      name
    }
  }
`);

/** Deletes a schedule. */
export const DeleteSchedule = graphql(`
  mutation DeleteReportSchedule($id: ID!) {
    deleteReportSchedule(id: $id)
  }
`);

/** What the filters of inventory and recommendations can be chosen from. */
export const FilterChoicesQuery = graphql(`
  query ReportFilterChoices {
    inventorySummary {
      byType {
        resourceType
      }
    }
    recommendationsSummary {
      byType {
        type
      }
    }
  }
`);

/** Sub-accounts to choose from. */
export const SubAccountChoicesQuery = graphql(`
  query ReportSubAccountChoices($startDate: Date!) {
    costsByAccount(startDate: $startDate) {
      groups {
        subAccounts {
          subAccountId
          subAccountName
        }
      }
    }
  }
`);

/** Values of a tag key to choose from. */
export const TagValueChoicesQuery = graphql(`
  query ReportTagValueChoices($startDate: Date!, $tagKey: String!) {
    costsByTag(startDate: $startDate, tagKey: $tagKey) {
      groups {
        tagValue
      }
    }
  }
`);

/** A report. */
export type Report = NonNullable<ResultOf<typeof ReportsQuery>['reports']>['data'][number];

/** A schedule. */
export type Schedule = NonNullable<ResultOf<typeof SchedulesQuery>['reportSchedules']>['data'][number];

/** What a report is about. */
export type ReportType = Report['type'];

/** What a report is written as. */
export type ReportFormat = Report['format'];
