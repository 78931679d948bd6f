import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import {
  Kind,
  parse,
  print,
  visit,
  type DefinitionNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
} from 'graphql';
import { fieldOperations } from './field-operations.ts';

const folder = new URL('../console/', import.meta.url);

/** Matches a GraphQL document in the console's source, or the name of a field's operation. */
const documents = /\bgraphql\(\s*(?:`([^`]+)`|operations\.(\w+))/g;

/** Every console operation with its fragments, keyed by the SHA-256 of its text. Fragments are resolved by name,
 *  which is unique in the console.
 *  @throws {Error} if two different fragments have the same name, or one does not exist */
export async function consoleOperations(schema: GraphQLSchema): Promise<Record<string, string>> {
  const operations = fieldOperations(schema);
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name)).sort();
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  const definitions = sources.flatMap((source) =>
    [...source.matchAll(documents)].flatMap(([, text, field = '']) => {
      return parse(text ?? operations.get(field) ?? '', { noLocation: true }).definitions;
    }),
  );
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const name = definition.name.value;
    const known = fragments.get(name);
    if (known && print(known) !== print(definition)) throw new Error(`The console has two fragments ${name}`);
    fragments.set(name, definition);
  }
  const texts = definitions
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    .map((operation) => [operation, ...fragmentsOf(operation, fragments)].map(print).join('\n\n'));
  return Object.fromEntries(texts.map((text) => [createHash('sha256').update(text).digest('hex'), text]));
}

/** The fragments that a definition spreads, directly or indirectly. */
function fragmentsOf(
  definition: DefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  found = new Set<FragmentDefinitionNode>(),
): ReadonlySet<FragmentDefinitionNode> {
  visit(definition, {
    FragmentSpread({ name }) {
      const fragment = fragments.get(name.value);
      if (!fragment) throw new Error(`The console spreads ${name.value}, which is not one of its fragments`);
      if (found.has(fragment)) return;
      found.add(fragment);
      fragmentsOf(fragment, fragments, found);
    },
  });
  return found;
}
