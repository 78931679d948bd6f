import { getNullableType, isListType, type GraphQLArgument, type GraphQLInputType } from 'graphql';

/** JSON Schema keywords that an argument, input field or output field adds to its type. */
export type Bounds = Readonly<Record<string, unknown>>;

/** Default limits for strings, lists and free-form objects in requests; `surfaces/http/arguments.ts` enforces them. */
export const generalLimits = { maxLength: 10_000, maxItems: 1000, maxProperties: 100 } as const;

/** Documents the bounds of a field in the API. Pass the object that the field's validation reads, so that each bound
 *  is defined once: `t.arg.string({ ...bounded(nameRule), description })`. */
export function bounded(jsonSchema: Bounds): { extensions: { jsonSchema: Bounds } } {
  return { extensions: { jsonSchema } };
}

/** Bounds of a list that REST also accepts as a single string, as GraphQL accepts any single item. */
export function listOrItem({ items, ...list }: Bounds): { extensions: { jsonSchema: Bounds } } {
  return bounded({ ...list, items, takesItem: true });
}

/** Bounds of a required field for which null has a meaning. */
export function present(jsonSchema: Bounds): { extensions: { jsonSchema: Bounds } } {
  return bounded({ ...jsonSchema, required: true });
}

/** Bounds of a field that an update may omit but not clear: null is rejected. */
export function unclearable(jsonSchema: Bounds = {}): { extensions: { jsonSchema: Bounds } } {
  return bounded({ ...jsonSchema, nullable: false });
}

/** The bounds that a field adds to its type. */
export function boundsOf({ extensions }: Pick<GraphQLArgument, 'extensions'>): Bounds {
  return asBounds(extensions['jsonSchema']);
}

/** The bounds of a list's items. */
export function itemBounds({ items }: Bounds): Bounds {
  return asBounds(items);
}

/** Adds the general limits to lists, strings and free-form objects without their own, including nested ones. */
export function limited(type: GraphQLInputType, own: Bounds): Bounds {
  const bare = getNullableType(type);
  if (isListType(bare))
    return { maxItems: generalLimits.maxItems, ...own, items: limited(bare.ofType, itemBounds(own)) };
  if (bare.name === 'JSON') return { maxProperties: generalLimits.maxProperties, ...own };
  const isLimited = bare.name !== 'String' || 'maxLength' in own || 'enum' in own || own['format'] === 'uuid';
  return isLimited || hasEnd(own) ? own : { ...own, maxLength: generalLimits.maxLength };
}

/** Whether a pattern limits the length of a string: it is anchored and has no unbounded repetition. */
export function hasEnd({ pattern }: Bounds): boolean {
  if (typeof pattern !== 'string' || !/^\^.*\$$/.test(pattern)) return false;
  const bare = pattern.replaceAll(/\\.|\[[^\]]*\]|\(\?!.*?\)/g, '.');
  return !/[*+]|\{\d+,\}/.test(bare);
}

function asBounds(value: unknown): Bounds {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
