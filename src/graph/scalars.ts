import { GraphQLJSONObject } from 'graphql-scalars';
import { GraphQLScalarType, Kind } from 'graphql';
import { parseDay, parseMonth, type Day, type Month } from '../kit/time/period.ts';

/** A calendar day in UTC. The internal type is `Day`. */
export const DayScalar = new GraphQLScalarType<Day, string>({
  name: 'Date',
  description: 'A calendar day in UTC, as `YYYY-MM-DD`, in the years 1000 to 9990.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: day,
  parseValue: day,
  parseLiteral: (node) => day(node.kind === Kind.STRING ? node.value : undefined),
  extensions: { jsonSchema: { type: 'string', format: 'date' }, expects: 'a day such as "2026-01-31"' },
});

/** A calendar month in UTC. The internal type is `Month`. */
export const MonthScalar = new GraphQLScalarType<Month, string>({
  name: 'Month',
  description: 'A calendar month in UTC, as `YYYY-MM`, in the years 1000 to 9990.',
  specifiedByURL: 'https://www.w3.org/TR/NOTE-datetime',
  serialize: month,
  parseValue: month,
  parseLiteral: (node) => month(node.kind === Kind.STRING ? node.value : undefined),
  extensions: {
    jsonSchema: { type: 'string', pattern: '^[1-9]\\d{3}-(0[1-9]|1[0-2])$' },
    expects: 'a month such as "2026-01"',
  },
});

/** A timestamp. The internal type is `Date`. */
export const DateTimeScalar = new GraphQLScalarType<Date, Date>({
  name: 'DateTime',
  description: 'A timestamp in UTC, ISO 8601 with `Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: instant,
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
  extensions: {
    jsonSchema: { type: 'string', format: 'date-time' },
    expects: 'a timestamp such as "2026-01-31T12:00:00Z"',
  },
});

/** Any JSON value, as a component of the OpenAPI document referenced by `JSON`. */
export const jsonValueSchema = {
  name: 'JsonValue',
  schema: {
    description: 'Any JSON value.',
    anyOf: [
      { type: 'string', nullable: true },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: { $ref: '#/components/schemas/JsonValue' } },
      { type: 'object', additionalProperties: { $ref: '#/components/schemas/JsonValue' } },
    ],
  },
} as const;

/** A JSON object with keys from the client or provider, which are never respelled. */
export const JsonScalar = renamed(GraphQLJSONObject, {
  name: 'JSON',
  description: 'A JSON object. Its keys are kept as given.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  extensions: {
    jsonSchema: {
      type: 'object',
      additionalProperties: { $ref: `#/components/schemas/${jsonValueSchema.name}` },
    },
  },
});

/** A JSON object from a column that contains nothing else. */
export function jsonObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** A JSON number. Exact internal decimals are converted to the nearest number here, once. */
export const DecimalScalar = new GraphQLScalarType<number, number>({
  name: 'Decimal',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  description: 'A number. Money is rounded to 6 decimals, percentages to 2.',
  serialize: (value) => finite(Number(value)),
  parseValue: finite,
  parseLiteral: (node) => finite(node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined),
  extensions: { jsonSchema: { type: 'number' }, expects: 'a finite number' },
});

function renamed<I, O>(
  scalar: GraphQLScalarType<I, O>,
  own: { name: string; description: string; specifiedByURL: string; extensions: object },
) {
  return new GraphQLScalarType<I, O>({ ...scalar.toConfig(), ...own, extensions: { ...own.extensions } });
}

function day(value: unknown): Day {
  const parsed = typeof value === 'string' ? parseDay(value) : null;
  if (parsed) return parsed;
  throw new TypeError('not a day such as "2026-01-31"');
}

function month(value: unknown): Month {
  const parsed = typeof value === 'string' ? parseMonth(value) : null;
  if (parsed) return parsed;
  throw new TypeError('not a month such as "2026-01"');
}

/** RFC 3339, section 5.6, without leap seconds, which `Date` does not support, and with at most nanosecond
 *  precision. */
const instantFormat =
  /^\d{4}-\d{2}-(?<date>\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The end of year 9999 in UTC; an offset could exceed it. */
const lastInstant = Date.UTC(10_000, 0) - 1;

function instant(value: unknown): Date {
  const parsed = typeof value === 'string' ? parseInstant(value) : value;
  if (parsed instanceof Date && parsed.getTime() <= lastInstant) return parsed;
  throw new TypeError('not a timestamp such as "2026-01-31T12:00:00Z"');
}

function parseInstant(text: string): Date | null {
  const date = instantFormat.exec(text)?.groups?.['date'];
  // Date parses February 30 as March 2.
  const isOfMonth = date !== undefined && new Date(text.slice(0, 10)).getUTCDate() === Number(date);
  return isOfMonth ? new Date(text.toUpperCase()) : null;
}

function finite(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError('not a finite number');
}
