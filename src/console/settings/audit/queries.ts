import { graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';

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

/** Choices for the actor filter. */
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

/** Entry of the audit log. */
export type Entry = NonNullable<ResultOf<typeof AuditList>['auditLogs']>['data'][number];

/** Action recorded in the audit log. */
export type Action = NonNullable<VariablesOf<typeof AuditList>['action']>[number];
