import { graphql, type ResultOf } from '../../api/graphql.ts';

/** The caller's API tokens in this organization. */
export const ApiTokens = graphql(`
  query ApiTokens($page: Int!, $sortBy: ApiTokenSort) {
    apiTokens(page: $page, perPage: 25, sortBy: $sortBy) {
      data {
        id
        name
        lastFour
        readOnly
        createdAt
        expiresAt
        lastUsedAt
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

/** API token in the list. */
export type ApiToken = NonNullable<ResultOf<typeof ApiTokens>['apiTokens']>['data'][number];

/** Creates a token; only this answer contains its secret. */
export const CreateApiToken = graphql(`
  mutation CreateApiToken($input: CreateApiTokenInput!) {
    createApiToken(input: $input) {
      id
      name
      token
      readOnly
      expiresAt
    }
  }
`);

/** New token including its secret. */
export type NewToken = NonNullable<ResultOf<typeof CreateApiToken>['createApiToken']>;

export const RevokeApiToken = graphql(`
  mutation RevokeApiToken($id: ID!) {
    revokeApiToken(id: $id)
  }
`);
