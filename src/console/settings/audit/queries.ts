import { graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';

/** A page of the audit log. */
export const AuditList = graphql(`
  query AuditList(
    $action: [AuditAction!]
    $actorId: [ID!]
    $startDate: Date
    $endDate: Date
    $sortBy: AuditEntrySort
    $page: Int
  ) {
    auditLogs(
      action: $action
      actorId: $actorId
      startDate: $startDate
      endDate: $endDate
      sortBy: $sortBy
      page: $page
      perPage: 50
    ) {
      data {
        id
        timestamp
        action
        actor {
          id
          email
        }
        resourceType
        resourceId
        ipAddress
        userAgent
        details
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

/** People to choose from. */
export const Actors = graphql(`
  query Actors {
    members(perPage: 100, sortBy: NAME_ASC) {
      data {
        user {
          id
          name
          email
        }
      }
    }
  }
`);

/** An entry of the log. */
export type Entry = NonNullable<ResultOf<typeof AuditList>['auditLogs']>['data'][number];

/** What the log records. */
export type Action = NonNullable<VariablesOf<typeof AuditList>['action']>[number];
