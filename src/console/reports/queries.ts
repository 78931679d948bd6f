import { graphql, type ResultOf } from '../api/graphql.ts';

/** Polling interval for a report in progress, in milliseconds. */
export const pollMs = 2000;

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
    issuer
  }
`);

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

export const CreateReport = graphql(`
  mutation CreateReport($input: CreateReportInput!) {
    createReport(input: $input) {
      id
    }
  }
`);

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

export const CreateSchedule = graphql(`
  mutation CreateReportSchedule($input: CreateReportScheduleInput!) {
    createReportSchedule(input: $input) {
      id
      name
    }
  }
`);

export const UpdateSchedule = graphql(`
  mutation UpdateReportSchedule($id: ID!, $input: UpdateReportScheduleInput!) {
    updateReportSchedule(id: $id, input: $input) {
      id
      name
    }
  }
`);

export const DeleteSchedule = graphql(`
  mutation DeleteReportSchedule($id: ID!) {
    deleteReportSchedule(id: $id)
  }
`);

/** Choices for the inventory and recommendation filters. */
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

/** Choices for the sub-account filter. */
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

/** Choices for the tag value filter. */
export const TagValueChoicesQuery = graphql(`
  query ReportTagValueChoices($startDate: Date!, $tagKey: String!) {
    costsByTag(startDate: $startDate, tagKey: $tagKey) {
      groups {
        tagValue
      }
    }
  }
`);

export type Report = NonNullable<ResultOf<typeof ReportsQuery>['reports']>['data'][number];

export type Schedule = NonNullable<ResultOf<typeof SchedulesQuery>['reportSchedules']>['data'][number];

export type ReportType = Report['type'];

export type ReportFormat = Report['format'];
