import {
  getNullableType,
  GraphQLString,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
} from 'graphql';
import { boundsOf } from '../../../graph/bounded.ts';
import { arg, fix, invalid, not, type Given } from '../../../kit/errors/errors.ts';
import { isSecretName } from '../../http/secrets.ts';
import { flawIn } from '../../http/storable.ts';
import { textOf, type Spelling } from '../sofa/spelling.ts';

/** Validates a JSON value against a type of the shape and converts it for the executable schema.
 *  @param at name of the field, for messages
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export type Reader = (value: unknown, at: string) => unknown;

/** Builds the reader of a type once, so that requests do not walk the schema. Nothing is coerced: a number in quotes
 *  has the wrong type. */
function readerOf(type: GraphQLInputType, spelling: Spelling): Reader {
  if (isNonNullType(type)) return presentReaderOf(type.ofType, spelling);
  const read = presentReaderOf(type, spelling);
  return (value, at) => (value === null ? null : read(value, at));
}

/** Builds the reader of an argument or input field once.
 *  @param isQuery whether a single item is accepted as a list. In a body, only a string is, and only if the list
 *  declares it (`listOrItem` of graph/bounded.ts) */
export function fieldReaderOf(field: GraphQLArgument | GraphQLInputField, spelling: Spelling, isQuery = false): Reader {
  const read = readerOf(field.type, spelling);
  const list = getNullableType(field.type);
  if (!isListType(list)) return read;
  const takesText = boundsOf(field)['takesItem'] === true;
  const isItem = (value: unknown) => (isQuery ? !Array.isArray(value) : takesText && typeof value === 'string');
  const readItem = readerOf(list.ofType, spelling);
  return (value, at) => (isItem(value) ? [readItem(value, at)] : read(value, at));
}

/** Builds the reader of a non-null value. */
function presentReaderOf(type: GraphQLInputType, spelling: Spelling): Reader {
  if (isListType(type)) return listReader(readerOf(type.ofType, spelling));
  if (isInputObjectType(type)) return objectReader(type, spelling);
  if (isEnumType(type)) return enumReader(type);
  return isNonNullType(type) ? readerOf(type, spelling) : (value, at) => scalarValue(type, value, at);
}

function listReader(read: Reader): Reader {
  return (value, at) => {
    if (!Array.isArray(value)) throw invalid`${arg(at, givenAs(value, at))} must be a list`;
    return value.map((item: unknown, index) => read(item, `${at}[${index}]`));
  };
}

function objectReader(type: GraphQLInputObjectType, spelling: Spelling): Reader {
  const fields = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    original: spelling.original(type.name, field.name),
    isRequired: isNonNullType(field.type) && field.defaultValue === undefined,
    // Types may be recursive, so a field's reader is built on first use.
    read: lazily(() => fieldReaderOf(field, spelling)),
  }));
  const names = new Set(fields.map((field) => field.name));
  return (value, at) => {
    const object = objectOf(value);
    if (!object) throw invalid`${arg(at, givenAs(value, at))} must be a JSON object`;
    for (const key of Object.keys(object))
      if (!names.has(key))
        throw invalid`${arg(`${at}.${key.slice(0, 80)}`)} is not a known field${fix}use ${[...names].join(', ')}`;
    const result: Record<string, unknown> = {};
    for (const { name, original, isRequired, read } of fields) {
      if (Object.hasOwn(object, name)) result[original] = read(object[name], `${at}.${name}`);
      else if (isRequired) throw invalid`${arg(`${at}.${name}`)} is required`;
    }
    return result;
  };
}

/** The entries of a JSON object; null for anything else. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function enumReader(type: GraphQLEnumType): Reader {
  const names = new Map<unknown, string>(type.getValues().map((known) => [textOf(known), known.name]));
  return (value, at) => {
    const name = names.get(value);
    if (name !== undefined) return name;
    throw invalid`${arg(at, givenAs(value, at))} must be one of ${[...names.keys()].join(', ')}`;
  };
}

function scalarValue(type: GraphQLScalarType, value: unknown, at: string): unknown {
  switch (type.name) {
    case 'ID':
      // A malformed id is treated as one that does not exist.
      return text(value, at);
    case 'String':
      return storable(text(value, at), at);
    case 'Boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'Int':
      if (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31) return value;
      break;
    case 'JSON':
      if (objectOf(value)) return storable(value, at);
      // The value may be credentials, so the message does not repeat it.
      throw invalid`${arg(at, not(showKind(value), null))} must be ${kindOf(type, value)}`;
    case 'Float':
      if (Number.isFinite(value)) return value;
      break;
    default:
      return customValue(type, value, at);
  }
  throw invalid`${arg(at, givenAs(value, at))} must be ${kindOf(type, value)}`;
}

function text(value: unknown, at: string): string {
  if (typeof value !== 'string') throw invalid`${arg(at, givenAs(value, at))} must be ${kindOf(GraphQLString, value)}`;
  return value;
}

/** The expected kind of value for a scalar, as a continuation of "must be …". */
export function kindOf(type: GraphQLScalarType, value: unknown): string {
  switch (type.name) {
    case 'ID':
    case 'String':
      return 'a string';
    case 'Boolean':
      return 'true or false';
    case 'Int':
      return isLarge(value) ? 'a whole number below 2147483648' : 'a whole number';
    case 'Float':
      return 'a number';
    case 'JSON':
      return 'a JSON object';
    default:
      return customKind(type);
  }
}

/** Whether a value is an integer, including query strings with integers too large to be exact. */
function isLarge(value: unknown): boolean {
  return Number.isInteger(value) || (typeof value === 'string' && /^-?\d{10,}$/.test(value));
}

/** Custom scalars declare what they expect. */
function customKind({ name, extensions }: GraphQLScalarType): string {
  const { expects } = extensions;
  return typeof expects === 'string' ? expects : `a ${name}`;
}

/** @throws {AppError} VALIDATION_ERROR for a string that PostgreSQL cannot store */
function storable<Value>(value: Value, at: string): Value {
  const flaw = flawIn(value);
  if (flaw !== null) throw invalid`${arg(at)} must not contain ${flaw}`;
  return value;
}

/** The scalar only validates here; the original value is passed on, because the executable schema parses it again. */
function customValue(type: GraphQLScalarType, value: unknown, at: string): unknown {
  storable(value, at);
  try {
    type.parseValue(value);
  } catch {
    throw invalid`${arg(at, givenAs(value, at))} must be ${kindOf(type, value)}`;
  }
  return value;
}

/** A value that an error repeats after its reason, as far as allowed.
 *  @param at name of the field */
export function givenAs(value: unknown, at: string): Given {
  const isRepeated = !isSecretName(at) && (typeof value !== 'object' || value === null) && value !== undefined;
  return not(show(value, at), isRepeated ? String(value) : null);
}

/** Formats a value for a message: truncated, and only its kind for containers and possible secrets.
 *  @param at name of the field */
export function show(value: unknown, at: string): string {
  if (isSecretName(at) || (typeof value === 'object' && value !== null)) return showKind(value);
  if (value === undefined) return 'nothing';
  const json = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return json.length > 80 ? `${json.slice(0, 77)}…` : json;
}

/** The kind of a value, for messages that must not show the value itself. */
export function showKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function lazily(make: () => Reader): Reader {
  let made: Reader | undefined;
  return (value, at) => (made ??= make())(value, at);
}
