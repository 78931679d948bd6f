import { getNullableType, isListType, type GraphQLArgument, type GraphQLInputType } from 'graphql';

/** JSON Schema keywords that an argument, input field or output field adds to its type. */
export type Bounds = Readonly<Record<string, unknown>>;

/** Default limits of texts, lists and free objects in requests; `surfaces/arguments.ts` enforces them. */
export const generalLimits = { maxLength: 10_000, maxItems: 1000, maxProperties: 100 } as const;

/** Bounds of a text that is not blank. */
export const filledRule = { minLength: 1, pattern: '\\S' } as const;

/** States the bounds of a field in the API documents. Pass the object that the field's check reads, so that a bound is
 *  written once: `t.arg.string({ ...bounded(nameRule), description })`. */
export function bounded(jsonSchema: Bounds): { extensions: { jsonSchema: Bounds } } {
  return { extensions: { jsonSchema } };
}

/** Bounds of a list that REST also takes as one bare text, as GraphQL takes any item. */
export function listOrItem({ items, ...list }: Bounds): { extensions: { jsonSchema: Bounds } } {
  return bounded({ ...list, items, takesItem: true });
}

/** Bounds of a field that must be there, although null means something. */
export function present(jsonSchema: Bounds): { extensions: { jsonSchema: Bounds } } {
  return bounded({ ...jsonSchema, required: true });
}

/** Bounds of a field that may be left out of a change, but not cleared: null is refused. */
export function unclearable(jsonSchema: Bounds = {}): { extensions: { jsonSchema: Bounds } } {
  return bounded({ ...jsonSchema, nullable: false });
}

/** What a field states beyond its type. */
export function boundsOf({ extensions }: Pick<GraphQLArgument, 'extensions'>): Bounds {
  return asBounds(extensions['jsonSchema']);
}

/** The bounds of a list's items. */
export function itemBounds({ items }: Bounds): Bounds {
  return asBounds(items);
}

/** Bounds with the general limits where they have none: of a list, a text or a free object, and of those in a list. */
export function limited(type: GraphQLInputType, own: Bounds): Bounds {
  const bare = getNullableType(type);
  if (isListType(bare))
    return { maxItems: generalLimits.maxItems, ...own, items: limited(bare.ofType, itemBounds(own)) };
  if (bare.name === 'JSON') return { maxProperties: generalLimits.maxProperties, ...own };
  const isLimited = bare.name !== 'String' || 'maxLength' in own || 'enum' in own || own['format'] === 'uuid';
  return isLimited || hasEnd(own) ? own : { ...own, maxLength: generalLimits.maxLength };
}

/** Whether a pattern limits the length of a text: it is anchored and repeats nothing without end. */
export function hasEnd({ pattern }: Bounds): boolean {
  if (typeof pattern !== 'string' || !/^\^.*\$$/.test(pattern)) return false;
  const bare = pattern.replaceAll(/\\.|\[[^\]]*\]|\(\?!.*?\)/g, '.');
  return !/[*+]|\{\d+,\}/.test(bare);
}

function asBounds(value: unknown): Bounds {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
