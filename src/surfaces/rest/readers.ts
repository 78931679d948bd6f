import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
} from 'graphql';
import { invalid } from '../../kit/errors.ts';
import { isSecretName } from '../secrets.ts';
import { flawIn } from '../storable.ts';
import type { Spelling } from './spelling.ts';

/** Checks a JSON value against a type of the shape and gives it as the executable schema takes it.
 *  @param at the field's name, for messages
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export type Reader = (value: unknown, at: string) => unknown;

/** Builds the reader of a type once, so that no request walks the schema. Nothing is coerced: a number in quotes is a
 *  wrong type. */
function readerOf(type: GraphQLInputType, spelling: Spelling): Reader {
  if (isNonNullType(type)) return required(readerOf(type.ofType, spelling));
  const read = nullableReaderOf(type, spelling);
  return (value, at) => (value === null ? null : read(value, at));
}

/** Builds the reader of an argument once. A text whose document lists its words takes no others; a list whose document
 *  also allows something else (`anyOf`) takes a bare item for a list of one, as GraphQL does everywhere. */
export function argumentReaderOf(argument: GraphQLArgument, spelling: Spelling): Reader {
  const read = readerOf(argument.type, spelling);
  const own = argument.extensions['jsonSchema'];
  if (typeof own === 'object' && own !== null && 'anyOf' in own && isListType(getNullableType(argument.type)))
    return (value, at) => read(typeof value === 'string' ? [value] : value, at);
  const words: unknown = typeof own === 'object' && own !== null && 'enum' in own ? own.enum : null;
  if (!Array.isArray(words)) return read;
  return (value, at) => {
    if (typeof value !== 'string' || words.includes(value)) return read(value, at);
    throw invalid(`${at} must be one of ${words.join(', ')}, not ${show(value, at)}`);
  };
}

function nullableReaderOf(type: Exclude<GraphQLInputType, { ofType: never }>, spelling: Spelling): Reader {
  if (isListType(type)) return listReader(readerOf(type.ofType, spelling));
  if (isInputObjectType(type)) return objectReader(type, spelling);
  if (isEnumType(type)) return (value, at) => enumValue(type, value, at);
  return isNonNullType(type) ? readerOf(type, spelling) : (value, at) => scalarValue(type, value, at);
}

function required(read: Reader): Reader {
  return (value, at) => {
    if (value === null) throw invalid(`${at} must not be null`);
    return read(value, at);
  };
}

function listReader(read: Reader): Reader {
  return (value, at) => {
    if (!Array.isArray(value)) throw invalid(`${at} must be a list, not ${show(value, at)}`);
    return value.map((item: unknown, index) => read(item, `${at}[${index}]`));
  };
}

function objectReader(type: GraphQLInputObjectType, spelling: Spelling): Reader {
  const fields = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    original: spelling.original(type.name, field.name),
    isRequired: isNonNullType(field.type) && field.defaultValue === undefined,
    // Types may refer to themselves, so a field's reader is built when it is first needed.
    read: lazily(() => readerOf(field.type, spelling)),
  }));
  const names = new Set(fields.map((field) => field.name));
  return (value, at) => {
    const object = jsonObject(value, at);
    for (const key of Object.keys(object)) if (!names.has(key)) throw invalid(`${at}.${key} is not a known field`);
    const result: Record<string, unknown> = {};
    for (const { name, original, isRequired, read } of fields) {
      if (Object.hasOwn(object, name)) result[original] = read(object[name], `${at}.${name}`);
      else if (isRequired) throw invalid(`${at}.${name} is required`);
    }
    return result;
  };
}

/** Takes a JSON object apart. @throws {AppError} VALIDATION_ERROR when it is anything else */
export function jsonObject(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw invalid(`${at} must be a JSON object, not ${show(value, at)}`);
}

function enumValue(type: GraphQLEnumType, value: unknown, at: string): string {
  if (typeof value === 'string' && type.getValue(value)) return value;
  const names = type.getValues().map((known) => known.name);
  throw invalid(`${at} must be one of ${names.join(', ')}, not ${show(value, at)}`);
}

/** What a value that is none of GraphQL's integers should have been. */
function wholeNumber(value: unknown): string {
  return Number.isInteger(value) ? 'a whole number below 2147483648' : 'a whole number';
}

function scalarValue(type: GraphQLScalarType, value: unknown, at: string): unknown {
  switch (type.name) {
    case 'ID':
      // Whatever an id holds, it is one that does not exist.
      return text(value, at);
    case 'String':
      return storable(text(value, at), at);
    case 'Boolean':
      if (typeof value === 'boolean') return value;
      throw invalid(`${at} must be true or false, not ${show(value, at)}`);
    case 'Int':
      if (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31) return value;
      throw invalid(`${at} must be ${wholeNumber(value)}, not ${show(value, at)}`);
    case 'JSON':
      // It may be credentials, so the message does not repeat it.
      if (typeof value === 'object' && !Array.isArray(value)) return storable(value, at);
      throw invalid(`${at} must be a JSON object`);
    case 'Float':
      if (typeof value === 'number') return value;
      throw invalid(`${at} must be a number, not ${show(value, at)}`);
    default:
      return customValue(type, value, at);
  }
}

function text(value: unknown, at: string): string {
  if (typeof value !== 'string') throw invalid(`${at} must be a string, not ${show(value, at)}`);
  return value;
}

/** @throws {AppError} VALIDATION_ERROR for a text that PostgreSQL cannot hold */
function storable<Value>(value: Value, at: string): Value {
  const flaw = flawIn(value);
  if (flaw !== null) throw invalid(`${at} must not hold ${flaw}`);
  return value;
}

/** The scalar judges; the value goes on as it came, because the executable schema parses it again. */
function customValue(type: GraphQLScalarType, value: unknown, at: string): unknown {
  storable(value, at);
  try {
    type.parseValue(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'is not valid';
    throw invalid(reason.startsWith('must') ? `${at} ${reason}, not ${show(value, at)}` : `${at}: ${reason}`);
  }
  return value;
}

/** A value as a message may show it: short, and of a container or what may be a secret only its kind.
 *  @param at the field's name */
export function show(value: unknown, at: string): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (isSecretName(at)) return `a ${typeof value === 'string' ? 'text' : typeof value}`;
  const json = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return json.length > 80 ? `${json.slice(0, 77)}…` : json;
}

function lazily(make: () => Reader): Reader {
  let made: Reader | undefined;
  return (value, at) => (made ??= make())(value, at);
}
