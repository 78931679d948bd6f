import { expect, it } from 'vitest';
import { builder } from '../../src/graph/builder.ts';
import { buildSchema } from '../../src/surfaces/schema.ts';

it('rejects a root field without authScopes or a public route', () => {
  builder.queryField('unguarded', (t) => t.string({ description: 'Open by omission.', resolve: () => 'x' }));
  expect(() => buildSchema()).toThrow('Query.unguarded must state either authScopes or a public REST route');
});
