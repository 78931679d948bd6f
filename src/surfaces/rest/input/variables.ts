import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';
import { arg, fix, invalid, mention, phrase } from '../../../kit/errors/errors.ts';
import type { FlatArguments, FlatParameter, RestRoute } from '../../../graph/rest.ts';
import { isChange, refuseBlank, refuseLarge } from '../../http/arguments.ts';
import { inputName, inputOf } from '../../http/input.ts';
import { textReaderOf, type Query, type TextReader } from './query.ts';
import { fieldReaderOf, objectOf, show, type Reader } from './readers.ts';
import { takesBody } from '../route.ts';
import type { Spelling } from '../sofa/spelling.ts';

/** Location of an argument in a request. */
export type Place = 'path' | 'query' | 'body';

/** An argument of an operation in REST: an argument of its root field, or a field of the `input` argument. */
export interface Parameter {
  readonly name: string;
  readonly place: Place;
  readonly isRequired: boolean;
  readonly argument: GraphQLArgument | GraphQLInputField;
  /** The schema's name for a field of `input`; null for an argument of the root field. */
  readonly inputField: string | null;
  readonly read: Reader;
  readonly readText: TextReader;
}

/** The raw input of a request. */
export interface RequestInput {
  readonly path: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Query;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

/** The parameters of a root field of the shape: in the path if it names them, otherwise in the body of POST, PUT and
 *  PATCH, otherwise in the query. The fields of `input` are in the body.
 *  @throws {Error} if an argument and a field of `input` have the same name */
export function parametersOf(field: GraphQLField<unknown, unknown>, route: RestRoute, spelling: Spelling): Parameter[] {
  const input = inputOf(field);
  const replaced = new Set([...(route.flat?.replaces ?? []), ...(input ? [inputName] : [])]);
  const own = field.args.filter(({ name }) => !replaced.has(name));
  const flat = (route.flat?.parameters ?? []).map((parameter) => textArgument(parameter, route));
  const fields = Object.values(input?.getFields() ?? {});
  const placeOf = ({ name }: GraphQLArgument): Place =>
    route.path.includes(`{${name}}`) ? 'path' : takesBody(route) ? 'body' : 'query';
  const parameters = [
    ...[...own, ...flat].map((argument) => parameterOf(argument, placeOf(argument), spelling)),
    ...fields.map((inner) => ({
      ...parameterOf(inner, 'body', spelling),
      inputField: spelling.original(input?.name ?? '', inner.name),
    })),
  ];
  refuseDoubles(field.name, parameters);
  return parameters;
}

function parameterOf(argument: Parameter['argument'], place: Place, spelling: Spelling): Parameter {
  return {
    name: argument.name,
    place,
    isRequired: isNonNullType(argument.type) && argument.defaultValue === undefined,
    argument,
    inputField: null,
    read: fieldReaderOf(argument, spelling, place === 'query'),
    readText: textReaderOf(argument.type),
  };
}

function refuseDoubles(field: string, parameters: readonly Parameter[]): void {
  const names = parameters.map(({ name }) => name);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`${field}: ${double} is both an argument and a field of ${inputName}`);
}

/** Represents a parameter that replaces arguments as a string argument: required in the path, a list in the query. */
function textArgument({ name, description, jsonSchema }: FlatParameter, route: RestRoute): GraphQLArgument {
  const text = new GraphQLNonNull(GraphQLString);
  return {
    name,
    description,
    type: route.path.includes(`{${name}}`) ? text : new GraphQLList(text),
    defaultValue: undefined,
    deprecationReason: undefined,
    extensions: jsonSchema ? { jsonSchema } : {},
    astNode: undefined,
  };
}

/** Reads a request's variables strictly: absent stays absent, null stays null, and unknown ones are rejected.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function readVariables(
  parameters: readonly Parameter[],
  route: RestRoute,
  input: RequestInput,
): Record<string, unknown> {
  const body = bodyFields(parameters, route, input.body);
  refuseUnknown(input.query.keys(), parameters, 'query');
  refuseUnknown(Object.keys(body), parameters, 'body');
  const variables: Record<string, unknown> = {};
  const fields: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const { name, inputField } = parameter;
    const given = givenValue(parameter, { ...input, body });
    if (given === undefined) {
      if (parameter.isRequired) throw invalid`${arg(name)} is required`;
      continue;
    }
    const value = parameter.read(given, name);
    if (inputField === null) variables[name] = value;
    else fields[inputField] = value;
  }
  if (parameters.some(({ inputField }) => inputField !== null)) variables[inputName] = fields;
  return route.flat ? withFlat(variables, route.flat) : variables;
}

/** Replaces flat parameters with the arguments that they stand for. */
function withFlat(variables: Record<string, unknown>, { parameters, read }: FlatArguments): Record<string, unknown> {
  const own = { ...variables };
  const given: Record<string, readonly string[]> = {};
  for (const { name } of parameters) {
    const value = own[name];
    delete own[name];
    if (typeof value === 'string') given[name] = [value];
    else if (Array.isArray(value)) given[name] = value.map(String);
  }
  return { ...own, ...read(given) };
}

interface Sources extends RequestInput {
  readonly body: Readonly<Record<string, unknown>>;
}

/** The value of a parameter; undefined if absent. */
function givenValue({ name, place, readText, argument }: Parameter, { path, query, body }: Sources): unknown {
  if (place === 'body') return Object.hasOwn(body, name) ? body[name] : undefined;
  const texts = place === 'path' ? path[name] : query.get(name);
  if (texts === undefined) return undefined;
  const value = readText(typeof texts === 'string' ? [texts] : texts, name);
  refuseBlank(argument, value);
  refuseLarge(argument, value);
  return value;
}

function bodyFields(
  parameters: readonly Parameter[],
  route: RestRoute,
  body: unknown,
): Readonly<Record<string, unknown>> {
  const fields = body === undefined ? {} : objectOf(body);
  if (fields === null) throw invalid`The body must be a JSON object, not ${show(body, 'body')}`;
  const names = parameters.filter((parameter) => parameter.place === 'body').map((parameter) => parameter.name);
  if (route.method === 'PATCH' && Object.keys(fields).length === 0) {
    throw invalid`The body has nothing to change${fix}send at least one of ${mention(...names.filter(isChange))}`;
  }
  return fields;
}

function refuseUnknown(names: Iterable<string>, parameters: readonly Parameter[], place: 'query' | 'body'): void {
  for (const name of names) {
    if (parameters.some((parameter) => parameter.name === name && parameter.place === place)) continue;
    const known = parameters.filter((parameter) => parameter.place === place).map((parameter) => parameter.name);
    const kind = place === 'query' ? 'parameter' : 'field of the body';
    const takes = known.length === 0 ? 'leave it out: this request takes none' : phrase`use ${mention(...known)}`;
    throw invalid`${arg(name.slice(0, 80))} is not a known ${kind}${fix}${takes}`;
  }
}
