import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { introspectionFromSchema, lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { consoleOperations } from './console-operations.ts';
import { restApiOf } from './rest/api.ts';
import { buildSchema } from './schema.ts';

const folder = new URL('../../schema/', import.meta.url);

/** Writes the descriptions of the API (for people, for REST clients, for the console's types) and the console's operations, or
 *  with `check` compares what is written with what is true.
 *  @throws {Error} naming the files that are out of date */
export async function emit(check: boolean): Promise<void> {
  const schema = buildSchema();
  const files = {
    'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
    'openapi.json': `${JSON.stringify(restApiOf(schema).document, null, 2)}\n`,
    'graphql-env.d.ts': await typesOf(lexicographicSortSchema(schema)),
    'console-operations.json': `${JSON.stringify(await consoleOperations(), null, 2)}\n`,
  };
  await mkdir(folder, { recursive: true });
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const file = new URL(name, folder);
    if (!check) await writeFile(file, text);
    else if ((await readFile(file, 'utf8').catch(() => '')) !== text) stale.push(`schema/${name}`);
  }
  if (stale.length > 0) throw new Error(`${stale.join(' and ')} out of date: run \`npm run emit\``);
}

/** The schema as a type, from which the console's documents get theirs. The package brings a compiler: it is for development. */
async function typesOf(schema: GraphQLSchema): Promise<string> {
  const { minifyIntrospection, outputIntrospectionFile } = await import('@gql.tada/internal');
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  return outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
}
