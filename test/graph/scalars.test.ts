import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DateTimeScalar } from '../../src/graph/scalars.ts';
import { buildSchema } from '../../src/surfaces/schema.ts';

const scalars = Object.values(buildSchema().getTypeMap()).filter(
  (type) => isScalarType(type) && !isSpecifiedScalarType(type),
);

it('links every custom scalar to its specification', () => {
  expect(scalars.filter((type) => isScalarType(type) && !type.specifiedByURL?.startsWith('https://'))).toEqual([]);
});

it('documents the type that code generators map each scalar to', () => {
  const readme = readFileSync(new URL('../../src/graph/README.md', import.meta.url), 'utf8');
  expect(scalars.map(({ name }) => name).filter((name) => !readme.includes(`| \`${name}\``))).toEqual([]);
});

it.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31t12:00:00.123456789z', '2026-01-31T12:00:00.123Z'],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ['2024-02-29T00:00:00-23:59', '2024-02-29T23:59:00.000Z'],
])('parses the timestamp %s', (text, instant) => {
  expect(DateTimeScalar.parseValue(text)).toEqual(new Date(instant));
});

it.each([
  '2026-02-30T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-01-31T24:00:00Z',
  '9999-12-31T23:59:59-00:01',
  '2026-01-31T12:00Z',
  '2026-01-31T12:00:00',
  '2026-01-31',
  1_769_860_800_000,
])('rejects %s as a timestamp', (value) => {
  expect(() => DateTimeScalar.parseValue(value)).toThrow('not a timestamp such as "2026-01-31T12:00:00Z"');
});
