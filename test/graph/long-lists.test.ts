import { expect, it } from 'vitest';
import { answerType, int, listOf, type Answer } from '../../src/graph/answers.ts';
import { builder } from '../../src/graph/builder.ts';
import { readRoute } from '../../src/graph/rest.ts';
import { worldOfFile } from '../support/world.ts';

const SlowRow = answerType('SlowRow', 'A row.', {
  turn: int('The turn of the event loop.'),
  step: int('The number of slow rows completed so far.'),
});
const SlowRows = answerType('SlowRows', 'Slow rows.', {
  rows: listOf(SlowRow, 'The rows.', { inTurns: true, complexity: 1 }),
});
const ManyRows = answerType('ManyRows', 'Many rows.', {
  rows: listOf(SlowRow, 'The rows.', { complexity: 1 }),
});
const LongAnswer = answerType('LongAnswer', 'A long answer.', {
  rows: listOf(SlowRow, 'As many rows as make an answer long.'),
  groups: listOf(SlowRows, 'Slow rows in lists.'),
});

let turn = 0;
let steps = 0;
/** A row that takes 8 ms to complete. */
function slowRow(): Answer<typeof SlowRow> {
  return {
    get turn() {
      const end = performance.now() + 8;
      while (performance.now() < end);
      return turn;
    },
    get step() {
      steps += 1;
      return steps;
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
    resolve: () => ({ rows: Array.from({ length: 60_000 }, () => ({ turn, step: 0 })) }),
  }),
  longAnswer: t.field({
    type: LongAnswer,
    description: 'A long answer.',
    ...readRoute('Costs', '/long-answer'),
    resolve: () => ({
      rows: Array.from({ length: 1000 }, () => ({ turn, step: 0 })),
      groups: Array.from({ length: 10 }, () => ({ rows: [slowRow(), slowRow()] })),
    }),
  }),
}));

/** Counts the turns of the event loop during some work. */
async function countingTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return work().finally(() => (isOver = true));
}

function mostInOneTurn(turns: readonly number[]): number {
  return Math.max(...[...Map.groupBy(turns, (one) => one).values()].map(({ length }) => length));
}

const at = worldOfFile();

it('completes the rows of several long answers over several turns of the event loop', async () => {
  const { token } = await at().register();
  const query = '{ a: slowRows { rows { turn } } b: slowRows { rows { turn } } c: slowRows { rows { turn } } }';
  const { body } = await countingTurns(() => at().gql<Record<string, { rows: { turn: number }[] }>>(query, {}, token));
  const turns = Object.values(body.data ?? {}).flatMap(({ rows }) => rows.map((row) => row.turn));
  expect(turns).toHaveLength(60);
  // 20 ms, and a row of each answer.
  expect(mostInOneTurn(turns)).toBeLessThanOrEqual(8);
});

interface LongBody {
  groups: { rows: { turn: number; step: number }[] }[];
}

const longAnswer = async (token: string) => {
  const { body } = await at().rest<LongBody>('GET', '/long-answer', { token });
  return body.groups.flatMap(({ rows }) => rows);
};

it('completes the lists of a long REST answer over several turns of the event loop', async () => {
  const { token } = await at().register();
  const rows = await countingTurns(() => longAnswer(token));
  expect(rows).toHaveLength(20);
  // Lists of 16 ms: one that starts before 20 ms have passed, and the next.
  expect(mostInOneTurn(rows.map((row) => row.turn))).toBeLessThanOrEqual(6);
});

it('completes the long REST answers of a user one after the other', async () => {
  const { token } = await at().register();
  const answers = await Promise.all([longAnswer(token), longAnswer(token), longAnswer(token)]);
  for (const rows of answers) {
    const first = rows[0]?.step ?? 0;
    expect(rows.map(({ step }) => step - first)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  }
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
