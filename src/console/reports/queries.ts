import { graphql, type ResultOf } from '../api/graphql.ts';

/** How often a report that is being made is asked for again, in milliseconds. */
export const pollMs = 2000;

/** The filters of a report or schedule. */
const ReportFilterFields = graphql(`
  fragment ReportFilterFields on ReportFilters {
    accountId
    provider
    service
    region
    subAccountId
    chargeCategory
    tagKey
    tagValue
    untagged
    costMetric
    granularity
    resourceType
    search
    includeGone
    type
    status
    minSavings
    includeSnoozed
    severity
  }
`);

/** The fields of a report. */
const ReportFields = graphql(
  `
    fragment ReportFields on Report {
      id
      type
      format
      status
      failureReason
      startDate
      endDate
      filters {
        ...ReportFilterFields
      }
      sizeBytes
      downloadUrl
      createdById
      createdAt
      expiresAt
    }
  `,
  [ReportFilterFields],
);

/** The list. */
export const ReportsQuery = graphql(
  `
    query Reports(
      $type: [ReportType!]
      $format: [ReportFormat!]
      $status: [ReportStatus!]
      $sortBy: ReportSort
      $page: Int!
    ) {
      reports(type: $type, format: $format, status: $status, sortBy: $sortBy, page: $page, perPage: 25) {
        data {
          ...ReportFields
        }
        pagination {
          page
          perPage
          total
          totalPages
        }
      }
    }
  `,
  [ReportFields],
);

/** One report. */
export const ReportQuery = graphql(
  `
    query Report($id: ID!) {
      report(id: $id) {
        ...ReportFields
      }
    }
  `,
  [ReportFields],
);

/** Asks for one. */
export const CreateReport = graphql(`
  mutation CreateReport($input: CreateReportInput!) {
    createReport(input: $input) {
      id
    }
  }
`);

/** The list of schedules. */
export const SchedulesQuery = graphql(
  `
    query ReportSchedules(
      $type: [ReportType!]
      $format: [ReportFormat!]
      $enabled: Boolean
      $sortBy: ReportScheduleSort
      $page: Int!
    ) {
      reportSchedules(type: $type, format: $format, enabled: $enabled, sortBy: $sortBy, page: $page, perPage: 25) {
        data {
          id
          name
          type
          format
          filters {
            ...ReportFilterFields
          }
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
          createdById
        }
        pagination {
          page
          perPage
          total
          totalPages
        }
      }
    }
  `,
  [ReportFilterFields],
);

/** Makes a schedule. */
export const CreateSchedule = graphql(`
  mutation CreateReportSchedule($input: CreateReportScheduleInput!) {
    createReportSchedule(input: $input) {
      id
      name
    }
  }
`);

/** Changes a schedule. */
export const UpdateSchedule = graphql(`
  mutation UpdateReportSchedule($id: ID!, $input: UpdateReportScheduleInput!) {
    updateReportSchedule(id: $id, input: $input) {
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
    recommendationsSummary(status: [OPEN, IN_PROGRESS, APPLIED, ARCHIVED]) {
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
