import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';

const AuditEntryRow = graphql(`
  fragment AuditEntryRow on AuditEntry {
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
`);

export const AuditList = graphql(operations.auditLogs, [AuditEntryRow]);

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
export type Entry = ResultOf<typeof AuditEntryRow>;

/** Action recorded in the audit log. */
export type Action = NonNullable<VariablesOf<typeof AuditList>['action']>[number];
