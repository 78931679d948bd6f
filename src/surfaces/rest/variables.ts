import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
} from 'graphql';
import { invalid } from '../../kit/errors.ts';
import type { FlatArguments, RestRoute } from '../../graph/rest.ts';
import { parseSearch, textReaderOf, type TextReader } from './query.ts';
import { argumentReaderOf, jsonObject, type Reader } from './readers.ts';
import { takesBody } from './route.ts';
import type { Spelling } from './spelling.ts';

/** Where one argument of an operation comes from. */
export type Place = 'path' | 'query' | 'body';

/** One argument of an operation in REST. */
export interface Parameter {
  readonly name: string;
  readonly place: Place;
  readonly isRequired: boolean;
  readonly argument: GraphQLArgument;
  readonly read: Reader;
  readonly readText: TextReader;
}

/** What a request brings. */
export interface RequestInput {
  readonly path: Readonly<Record<string, string | string[] | undefined>>;
  /** The raw query string. */
  readonly search: string;
  /** Parsed JSON; undefined when there was no body. */
  readonly body: unknown;
}

/** The parameters of a root field of the shape: in the path when it names them, else in the body of POST, PUT and PATCH,
 *  else in the query. */
export function parametersOf(field: GraphQLField<unknown, unknown>, route: RestRoute, spelling: Spelling): Parameter[] {
  const hasBody = takesBody(route);
  const own = field.args.filter(({ name }) => !route.flat?.replaces.includes(name));
  const flat = (route.flat?.parameters ?? []).map((parameter) => textArgument(parameter, route));
  return [...own, ...flat].map((argument) => ({
    name: argument.name,
    place: route.path.includes(`{${argument.name}}`) ? 'path' : hasBody ? 'body' : 'query',
    isRequired: isNonNullType(argument.type) && argument.defaultValue === undefined,
    argument,
    read: argumentReaderOf(argument, spelling),
    readText: textReaderOf(argument.type),
  }));
}

/** A parameter that stands for arguments, as an argument that is text: required in the path, a list in the query. */
function textArgument({ name, description }: FlatArguments['parameters'][number], route: RestRoute): GraphQLArgument {
  const text = new GraphQLNonNull(GraphQLString);
  return {
    name,
    description,
    type: route.path.includes(`{${name}}`) ? text : new GraphQLList(text),
    defaultValue: undefined,
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
  };
}

/** Reads a request's variables, strictly: absent stays absent, null stays null, and what nobody asked for is refused.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function readVariables(
  parameters: readonly Parameter[],
  route: RestRoute,
  input: RequestInput,
): Record<string, unknown> {
  const query = parseSearch(input.search);
  const body = bodyFields(parameters, route, input.body);
  refuseUnknown(query.keys(), parameters, 'query');
  refuseUnknown(Object.keys(body), parameters, 'body');
  const variables: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const given = givenValue(parameter, { path: input.path, query, body });
    if (given !== undefined) variables[parameter.name] = parameter.read(given, parameter.name);
    else if (parameter.isRequired) throw invalid(`${parameter.name} is required`);
  }
  return route.flat ? withFlat(variables, route.flat) : variables;
}

/** Puts the arguments in the place of the parameters that stand for them. */
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

interface Sources {
  path: RequestInput['path'];
  query: ReadonlyMap<string, readonly string[]>;
  body: Readonly<Record<string, unknown>>;
}

/** Undefined when it was not given. */
function givenValue({ name, place, readText, argument }: Parameter, { path, query, body }: Sources): unknown {
  if (place === 'body') return Object.hasOwn(body, name) ? body[name] : undefined;
  const texts = place === 'path' ? path[name] : query.get(name);
  if (texts === undefined) return undefined;
  const value = readText(typeof texts === 'string' ? [texts] : texts, name);
  if (Array.isArray(value) && value.includes('') && argument.extensions['allowsEmpty'] !== true)
    throw invalid(`${name} has an empty value; give a value, or leave the parameter out`);
  return value;
}

function bodyFields(
  parameters: readonly Parameter[],
  route: RestRoute,
  body: unknown,
): Readonly<Record<string, unknown>> {
  const fields = body === undefined ? {} : jsonObject(body, 'The body');
  const names = parameters.filter((parameter) => parameter.place === 'body').map((parameter) => parameter.name);
  if (route.method === 'PATCH' && Object.keys(fields).length === 0) {
    throw invalid(`The body names nothing to change; it takes ${names.join(', ')}`);
  }
  return fields;
}

function refuseUnknown(names: Iterable<string>, parameters: readonly Parameter[], place: 'query' | 'body'): void {
  for (const name of names) {
    if (parameters.some((parameter) => parameter.name === name && parameter.place === place)) continue;
    const known = parameters.filter((parameter) => parameter.place === place).map((parameter) => parameter.name);
    const kind = place === 'query' ? 'parameter' : 'field of the body';
    const takes = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
    throw invalid(`${name.slice(0, 80)} is not a known ${kind}; ${takes}`);
  }
}
