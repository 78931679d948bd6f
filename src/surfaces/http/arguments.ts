import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { boundsOf, generalLimits, itemBounds, type Bounds } from '../../graph/bounded.ts';
import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { blank } from '../../kit/errors/refusals.ts';
import { inputName } from './input.ts';
import { snakeOf } from '../../kit/text/case.ts';

type Argument = GraphQLArgument | GraphQLInputField;

/** Whether an argument is a filter that must not be blank, such as `?account_id=`: it would match nothing, and is
 *  usually an unset variable of a script. Text arguments that may be blank declare `extensions: { allowsBlank: true
 *  }`. */
export function refusesBlank({ type, extensions }: Pick<Argument, 'type' | 'extensions'>): boolean {
  const isFilter = ['String', 'ID'].includes(getNamedType(type).name) && !isNonNullType(type);
  return (isFilter || isListType(type)) && extensions['allowsBlank'] !== true;
}

/** Rejects a blank filter and an empty list of filter values. A list of objects may be empty: it is not a filter but
 *  a grouping.
 *  @throws {AppError} VALIDATION_ERROR naming the argument */
export function refuseBlank(argument: Pick<Argument, 'name' | 'type' | 'extensions'>, value: unknown): void {
  if (Array.isArray(value) && value.length === 0 && isLeafType(getNamedType(argument.type)))
    throw invalid`${arg(snakeOf(argument.name))} is an empty list${fix}give at least one value, or leave it out`;
  if (!refusesBlank(argument)) return;
  const values = [value].flat();
  const index = values.findIndex((text) => typeof text === 'string' && text.trim() === '');
  const at = `${snakeOf(argument.name)}${Array.isArray(value) ? `[${index}]` : ''}`;
  if (index !== -1) throw blank(arg(at, String(values[index])));
}

/** Whether an input field changes something: preconditions, such as `if_unmodified_since`, do not. */
export function isChange(field: string): boolean {
  return !field.startsWith('if_');
}

/** Rejects the `input` of an update without any changes. REST rejects such a body earlier.
 *  @throws {AppError} VALIDATION_ERROR naming the accepted fields */
export function refuseUnchanged({ name, type }: Argument, value: unknown): void {
  const input = getNamedType(type);
  if (name !== inputName || !isInputObjectType(input) || Object.keys(Object(value)).length > 0) return;
  const fields = Object.keys(input.getFields()).map(snakeOf).filter(isChange);
  throw invalid`${arg(inputName)} has no changes${fix}send at least one of ${mention(...fields)}`;
}

/** Rejects strings, lists and free-form objects beyond the general limits, at any depth; those with their own limits
 *  are checked elsewhere.
 *  @throws {AppError} VALIDATION_ERROR naming the argument, without the `input` that wraps fields in GraphQL */
export function refuseLarge(argument: Pick<Argument, 'name' | 'type' | 'extensions'>, value: unknown): void {
  const type = getNullableType(argument.type);
  if (argument.name === inputName && isInputObjectType(type)) return refuseFields(type, value, '');
  refuse(argument.type, boundsOf(argument), value, snakeOf(argument.name));
}

function refuseFields(type: GraphQLInputObjectType, value: unknown, before: string): void {
  for (const field of Object.values(type.getFields()))
    refuse(field.type, boundsOf(field), Reflect.get(Object(value), field.name), `${before}${snakeOf(field.name)}`);
}

function refuse(type: GraphQLInputType, own: Bounds, value: unknown, at: string): void {
  const bare = getNullableType(type);
  if (value === null || value === undefined) return;
  if (isListType(bare)) {
    if (!Array.isArray(value)) return refuse(bare.ofType, itemBounds(own), value, at);
    const maxItems = Number(own['maxItems'] ?? generalLimits.maxItems);
    // Lists with their own limit are only rejected far above it: the validation of their field has a better message.
    const most = 'maxItems' in own ? Math.max(2 * maxItems, generalLimits.maxItems) : maxItems;
    if (value.length > most) throw invalid`${arg(at)} has ${value.length} items; at most ${maxItems} are allowed`;
    value.forEach((item: unknown, index) => refuse(bare.ofType, itemBounds(own), item, `${at}[${index}]`));
  } else if (isInputObjectType(bare)) {
    refuseFields(bare, value, `${at}.`);
  } else if (bare.name === 'String' && typeof value === 'string' && !('maxLength' in own || 'enum' in own)) {
    const { maxLength } = generalLimits;
    if (value.length > maxLength && [...value].length > maxLength)
      throw invalid`${arg(at)} has ${[...value].length} characters; at most ${maxLength} are allowed`;
  } else if (bare.name === 'JSON') {
    const { maxProperties } = generalLimits;
    const count = Object.keys(Object(value)).length;
    if (count > maxProperties) throw invalid`${arg(at)} has ${count} keys; at most ${maxProperties} are allowed`;
  }
}
