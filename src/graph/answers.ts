import type { FieldRef, InterfaceRef, ObjectRef } from '@pothos/core';
import type { Day, Month } from '../kit/time/period.ts';
import { builder } from './builder.ts';

// Object types whose fields are plain properties. A field is declared once, for the schema and for TypeScript:
// `const DayType = answerType('DayCost', 'Cost of a day.', { date: day('The UTC day.') })`, `type DayCost =
// Answer<typeof DayType>`.

type Types = (typeof builder)['$inferSchemaTypes'];

/** A field of an answer. */
interface Field<Value> {
  readonly type: unknown;
  readonly description: string;
  readonly nullable?: true;
  /** Type inference only. */
  readonly value?: Value;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<One> = One extends Field<infer Value> ? Value : never;
/** The values of fields. */
export type Shape<All extends Fields> = { readonly [Name in keyof All]: ValueOf<All[Name]> };

/** Optional settings of a field: its bounds, its REST name, its complexity. */
type More = Pick<PothosSchemaTypes.FieldOptions<Types>, 'complexity' | 'extensions'>;

/** The value type of an answer type. */
export type Answer<Ref extends { readonly $inferType: unknown }> = Ref['$inferType'];

function fieldOf<Value>(type: unknown) {
  return (description: string, more: More = {}): Field<Value> => ({ type, description, ...more });
}

export const text = fieldOf<string>('String');
export const texts = fieldOf<readonly string[]>(['String']);
export const uuid = fieldOf<string>('ID');
export const int = fieldOf<number>('Int');
export const flag = fieldOf<boolean>('Boolean');
export const decimal = fieldOf<number>('Decimal');
export const day = fieldOf<Day>('Date');
export const month = fieldOf<Month>('Month');

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
  const read = (name: string) => (parent: Record<string, unknown>) => parent[name];
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    t.field({ ...field, resolve: read(name) } as never),
  ]);
  return Object.fromEntries(entries) as Record<string, FieldRef<Types>>;
}
