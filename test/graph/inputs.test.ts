import { expect, it } from 'vitest';
import { buildSchema } from '../../src/surfaces/schema.ts';

const mutations = Object.values(buildSchema().getMutationType()?.getFields() ?? {});

/** The arguments of a mutation as printed in the schema. */
function argumentsOf({ args }: (typeof mutations)[number]): string[] {
  return args.map(({ name, type }) => `${name}: ${String(type)}`);
}

const createsRecord = /^(create|connect|invite)[A-Z]|^register$/;
const updatesRecord = /^update[A-Z]/;

it('gives each mutation that creates a record its own input type as its only argument', () => {
  const creations = mutations.filter(({ name }) => createsRecord.test(name));
  expect(creations.length).toBeGreaterThan(7);
  expect(creations.map(argumentsOf)).toEqual(creations.map(({ name }) => [`input: ${typeName(name)}Input!`]));
});

it('gives each mutation that updates a record its own input type, and an id where there are many records', () => {
  const updates = mutations.filter(({ name }) => updatesRecord.test(name));
  expect(updates.length).toBeGreaterThan(10);
  for (const update of updates) {
    const input = `input: ${typeName(update.name)}Input!`;
    expect([[input], ['id: ID!', input]]).toContainEqual(argumentsOf(update));
  }
});

it('gives other mutations no input argument', () => {
  const actions = mutations.filter(({ name }) => !createsRecord.test(name) && !updatesRecord.test(name));
  expect(actions.filter(({ args }) => args.some(({ name }) => name === 'input'))).toEqual([]);
});

function typeName(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}
