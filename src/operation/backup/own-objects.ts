import type pg from 'pg';
import type { Migration } from '../../kit/database/migrate.ts';

/** Names that migrations leave in a schema. */
export interface ObjectNames {
  readonly tables: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

/** A table with the columns that can be written. */
export interface OwnTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Approximate size. */
  readonly bytes: number;
}

/** Tables that are not data: a restore writes the first one itself, and the processes listed in the second one have ended by then. */
const leftOut: readonly string[] = ['_prisma_migrations', 'worker_processes'];

const statementPattern = /^\s*(CREATE|DROP)\s+(TABLE|TYPE|FUNCTION)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"(\w+)"/gim;

/** The tables, types and functions that exist after migrations. Everything else in the schema belongs to others. */
export function objectsOf(migrations: readonly Pick<Migration, 'statements'>[]): ObjectNames {
  const names = { TABLE: new Set(['_prisma_migrations']), TYPE: new Set<string>(), FUNCTION: new Set<string>() };
  for (const statement of migrations.flatMap(({ statements }) => statements))
    for (const [, verb = '', kind = '', name = ''] of statement.matchAll(statementPattern)) {
      const known = names[kind.toUpperCase() as keyof typeof names];
      if (verb.toUpperCase() === 'CREATE') known.add(name);
      else known.delete(name);
    }
  return { tables: names.TABLE, types: names.TYPE, functions: names.FUNCTION };
}

/** Lists the tables of migrations that hold data, and the names of the schema's other tables, except for those of extensions. */
export async function listTables(
  client: pg.ClientBase,
  migrations: readonly Pick<Migration, 'statements'>[],
): Promise<{ own: OwnTable[]; foreign: string[] }> {
  const { tables } = objectsOf(migrations);
  const { rows } = await client.query<{ name: string; columns: string[]; bytes: string }>(
    `/* listTables */ SELECT c.relname AS name, pg_table_size(c.oid)::text AS bytes,
       array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL($1) AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     GROUP BY c.oid ORDER BY c.relname`,
    [leftOut],
  );
  const own = rows.filter(({ name }) => tables.has(name)).map((row) => ({ ...row, bytes: Number(row.bytes) }));
  return { own, foreign: rows.map(({ name }) => name).filter((name) => !tables.has(name)) };
}

/** A sequence, whose value is the last one that was taken. */
export interface OwnSequence {
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

/** Lists the sequences of columns of these tables, and the names of the schema's other sequences. */
export async function listSequences(
  client: pg.ClientBase,
  tables: readonly Pick<OwnTable, 'name'>[],
): Promise<{ own: OwnSequence[]; foreign: string[] }> {
  const { rows } = await client.query<OwnSequence & { owner: string | null }>(
    `/* listSequences */ SELECT s.sequencename AS name, coalesce(s.last_value, s.start_value)::text AS value,
       s.last_value IS NOT NULL AS "isCalled",
       (SELECT t.relname FROM pg_depend d JOIN pg_class t ON t.oid = d.refobjid
        WHERE d.objid = c.oid AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass LIMIT 1) AS owner
     FROM pg_sequences s
     JOIN pg_class c ON c.relname = s.sequencename AND c.relnamespace = current_schema()::regnamespace
     WHERE s.schemaname = current_schema() ORDER BY 1`,
  );
  const names = new Set(tables.map(({ name }) => name));
  const isOwn = ({ owner }: { owner: string | null }) => owner !== null && names.has(owner);
  const own = rows.filter(isOwn).map(({ name, value, isCalled }) => ({ name, value, isCalled }));
  return { own, foreign: rows.filter((row) => !isOwn(row)).map(({ name }) => name) };
}
