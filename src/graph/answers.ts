import { FieldRef, type InterfaceRef, type ObjectRef } from '@pothos/core';
import type PrismaTypes from '../../prisma/generated/pothos.ts';
import { amountToNumber, parseAmount } from '../kit/money.ts';
import { Limiter } from '../kit/process/limiter.ts';
import { dayOf, type Day, type Month } from '../kit/time/period.ts';
import { arg, fix, invalid } from '../kit/errors/errors.ts';
import { nextTurn } from '../kit/turns.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { jsonObject } from './scalars.ts';

// Object types whose fields are plain properties. A field is declared once, for the schema and for TypeScript:
// `const DayType = answerType('DayCost', 'Cost of a day.', { date: day('The UTC day.') })`, `type DayCost =
// Answer<typeof DayType>`.

type Types = (typeof builder)['$inferSchemaTypes'];

/** A field of an answer. */
interface Field<Value> {
  readonly type: unknown;
  readonly description: string;
  readonly nullable?: true;
  /** Whether the items of the list are completed over several turns of the event loop, as for long lists and items with lists. */
  readonly inTurns?: boolean;
  /** Property of the parent, if not the name of the field. */
  readonly from?: string;
  /** Type inference only. */
  readonly value?: Value;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<One> = One extends Field<infer Value> ? Value : never;
/** The values of fields. */
export type Shape<All extends Fields> = {
  readonly [
    Name in keyof All as All[Name] extends { readonly from: infer Property extends string } ? Property : Name
  ]: ValueOf<All[Name]>;
};

/** Optional settings of a field: its bounds, its REST name, its complexity, how it is completed. */
type More = Pick<PothosSchemaTypes.FieldOptions<Types>, 'complexity' | 'extensions'> & Pick<Field<unknown>, 'inTurns'>;

/** The value type of an answer type. */
export type Answer<Ref extends { readonly $inferType: unknown }> = Ref['$inferType'];

function fieldOf<Value>(type: unknown) {
  return (description: string, more: More = {}): Field<Value> => ({ type, description, ...more });
}

export const text = fieldOf<string>('String');
export const texts = fieldOf<readonly string[]>(['String']);
export const uuid = fieldOf<string>('ID');
export const uuids = fieldOf<readonly string[]>(['ID']);
export const int = fieldOf<number>('Int');
export const float = fieldOf<number>('Float');
export const flag = fieldOf<boolean>('Boolean');
export const decimal = fieldOf<number>('Decimal');
export const day = fieldOf<Day>('Date');
export const days = fieldOf<readonly Day[]>(['Date']);
export const month = fieldOf<Month>('Month');
export const instant = fieldOf<Date>('DateTime');
export const json = fieldOf<object>('JSON');

/** A field of an enum or another answer type. */
export function of<Value>(type: { readonly $inferType: Value }, description: string, more: More = {}): Field<Value> {
  return { type, description, ...more };
}

/** A list of answers. */
export function listOf<Item>(
  item: { readonly $inferType: Item },
  description: string,
  more: More = {},
): Field<readonly Item[]> {
  return { type: [item], description, ...more };
}

/** A nullable field. */
export function orNull<Value>(field: Field<Value>): Field<Value | null> {
  return { ...field, nullable: true };
}

/** A field whose property has another name. */
export function from<Value, Property extends string>(
  property: Property,
  field: Field<Value>,
): Field<Value> & { readonly from: Property } {
  return { ...field, from: property };
}

/** Creates an object type; with an interface, it includes the interface's fields. */
export function answerType<All extends Fields, Shared extends object = object>(
  name: string,
  description: string,
  fields: All,
  shared?: InterfaceRef<Types, Shared>,
): ObjectRef<Types, Shared & Shape<All>> {
  return builder.objectRef<Shared & Shape<All>>(name).implement({
    description,
    ...(shared && { interfaces: [shared] as never }),
    fields: (t) => exposed(t, fields),
  });
}

/** Creates an interface shared by answers. */
export function answerInterface<All extends Fields>(
  name: string,
  description: string,
  fields: All,
): InterfaceRef<Types, Shape<All>> {
  return builder.interfaceRef<Shape<All>>(name).implement({ description, fields: (t) => exposed(t, fields) });
}

/** Converts fields for Pothos, which derives their value types from the parent type. */
export function exposed(
  t: { field(options: never): FieldRef<Types> },
  fields: Fields,
): Record<string, FieldRef<Types>> {
  const entries = Object.entries(fields).map(([name, field]) => {
    const { from: property = name, inTurns = false, ...options } = field;
    const resolve = (parent: Readonly<Record<string, unknown>>, _args: object, ctx: Context) => {
      const value = parent[property];
      return Array.isArray(value) ? listed(value, inTurns, ctx) : value;
    };
    return [name, t.field({ ...options, resolve } as never)];
  });
  return Object.fromEntries(entries) as Record<string, FieldRef<Types>>;
}

/** Maximum number of list items in the answers to one GraphQL operation. Complexity cannot limit lists whose length depends on
 *  the data. */
const mostItems = 120_000;
const itemCounts = new WeakMap<Context, number>();

/** Returns the items of a list for the executor.
 *  @throws {AppError} VALIDATION_ERROR for too many items in one operation */
function listed(items: readonly unknown[], inTurns: boolean, ctx: Context) {
  const count = (itemCounts.get(ctx) ?? 0) + items.length;
  itemCounts.set(ctx, count);
  // A REST response has one answer, whose length its operation limits.
  if (ctx.rest) return count > longItems ? longTurn(ctx).then(() => items) : items;
  if (count > mostItems)
    throw invalid`${arg('query')} returns more than ${mostItems.toLocaleString('en-US')} list items${fix}request fewer days, use filters, or send several smaller requests`;
  if (!inTurns) return items;
  let turn = Promise.resolve();
  return items.map((item) => {
    turn = turn.then(() => nextTurn());
    return turn.then(() => item);
  });
}

/** Number of list items above which a REST answer is long. */
const longItems = 1000;
const longAnswers = new Limiter({ limit: Infinity, limitPerOwner: 1 });
const longTurns = new WeakMap<Context, Promise<void>>();

/** Waits until the executor may complete the next list of a long REST answer. REST's executor awaits lists, but not their items, and
 *  serializes the answer in one turn of the event loop: so a user's long answers are completed and sent one after the other. */
function longTurn(ctx: Context): Promise<void> {
  const before = longTurns.get(ctx) ?? startLong(ctx);
  const turn = before.then(() => nextTurn()).then(() => ctx.signal?.throwIfAborted());
  longTurns.set(ctx, turn);
  return turn;
}

async function startLong({ viewer, res, signal }: Context): Promise<void> {
  if (!viewer || !res) return;
  const release = await longAnswers.acquire({ owner: viewer.userId, ...(signal && { signal }) });
  res.once('close', release);
}

/** The value that a column is served as. */
type Served<Value> = Value extends Date
  ? Day | Date
  : Value extends bigint | { toFixed(): string }
    ? number
    : Value extends readonly (infer Item)[]
      ? readonly Item[]
      : Value;

/** Accepts a field whose type and nullability match the column of its name. */
type Matching<Row, All> = {
  readonly [Name in keyof All]: All[Name] extends { readonly description: string; readonly value?: infer Value }
    ? Name extends keyof Row
      ? object extends Value
        ? unknown
        : [Row[Name] & null, NonNullable<Value>] extends [Value & null, Served<NonNullable<Row[Name]>>]
          ? unknown
          : never
      : never
    : unknown;
};

/** Fields of a stored record, in schema order: those made by the functions above are the columns of the same name, the
 *  others come from `t`. Days are UTC days, and decimals are rounded to 6 decimals. */
export function columns<Model extends keyof PrismaTypes, All extends Readonly<Record<string, object>>>(
  t: { field(options: never): FieldRef<Types> },
  _model: Model,
  fields: All & Matching<PrismaTypes[Model]['Shape'], All>,
): Record<string, FieldRef<Types>> {
  const entries = Object.entries<object>(fields).map(([name, field]) => {
    if (field instanceof FieldRef) return [name, field];
    const { type } = field as Field<unknown>;
    const resolve = (row: Readonly<Record<string, unknown>>) => served(type, row[name]);
    return [name, t.field({ ...field, select: { [name]: true }, resolve } as never)];
  });
  return Object.fromEntries(entries) as Record<string, FieldRef<Types>>;
}

function served(type: unknown, value: unknown): unknown {
  if (value === null) return null;
  if (type === 'JSON') return jsonObject(value);
  if (type === 'Date' && value instanceof Date) return dayOf(value);
  const isExact = type === 'Decimal' && typeof value === 'object';
  return isExact ? amountToNumber(parseAmount((value as { toFixed(): string }).toFixed())) : value;
}
