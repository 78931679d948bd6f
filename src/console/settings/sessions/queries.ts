import { graphql, type ResultOf } from '../../api/graphql.ts';

/** Where the caller is logged in. */
export const Sessions = graphql(`
  query Sessions($page: Int!, $perPage: Int!, $sortBy: SessionSort) {
    sessions(page: $page, perPage: $perPage, sortBy: $sortBy) {
      data {
        id
        createdAt
        lastUsedAt
        expiresAt
        ipAddress
        userAgent
        current
        method
        organizationName
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

/** A session of the list. */
export type Session = NonNullable<ResultOf<typeof Sessions>['sessions']>['data'][number];

/** Ends a session. */
export const RevokeSession = graphql(`
  mutation RevokeSession($id: ID!) {
    revokeSession(id: $id)
  }
`);
