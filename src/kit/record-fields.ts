import { notNull, unchanged } from './errors/refusals.ts';
import { snakeOf } from './text/case.ts';

// The fields that clients set on a record, declared once for its creation, its changes and their types:
// `const ruleFields = { name: required(parseName, nameRule), slack: defaulted(false) }`.

type Kind = 'required' | 'defaulted' | 'clearable' | 'fixed' | 'permanent';

/** A field of a record. */
export interface RecordField<Given, Value, Of extends Kind = Kind> {
  /** `required`: must be given, and cannot be cleared. `defaulted`: has a default, and cannot be cleared. `clearable`:
   *  null clears it. `fixed`: optional on creation, and cannot be changed. `permanent`: must be given on creation, and cannot
   *  be changed. */
  readonly kind: Of;
  /** Bounds for the API documents. */
  readonly rule: Readonly<Record<string, unknown>>;
  /** Default of a new record, if there is one. */
  readonly initial?: Given | undefined;
  /** Value of a cleared field. */
  readonly empty?: Value | undefined;
  /** Parses a given value.
   *  @param path the field in REST spelling
   *  @throws {AppError} VALIDATION_ERROR naming the field */
  read(given: Given, path: string): Value;
}

type Rule = RecordField<never, never>['rule'];
type Read<Given, Value> = (given: Given, path: string) => Value;

/** Accepts any value of a type that the API has already checked. */
export function given<Value>(value: Value): Value {
  return value;
}

export function required<Given, Value>(
  read: Read<Given, Value>,
  rule: Rule = {},
): RecordField<Given, Value, 'required'> {
  return { kind: 'required', rule, read };
}

export function defaulted<Given, Value>(
  initial: NoInfer<Given>,
  read: Read<Given, Value>,
  rule: Rule = {},
): RecordField<Given, Value, 'defaulted'> {
  return { kind: 'defaulted', rule, initial, read };
}

export function clearable<Given, Value, Empty>(
  empty: Empty,
  read: Read<Given, Value>,
  rule: Rule = {},
): RecordField<Given, Value | Empty, 'clearable'> {
  return { kind: 'clearable', rule, empty, read };
}

export function fixed<Given, Value>(
  read: Read<Given, Value>,
  rule: Rule = {},
): RecordField<Given, Value | null, 'fixed'> {
  return { kind: 'fixed', rule, empty: null, read };
}

export function permanent<Given, Value>(
  read: Read<Given, Value>,
  rule: Rule = {},
): RecordField<Given, Value, 'permanent'> {
  return { kind: 'permanent', rule, read };
}

export type RecordFields = Readonly<Record<string, RecordField<unknown, unknown>>>;
type GivenOf<One> = One extends RecordField<infer Given, unknown> ? Given : never;
type ValueOf<One> = One extends RecordField<infer _Given, infer Value> ? Value : never;
type Named<Fields extends RecordFields, Of extends Kind> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly kind: Of } ? Name : never;
}[keyof Fields];

/** The input that creates a record. */
export type RecordInput<Fields extends RecordFields> = {
  readonly [Name in Named<Fields, 'required' | 'permanent'>]: GivenOf<Fields[Name]>;
} & {
  readonly [Name in Exclude<keyof Fields, Named<Fields, 'required' | 'permanent'>>]?: GivenOf<Fields[Name]> | null;
};

/** Changes to a record: absent fields stay unchanged, null clears those that can be cleared. */
export type RecordChange<Fields extends RecordFields> = {
  readonly [Name in Exclude<keyof Fields, Named<Fields, 'fixed' | 'permanent'>>]?: GivenOf<Fields[Name]> | null;
} & {
  /** `updatedAt` of the record as the client read it: a later change is a conflict. */
  readonly ifUnmodifiedSince?: Date | null;
};

/** The parsed fields of a record. */
export type RecordValues<Fields extends RecordFields> = { [Name in keyof Fields]: ValueOf<Fields[Name]> };

/** Parses the input that creates a record.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseRecord<Fields extends RecordFields>(
  fields: Fields,
  input: RecordInput<Fields>,
): RecordValues<Fields> {
  const entries = Object.entries(fields).map(([name, field]) => {
    const value: unknown = Reflect.get(input, name) ?? field.initial ?? null;
    return [name, value === null ? field.empty : field.read(value, snakeOf(name))];
  });
  return Object.fromEntries(entries) as RecordValues<Fields>;
}

/** Parses changes to a record; returns only the given fields.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is given */
export function parseChange<Fields extends RecordFields>(
  fields: Fields,
  change: RecordChange<Fields>,
): Partial<RecordValues<Fields>> {
  const open = Object.entries(fields).filter(([, { kind }]) => kind !== 'fixed' && kind !== 'permanent');
  const named = open.filter(([name]) => Reflect.get(change, name) !== undefined);
  if (named.length === 0) throw unchanged(...open.map(([name]) => snakeOf(name)));
  for (const [name, { kind }] of named)
    if (Reflect.get(change, name) === null && kind !== 'clearable') throw notNull(snakeOf(name));
  const entries = named.map(([name, field]) => {
    const value: unknown = Reflect.get(change, name);
    return [name, value === null ? field.empty : field.read(value, snakeOf(name))];
  });
  return Object.fromEntries(entries) as Partial<RecordValues<Fields>>;
}
