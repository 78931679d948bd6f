import type { GraphQLEnumValue } from 'graphql';
import { snakeOf } from '../../../kit/text/case.ts';

/** The REST name declared by a field or enum value (`restName` of graph/relations.ts); null if there is none. */
export function restNameOf({ extensions }: { readonly extensions: Readonly<Record<string, unknown>> }): string | null {
  const { rest } = extensions;
  return typeof rest === 'object' && rest !== null && 'name' in rest ? String(rest.name) : null;
}

/** The REST spelling of an enum value.
 *  @param value from the shape, whose names are in lower case */
export function textOf(value: GraphQLEnumValue): string {
  return restNameOf(value) ?? value.name;
}

/** Maps REST names back to GraphQL names, by their type or field. */
export class Spelling {
  readonly #originals = new Map<string, string>();

  /** Converts a name to REST spelling.
   *  @throws {Error} if two names of one type or field collide */
  respell(place: string, original: string): string {
    return this.keep(place, snakeOf(original), original);
  }

  /** Registers a name that is already in its REST spelling. */
  keep(place: string, spelled: string, original: string): string {
    const key = `${place}.${spelled}`;
    const other = this.#originals.get(key);
    if (other !== undefined && other !== original) {
      throw new Error(`${place}: ${other} and ${original} are both ${spelled} in REST; rename one`);
    }
    this.#originals.set(key, original);
    return spelled;
  }

  /** The GraphQL spelling. */
  original(place: string, spelled: string): string {
    return this.#originals.get(`${place}.${spelled}`) ?? spelled;
  }
}
