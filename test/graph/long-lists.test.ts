import { expect, it } from 'vitest';
import { answerType, int, listOf, type Answer } from '../../src/graph/answers.ts';
import { builder } from '../../src/graph/builder.ts';
import { worldOfFile } from '../support/world.ts';

const SlowRow = answerType('SlowRow', 'A row.', {
  turn: int('The turn of the event loop.'),
});
const SlowRows = answerType('SlowRows', 'Slow rows.', {
  rows: listOf(SlowRow, 'The rows.', { inTurns: true, complexity: 1 }),
});
const ManyRows = answerType('ManyRows', 'Many rows.', {
  rows: listOf(SlowRow, 'The rows.', { complexity: 1 }),
});

let turn = 0;
/** A row that takes 8 ms to complete. */
function slowRow(): Answer<typeof SlowRow> {
  return {
    get turn() {
      const end = performance.now() + 8;
      while (performance.now() < end);
      return turn;
    },
  };
}

builder.queryFields((t) => ({
  slowRows: t.field({
    type: SlowRows,
    authScopes: { signedIn: true },
    description: 'Slow rows.',
    resolve: () => ({ rows: Array.from({ length: 20 }, slowRow) }),
  }),
  manyRows: t.field({
    type: ManyRows,
    authScopes: { signedIn: true },
    description: 'Half of the maximum number of items.',
    resolve: () => ({ rows: Array.from({ length: 60_000 }, () => ({ turn })) }),
  }),
}));

const at = worldOfFile();

it('completes the rows of several long answers over several turns of the event loop', async () => {
  const { token } = await at().register();
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const { body } = await at().gql<Record<string, { rows: { turn: number }[] }>>(
    '{ a: slowRows { rows { turn } } b: slowRows { rows { turn } } c: slowRows { rows { turn } } }',
    {},
    token,
  );
  isOver = true;
  const turns = Object.values(body.data ?? {}).flatMap(({ rows }) => rows.map((row) => row.turn));
  const inOneTurn = [...Map.groupBy(turns, (one) => one).values()].map(({ length }) => length);
  expect(turns).toHaveLength(60);
  // 20 ms, and a row of each answer.
  expect(Math.max(...inOneTurn)).toBeLessThanOrEqual(8);
});

it('limits the list items of an operation', async () => {
  const { token } = await at().register();
  const one = 'manyRows { rows { __typename } }';
  const fits = await at().gql(`{ a: ${one} b: ${one} }`, {}, token);
  expect([fits.status, fits.body.errors]).toEqual([200, undefined]);
  const { body } = await at().gql(`{ a: ${one} b: ${one} c: ${one} }`, {}, token);
  expect(body.errors?.map(({ message, extensions: { code } }) => [code, message])).toEqual([
    [
      'VALIDATION_ERROR',
      'query returns more than 120,000 list items; request fewer days, use filters, or send several smaller requests',
    ],
  ]);
});
