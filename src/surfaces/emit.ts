import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { restApiOf } from './rest/api.ts';
import { buildSchema } from './schema.ts';

const folder = new URL('../../schema/', import.meta.url);

/** Writes the two descriptions of the API, or with `check` compares what is written with what is true.
 *  @throws {Error} naming the files that are out of date */
export async function emit(check: boolean): Promise<void> {
  const schema = buildSchema();
  const files = {
    'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
    'openapi.json': `${JSON.stringify(restApiOf(schema).document, null, 2)}\n`,
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
