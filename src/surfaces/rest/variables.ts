import { isNonNullType, type GraphQLArgument, type GraphQLField } from 'graphql';
import { invalid } from '../../kit/errors.ts';
import type { RestRoute } from '../../graph/rest.ts';
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
  return field.args.map((argument) => ({
    name: argument.name,
    place: route.path.includes(`{${argument.name}}`) ? 'path' : hasBody ? 'body' : 'query',
    isRequired: isNonNullType(argument.type) && argument.defaultValue === undefined,
    argument,
    read: argumentReaderOf(argument, spelling),
    readText: textReaderOf(argument.type),
  }));
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
  return variables;
}

interface Sources {
  path: RequestInput['path'];
  query: ReadonlyMap<string, readonly string[]>;
  body: Readonly<Record<string, unknown>>;
}

/** Undefined when it was not given. */
function givenValue({ name, place, readText }: Parameter, { path, query, body }: Sources): unknown {
  if (place === 'body') return Object.hasOwn(body, name) ? body[name] : undefined;
  const texts = place === 'path' ? path[name] : query.get(name);
  return texts === undefined ? undefined : readText(typeof texts === 'string' ? [texts] : texts, name);
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
