import { type FactColumn, factColumns, factVersion } from './codebook.ts';
import type { FactPart, FactSet } from './fact-set.ts';

/** Quotes a string literal for SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes an identifier for SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Matches leading comments, then WITH. */
const opening = /^(?:\s|\/\*[^]*?\*\/|--.*\n)*WITH\b(\s+RECURSIVE\b)?/i;

/** Prepends the relation `facts` to a query. It filters the set's files by the set's organization and accounts: the files are
 *  already in scope, but even a wrong selection must not expose other data.
 *  @param sql starts with SELECT or WITH
 *  @param pathOf returns the local path of a file */
export function withFacts(sql: string, facts: FactSet, pathOf: (key: string) => string): string {
  const relation = `facts AS NOT MATERIALIZED (${relationOf(facts, pathOf)})`;
  const first = opening.exec(sql);
  if (!first) return `WITH ${relation} ${sql}`;
  return `WITH${first[1] ? ' RECURSIVE' : ''} ${relation}, ${sql.slice(first[0].length)}`;
}

function relationOf(facts: FactSet, pathOf: (key: string) => string): string {
  const selects = facts.parts.flatMap((part) => selectsOf(part, facts, pathOf));
  return selects.length === 0 || facts.accountIds.length === 0 ? noRows() : selects.join(' UNION ALL ');
}

/** Returns one SELECT per file schema: DuckDB reads a list of files with the types of the first, and would round. Decimals keep
 *  the types of their files, since wider ones take twice as long; UNION ALL picks a type that fits all. */
function selectsOf(
  { files, start, end }: FactPart,
  { organizationId, accountIds }: FactSet,
  pathOf: (key: string) => string,
): string[] {
  const conditions = [
    `x_OrganizationId = ${literal(organizationId)}`,
    `x_AccountId IN (${accountIds.map(literal).join(', ')})`,
    ...(start === null ? [] : [`ChargePeriodStart >= TIMESTAMP ${literal(start)}`]),
    ...(end === null ? [] : [`ChargePeriodStart < TIMESTAMP ${literal(end)}`]),
  ];
  return [...Map.groupBy(files, ({ decimals, version }) => `${version} ${decimals}`).values()].map((alike) => {
    const columns = columnsOf(alike[0]?.version ?? factVersion);
    const paths = alike.map(({ key }) => literal(pathOf(key))).join(', ');
    return `SELECT ${columns} FROM read_parquet([${paths}], hive_partitioning = false) WHERE ${conditions.join(' AND ')}`;
  });
}

/** Returns the SELECT list of all fact columns, over files of a version. */
function columnsOf(version: number): string {
  const column = ({ name, type, since }: FactColumn) =>
    since > version ? `NULL::${type} AS ${identifier(name)}` : identifier(name);
  return factColumns.map(column).join(', ');
}

function noRows(): string {
  const empty = factColumns.map(({ name, type }) => `NULL::${type} AS ${identifier(name)}`);
  return `SELECT ${empty.join(', ')} WHERE false`;
}

/** Returns DuckDB SQL of the keys of a charge's tags; of keys that differ only in case, the first, so that a charge counts once
 *  per key.
 *  @param tags SQL of a JSON object with sorted keys */
export function tagKeysSql(tags: string): string {
  const keys = `json_keys(${tags})`;
  const folded = `list_transform(${keys}, lambda key: lower(key))`;
  // Compares neighbours: to search the list for each of its keys would take quadratic time and memory.
  const sorted = `list_sort(list_zip(${folded}, range(len(${keys})), ${keys}))`;
  const firsts = `list_filter(list_zip(${sorted}, list_prepend(NULL, ${sorted}), true), lambda pair: pair[1][1] IS DISTINCT FROM pair[2][1])`;
  const isDistinct = `len(list_distinct(${folded})) = len(${keys})`;
  return `CASE WHEN ${isDistinct} THEN ${keys} ELSE list_transform(${firsts}, lambda pair: pair[1][3]) END`;
}
