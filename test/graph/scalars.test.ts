import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildSchema } from '../../src/surfaces/schema.ts';

const scalars = Object.values(buildSchema().getTypeMap()).filter(
  (type) => isScalarType(type) && !isSpecifiedScalarType(type),
);

it('links every scalar of ours to its specification', () => {
  expect(scalars.filter((type) => isScalarType(type) && !type.specifiedByURL?.startsWith('https://'))).toEqual([]);
});

it('documents the types that code generators map every scalar to', () => {
  const readme = readFileSync(new URL('../../src/graph/README.md', import.meta.url), 'utf8');
  expect(scalars.map(({ name }) => name).filter((name) => !readme.includes(`| \`${name}\``))).toEqual([]);
});
