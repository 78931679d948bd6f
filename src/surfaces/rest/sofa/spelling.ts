import type { GraphQLEnumValue } from 'graphql';

/** Words whose digits belong to them. */
const WHOLE = new Map([['sha256', 'sha256']]);

/** `costLast30Days` becomes `cost_last_30_days`, `lower80` becomes `lower_80`. */
export function snakeOf(name: string): string {
  const words = () => name.replace(/(?<=[a-z])(?=\d)|(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
  return WHOLE.get(name) ?? words();
}

/** `start_date` becomes `startDate`. */
export function camelOf(name: string): string {
  return name.replace(/_([a-z\d])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The name that a field or enum value states for REST (`restName` of graph/relations.ts); null when it states none. */
export function restNameOf({ extensions }: { readonly extensions: Readonly<Record<string, unknown>> }): string | null {
  const { rest } = extensions;
  return typeof rest === 'object' && rest !== null && 'name' in rest ? String(rest.name) : null;
}

/** The text that stands for an enum value in REST.
 *  @param value of the shape, whose names are in lower case */
export function textOf(value: GraphQLEnumValue): string {
  return restNameOf(value) ?? value.name;
}

/** Remembers how each REST name is spelled in GraphQL, by the type or field it belongs to. */
export class Spelling {
  readonly #originals = new Map<string, string>();

  /** Respells a name of the schema.
   *  @throws {Error} when two names of one place would become one */
  respell(place: string, original: string): string {
    return this.keep(place, snakeOf(original), original);
  }

  /** Remembers a name that keeps its spelling, or has one already. */
  keep(place: string, spelled: string, original: string): string {
    const key = `${place}.${spelled}`;
    const other = this.#originals.get(key);
    if (other !== undefined && other !== original) {
      throw new Error(`${place}: ${other} and ${original} are both ${spelled} in REST; rename one`);
    }
    this.#originals.set(key, original);
    return spelled;
  }

  /** How the schema spells it. */
  original(place: string, spelled: string): string {
    return this.#originals.get(`${place}.${spelled}`) ?? spelled;
  }
}
