import fs from 'node:fs';
import path from 'node:path';
import { buildSchema, isEnumType } from 'graphql';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'src/console');

/** Sort fields of the API's lists, in REST spelling. */
function sortFields(): ReadonlySet<string> {
  const schema = buildSchema(fs.readFileSync(path.join(root, 'schema/schema.graphql'), 'utf8'));
  const sorts = Object.values(schema.getTypeMap()).filter((type) => type.name.endsWith('Sort'));
  const values = sorts.filter(isEnumType).flatMap((type) => type.getValues().map(({ name }) => name));
  return new Set(values.map((name) => name.toLowerCase().replace(/_(?:asc|desc)$/, '')));
}

/** Columns that sort, by their field in REST spelling. Variables of GraphQL are in upper case, and have types. */
function sortedColumns(): { readonly file: string; readonly field: string }[] {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return files.flatMap((file) => {
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    return [...text.matchAll(/\bsortBy: '([a-z_]+)'/g)].map(([, field = '']) => ({ file, field }));
  });
}

it('sorts columns only by sort fields of the API', () => {
  const known = sortFields();
  const columns = sortedColumns();
  expect(columns.length).toBeGreaterThan(20);
  expect(columns.filter(({ field }) => !known.has(field))).toEqual([]);
});
