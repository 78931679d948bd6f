import { graphql, type ResultOf } from '../../api/graphql.ts';

/** The caller's tokens in this organization. */
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

/** A token of the list. */
export type ApiToken = NonNullable<ResultOf<typeof ApiTokens>['apiTokens']>['data'][number];

/** Makes a token; its text is in this answer and nowhere else. */
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

/** A token at the only moment when it can be read. */
export type NewToken = NonNullable<ResultOf<typeof CreateApiToken>['createApiToken']>;

/** Revokes a token. */
export const RevokeApiToken = graphql(`
  mutation RevokeApiToken($id: ID!) {
    revokeApiToken(id: $id)
  }
`);
