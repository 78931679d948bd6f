import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { FactQuery } from '../engine/engine.ts';
import { openFacts, type FactRange } from '../engine/fact-set.ts';
import type { Deps } from '../kit/deps.ts';
import type { OrgScope } from '../tenancy/auth/scope.ts';

/** An engine query about an account whose result PostgreSQL joins as a temporary table. */
export interface FactTable {
  readonly name: string;
  /** Names and types in CREATE TABLE syntax, in the order of the result's columns. */
  readonly columns: string;
  readonly range: Omit<FactRange, 'accountIds'>;
  readonly query: FactQuery;
}

/** Query results staged as CSV files. */
export type StagedFacts = readonly { readonly table: FactTable; readonly path: string }[];

/** Has the engine write query results to files, because they can exceed memory. */
export async function stageFacts(
  { pool, engine }: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
  tables: readonly FactTable[],
): Promise<StagedFacts> {
  const staged: { table: FactTable; path: string }[] = [];
  try {
    for (const table of tables) {
      const facts = await openFacts(pool, scope, { accountIds: [accountId], ...table.range });
      staged.push({ table, path: await engine.write(facts, { lane: 'job', ...table.query }, 'csv') });
    }
    return staged;
  } catch (error) {
    await removeStaged(staged);
    throw error;
  }
}

/** Copies each result into a temporary table that is dropped at the end of the transaction. */
export async function copyFacts(client: pg.ClientBase, staged: StagedFacts): Promise<void> {
  for (const { table, path } of staged) {
    await client.query(`CREATE TEMP TABLE ${table.name} (${table.columns}) ON COMMIT DROP`);
    const copy = client.query(copyFrom(`COPY ${table.name} FROM STDIN (FORMAT csv, HEADER true)`));
    await pipeline(createReadStream(path), copy);
    // Without statistics, the planner assumes that a new table is small.
    await client.query(`ANALYZE ${table.name}`);
  }
}

/** Deletes the staged files. */
export async function removeStaged(staged: StagedFacts): Promise<void> {
  for (const { path } of staged) await rm(path, { force: true });
}
