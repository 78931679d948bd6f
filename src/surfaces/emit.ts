import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { introspectionFromSchema, lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { consoleOperations } from './console-operations.ts';
import { operationsModule } from './field-operations.ts';
import { zodModule } from './openapi/zod.ts';
import { restApiOf } from './rest/api.ts';
import { buildSchema } from './schema.ts';

const folder = new URL('../../schema/', import.meta.url);

/** `npm run emit`: writes the API descriptions (for people, for REST clients, for the types of the console and the MCP server) and
 *  the console's operations; with `check`, compares them with the files.
 *  @throws {Error} naming the files that are out of date */
async function emit(check: boolean): Promise<void> {
  const schema = buildSchema();
  const { document } = restApiOf(schema);
  const sorted = lexicographicSortSchema(schema);
  const files = {
    'schema.graphql': `${printSchema(sorted)}\n`,
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'operations.ts': operationsModule(sorted),
    'rest.ts': zodModule(document),
    'graphql-env.d.ts': await typesOf(sorted),
    'console-operations.json': `${JSON.stringify(await consoleOperations(sorted), null, 2)}\n`,
  };
  await mkdir(folder, { recursive: true });
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const file = new URL(name, folder);
    if (!check) await writeFile(file, text);
    else if ((await readFile(file, 'utf8').catch(() => '')) !== text) stale.push(`schema/${name}`);
  }
  if (stale.length > 0) throw new Error(`Out of date: ${stale.join(', ')}; run \`npm run emit\``);
}

/** The schema as a TypeScript type, from which the console's documents are typed. The package includes a compiler
 *  and is a development dependency. */
async function typesOf(schema: GraphQLSchema): Promise<string> {
  const { minifyIntrospection, outputIntrospectionFile } = await import('@gql.tada/internal');
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  return outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
}

await emit(process.argv.includes('--check'));
