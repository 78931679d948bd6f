import { expect } from 'vitest';
import type { DemoWorld } from './demo-world.ts';
import type { Exports } from './exports.ts';

/** The means to answer and to verify a question; the verification never uses the same tool or endpoint. */
export interface Known extends Pick<DemoWorld, 'rest' | 'token'> {
  /** Calls a tool like an assistant. */
  readonly call: DemoWorld['callTool'];
  /** The files that the sample was loaded from. */
  readonly exports: Exports;
  /** Rows of the database. */
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs the queued jobs like a worker.
   *  @throws {Error} when none of them is of this task */
  work(task: string): Promise<void>;
}

/** A user's question, with the calls that answer it and their verification. */
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

/** Amounts are rounded to six decimals; some are sums of two rounded parts. */
const tolerance = 0.000_002;

/** Expects two equal amounts of money. */
export function expectMoney(actual: number | undefined, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected), `${actual} for ${expected}`).toBeLessThan(tolerance + 1e-9);
}

/** Expects rows with these names and amounts, in this order. */
export function expectRows(actual: readonly Group[], expected: readonly (readonly [string | null, number])[]): void {
  expect(actual.map(({ name }) => name)).toEqual(expected.map(([name]) => name));
  for (const [at, [, cost]] of expected.entries()) expectMoney(actual[at]?.cost, cost);
}

/** The sum of matching line items per value of a column, largest first. */
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

/** Date ranges relative to the sample's current date, November 21, 2026; bills are complete through the 19th. */
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
