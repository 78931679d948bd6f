import { factColumns } from './codebook.ts';
import type { FactPart, FactSet } from './fact-set.ts';
import { identifier, literal } from './sql.ts';

/** Comments, then WITH. */
const opening = /^(?:\s|\/\*[^]*?\*\/|--.*\n)*WITH\b(\s+RECURSIVE\b)?/i;

/** Puts the relation `facts` before a query that reads it. Its rows are those of the set's files that belong to the set's
 *  organization and accounts: the files were chosen by scope already, and a wrong choice still shows nothing foreign.
 *  @param sql begins with SELECT or WITH
 *  @param pathOf the local path of a file */
export function withFacts(sql: string, facts: FactSet, pathOf: (key: string) => string): string {
  const relation = `facts AS NOT MATERIALIZED (${relationOf(facts, pathOf)})`;
  const first = opening.exec(sql);
  if (!first) return `WITH ${relation} ${sql}`;
  return `WITH${first[1] ? ' RECURSIVE' : ''} ${relation}, ${sql.slice(first[0].length)}`;
}

function relationOf(facts: FactSet, pathOf: (key: string) => string): string {
  const parts = facts.parts.filter((part) => part.files.length > 0);
  if (parts.length === 0 || facts.accountIds.length === 0) return noRows();
  return parts.map((part) => partOf(part, facts, pathOf)).join(' UNION ALL ');
}

function partOf({ files, start, end }: FactPart, facts: FactSet, pathOf: (key: string) => string): string {
  const conditions = [
    `x_OrganizationId = ${literal(facts.organizationId)}`,
    `x_AccountId IN (${facts.accountIds.map(literal).join(', ')})`,
    ...(start === null ? [] : [`ChargePeriodStart >= TIMESTAMP ${literal(start)}`]),
    ...(end === null ? [] : [`ChargePeriodStart < TIMESTAMP ${literal(end)}`]),
  ];
  const paths = files.map(({ key }) => literal(pathOf(key))).join(', ');
  const columns = factColumns.map(({ name }) => identifier(name)).join(', ');
  return `SELECT ${columns} FROM read_parquet([${paths}], hive_partitioning = false) WHERE ${conditions.join(' AND ')}`;
}

function noRows(): string {
  const columns = factColumns.map(({ name, type }) => `NULL::${type} AS ${identifier(name)}`);
  return `SELECT ${columns.join(', ')} WHERE false`;
}
