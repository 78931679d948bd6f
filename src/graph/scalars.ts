import { GraphQLDateTime, GraphQLJSONObject } from 'graphql-scalars';
import { GraphQLScalarType, Kind } from 'graphql';
import { parseDay, parseMonth, type Day, type Month } from '../kit/period.ts';

/** A calendar day in UTC. Inside it is a `Day`. */
export const DayScalar = new GraphQLScalarType<Day, string>({
  name: 'Date',
  description: 'A calendar day in UTC, as `YYYY-MM-DD`.',
  serialize: day,
  parseValue: day,
  parseLiteral: (node) => day(node.kind === Kind.STRING ? node.value : undefined),
  extensions: { jsonSchema: { type: 'string', format: 'date' } },
});

/** A calendar month in UTC. Inside it is a `Month`. */
export const MonthScalar = new GraphQLScalarType<Month, string>({
  name: 'Month',
  description: 'A calendar month in UTC, as `YYYY-MM`.',
  serialize: month,
  parseValue: month,
  parseLiteral: (node) => month(node.kind === Kind.STRING ? node.value : undefined),
  extensions: { jsonSchema: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' } },
});

/** An instant. Inside it is a `Date`. */
export const DateTimeScalar = renamed(GraphQLDateTime, 'DateTime', 'An instant in UTC, ISO 8601 with `Z`.', {
  jsonSchema: { type: 'string', format: 'date-time' },
});

/** A JSON object whose keys are the client's or the provider's own: never respelled. */
export const JsonScalar = renamed(GraphQLJSONObject, 'JSON', 'A JSON object; its keys are passed on as they are.', {
  jsonSchema: { type: 'object', additionalProperties: true },
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
  return new GraphQLScalarType<I, O>({
    ...config,
    name,
    description,
    specifiedByURL: null,
    extensions: { ...extensions },
  });
}

function day(value: unknown): Day {
  const parsed = typeof value === 'string' ? parseDay(value) : null;
  if (parsed) return parsed;
  throw new TypeError('must be a day such as "2026-01-31"');
}

function month(value: unknown): Month {
  const parsed = typeof value === 'string' ? parseMonth(value) : null;
  if (parsed) return parsed;
  throw new TypeError('must be a month such as "2026-01"');
}

function finite(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError('must be a finite number');
}
