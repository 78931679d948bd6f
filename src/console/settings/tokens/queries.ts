import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';

const ApiTokenRow = graphql(`
  fragment ApiTokenRow on ApiToken {
    id
    name
    lastFour
    readOnly
    createdAt
    expiresAt
    lastUsedAt
  }
`);

/** The caller's API tokens in this organization. */
export const ApiTokens = graphql(operations.apiTokens, [ApiTokenRow]);

/** API token in the list. */
export type ApiToken = ResultOf<typeof ApiTokenRow>;

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

export const RevokeApiToken = graphql(operations.revokeApiToken);
