import { GraphQLDateTime, GraphQLJSONObject, GraphQLLocalDate } from 'graphql-scalars';
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** A calendar day in UTC. Inside it is the same string. */
export const DayScalar = renamed(GraphQLLocalDate, 'Date', 'A calendar day in UTC, as `YYYY-MM-DD`.', {
  jsonSchema: { type: 'string', format: 'date' },
});

/** An instant. Inside it is a `Date`. */
export const DateTimeScalar = renamed(GraphQLDateTime, 'DateTime', 'An instant in UTC, ISO 8601 with `Z`.', {
  jsonSchema: { type: 'string', format: 'date-time' },
});

/** A JSON object whose keys are the client's or the provider's own: never respelled. */
export const JsonScalar = renamed(GraphQLJSONObject, 'JSON', 'A JSON object; its keys are passed on as they are.', {
  jsonSchema: { type: 'object', additionalProperties: true },
});

/** A calendar month in UTC. Inside it is the same string. */
export const MonthScalar = new GraphQLScalarType<string, string>({
  name: 'Month',
  description: 'A calendar month in UTC, as `YYYY-MM`.',
  serialize: parseMonth,
  parseValue: parseMonth,
  parseLiteral: (node) => parseMonth(node.kind === Kind.STRING ? node.value : undefined),
  extensions: { jsonSchema: { type: 'string', pattern: MONTH.source } },
});

/** A JSON number at the edge. Exact decimals inside are turned into the nearest number here, once. */
export const DecimalScalar = new GraphQLScalarType<number, number>({
  name: 'Decimal',
  description: 'A number. Money is rounded to 6 decimals, percentages to 2.',
  serialize: (value) => finite(Number(value)),
  parseValue: finite,
  parseLiteral: (node) => finite(node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined),
  extensions: { jsonSchema: { type: 'number' } },
});

function renamed<I, O>(scalar: GraphQLScalarType<I, O>, name: string, description: string, extensions: object) {
  const config = scalar.toConfig();
  return new GraphQLScalarType<I, O>({ ...config, name, description, specifiedByURL: null, extensions: { ...extensions } });
}

function parseMonth(value: unknown): string {
  if (typeof value === 'string' && MONTH.test(value)) return value;
  throw new GraphQLError('Month must be a string such as "2026-01"');
}

function finite(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new GraphQLError('Decimal must be a finite number');
}
