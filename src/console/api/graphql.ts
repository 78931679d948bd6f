import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../../../schema/graphql-env.d.ts';

/** Reads a GraphQL document; its answer and its variables are typed by the API's schema. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    /** A calendar day in UTC, `YYYY-MM-DD`. */
    Date: string;
    /** An instant, ISO 8601. */
    DateTime: string;
    /** Money and percentages, as JSON numbers. */
    Decimal: number;
    JSON: Readonly<Record<string, unknown>>;
    /** `YYYY-MM`. */
    Month: string;
  };
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';
