import { DuckDBInstance } from '@duckdb/node-api';
import { literal } from '../../../src/engine/sql.ts';
import { functional, mandatory, rules } from './rules.ts';

/** Runs the FOCUS 1.2 rules over CSV files. Columns that the files lack break only the rule that they must be there.
 *  @returns a line for each broken rule: its name, the number of rows that break it, and their first value */
export async function brokenRules(files: readonly string[]): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const duck = await instance.connect();
  const rowsOf = async (sql: string) => (await duck.runAndReadAll(sql)).getRowObjectsJson();
  const paths = files.map(literal).join(', ');
  await duck.run(`CREATE TABLE bill AS FROM read_csv([${paths}], all_varchar = true, nullstr = '', header = true)`);
  const described = await rowsOf('SELECT column_name AS name FROM (DESCRIBE bill)');
  const columns = new Set(described.map(({ name }) => String(name)));
  const has = (needed: readonly string[]) => needed.every((name) => columns.has(name));
  const broken = mandatory.filter((name) => !columns.has(name)).map((name) => `${name} is missing`);
  for (const { name, columns: needed, broken: condition } of rules.filter((rule) => has(rule.columns))) {
    const [row] = await rowsOf(
      `SELECT count(*)::INT AS rows, first(${needed[0]}) AS value FROM bill WHERE ${condition}`,
    );
    if (Number(row?.['rows']) > 0)
      broken.push(`${name}; violations: ${String(row?.['rows'])}, first value: ${String(row?.['value'])}`);
  }
  for (const [one, other] of functional.filter(has)) {
    const sql = `SELECT ${one} AS value FROM bill WHERE ${one} IS NOT NULL GROUP BY ${one} HAVING count(DISTINCT ${other}) > 1 ORDER BY 1`;
    for (const { value } of await rowsOf(sql)) broken.push(`${one} ${String(value)} has several ${other}`);
  }
  duck.closeSync();
  instance.closeSync();
  return broken;
}
