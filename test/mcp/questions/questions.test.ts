import { afterAll, beforeAll, expect, it } from 'vitest';
import { tools } from '../../../src/mcp/tools/registry.ts';
import { runJobs } from '../../support/jobs.ts';
import { costQuestions } from './costs.ts';
import { demoWorld, today } from './demo-world.ts';
import { openExports, type Exports } from './exports.ts';
import { planQuestions } from './plans.ts';
import type { Known } from './question.ts';
import { savingsQuestions } from './savings.ts';

// Verifies the answers of our tools to typical questions of users: figures are recomputed from the sample's exported files,
// from its known contents, or from the database.

const world = demoWorld();
const called = new Set<string>();
const asked = [...costQuestions, ...savingsQuestions, ...planQuestions];
let exports: Exports;

beforeAll(async () => {
  exports = await openExports(world().exports, today);
}, 60_000);
afterAll(() => exports?.close());

function known(): Known {
  const { rest, token, callTool, deps, jobs } = world();
  const call: Known['call'] = (name, args) => {
    called.add(name);
    return callTool(name, args);
  };
  const sql = async <Row>(text: string, values?: unknown[]) => (await deps.pool.query(text, values)).rows as Row[];
  return {
    rest,
    token,
    call,
    exports,
    sql,
    work: async (task) => {
      expect(jobs.map((job) => job.task)).toContain(task);
      await runJobs(deps, jobs);
    },
  };
}

it.each(asked)('$ask', async ({ answer }) => {
  expect.hasAssertions();
  await answer(known());
});

it('covers thirty questions, which use every tool', () => {
  expect(asked).toHaveLength(30);
  expect([...called].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
});
