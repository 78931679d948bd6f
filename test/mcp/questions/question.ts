import { expect } from 'vitest';
import type { DemoWorld } from './demo-world.ts';
import type { Exports } from './exports.ts';

/** What a question is answered with, and what its answer is held against: never the same tool, nor the endpoint behind it. */
export interface Known extends Pick<DemoWorld, 'rest' | 'token'> {
  /** Calls a tool, as an assistant does. */
  readonly call: DemoWorld['callTool'];
  /** The files that the sample was loaded from. */
  readonly exports: Exports;
  /** Rows of the database. */
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Does the jobs that wait, as a worker would.
   *  @throws {Error} when none of this task is among them */
  work(task: string): Promise<void>;
}

/** What a person asks, and the calls that answer it. */
export interface Question {
  readonly ask: string;
  answer(known: Known): Promise<void>;
}

/** A row of costs. */
export interface Group {
  readonly name: string | null;
  readonly id?: string;
  readonly provider?: string;
  readonly cost: number;
  readonly previous_cost?: number;
  readonly change?: number;
}

/** The sixth decimal is rounded, at times in two parts. */
const tolerance = 0.000_002;

/** Two figures are the same money. */
export function expectMoney(actual: number | undefined, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected), `${actual} for ${expected}`).toBeLessThan(tolerance);
}

/** Rows hold these figures, in this order, by name. */
export function expectRows(actual: readonly Group[], expected: readonly (readonly [string | null, number])[]): void {
  expect(actual.map(({ name }) => name)).toEqual(expected.map(([name]) => name));
  for (const [at, [, cost]] of expected.entries()) expectMoney(actual[at]?.cost, cost);
}

/** What line items that fit come to by a column, the largest first. */
export async function ranked(
  exports: Exports,
  column: string,
  where: string,
): Promise<readonly (readonly [string | null, number])[]> {
  const rows = await exports.rows(
    `SELECT ${column} AS name, CAST(sum(usd) AS DOUBLE) AS cost FROM lines WHERE ${where} GROUP BY 1 ORDER BY 2 DESC`,
  );
  return rows.map(({ name, cost }) => [name === null ? null : String(name), Number(cost)]);
}

/** Days as the sample's today, 21 November 2026, has them; bills are complete through the 19th. */
export const days = {
  lastMonth: `day BETWEEN '2026-10-01' AND '2026-10-31'`,
  monthBefore: `day BETWEEN '2026-09-01' AND '2026-09-30'`,
  thisMonth: `day BETWEEN '2026-11-01' AND '2026-11-30'`,
  thisMonthComplete: `day BETWEEN '2026-11-01' AND '2026-11-19'`,
  sameDaysBefore: `day BETWEEN '2026-10-01' AND '2026-10-19'`,
  thisQuarter: `day BETWEEN '2026-10-01' AND '2026-11-21'`,
  thisYear: `day BETWEEN '2026-01-01' AND '2026-11-21'`,
  last30Complete: `day BETWEEN '2026-10-21' AND '2026-11-19'`,
} as const;
