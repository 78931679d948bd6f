import { initGraphQLTada, type ResultOf } from 'gql.tada';
import type { introspection } from '../../../schema/graphql-env.d.ts';

/** Parses a GraphQL document; the schema types its result and variables. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    /** Calendar day in UTC, `YYYY-MM-DD`. */
    Date: string;
    /** Instant, ISO 8601. */
    DateTime: string;
    /** Money and percentages, as JSON numbers. */
    Decimal: number;
    JSON: Readonly<Record<string, unknown>>;
    /** `YYYY-MM`. */
    Month: string;
  };
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';

type Answered<Query> = ResultOf<Query>[keyof ResultOf<Query>];

/** The record that a query returns, or a row of the list that it returns. */
export type RecordOf<Query> =
  NonNullable<Answered<Query>> extends { data: readonly (infer Row)[] } ? Row : NonNullable<Answered<Query>>;
