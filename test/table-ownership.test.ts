import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

// Reads the SQL and the Prisma calls of the server, to show which area writes each table.

const root = path.resolve(import.meta.dirname, '..');

/** Files that write to a table passed as a parameter: for rows of one owner, or a restore, which fills all tables. */
const generic = new Set([
  'src/facts/costs/replace-store.ts',
  'src/facts/staged.ts',
  'src/facts/tags/evaluation/usage-store.ts',
  'src/facts/tags/evaluation/violation-store.ts',
  'src/kit/database/account-rows.ts',
  'src/operation/backup/restore/rows.ts',
  'src/tenancy/members/inherit-store.ts',
  'src/tenancy/org/delete-store.ts',
]);

/** Tables written by more than one area, and why. */
const shared: Readonly<Record<string, readonly string[]>> = {
  // Ingest owns the account; facts store the version and the days of the loaded data in it.
  accounts: ['facts', 'ingest'],
  // Facts write it; ingest/upgrade converts the rows of the previous version.
  billing_periods: ['facts', 'ingest'],
  // An account joins the scope of the restricted Admin who connects it.
  memberships: ['ingest', 'tenancy'],
  // Files are retired when months are replaced, and removed from the table when they are deleted.
  retired_fact_files: ['engine', 'ingest', 'kit'],
  // The demo sets the password of its user at each start.
  users: ['demo', 'tenancy'],
};

/** Tables by their Prisma model name in code. */
function prismaTables(): Map<string, string> {
  const schema = fs.readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8');
  const models = [...schema.matchAll(/^model (\w+) \{(.*?)^\}/gms)];
  return new Map(
    models.map(([, name = '', body = '']) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name,
    ]),
  );
}

const tables = prismaTables();
const known = new Set(tables.values());

interface Write {
  readonly file: string;
  /** Null if the name is computed. */
  readonly table: string | null;
}

function writesOf(file: string): Write[] {
  const source = fs.readFileSync(path.join(root, file), 'utf8');
  const sql = [...source.matchAll(/\b(?:INSERT INTO|DELETE FROM|UPDATE|COPY) (?:ONLY )?(\$\{[^}]+\}|\w+)/g)];
  const calls = source.matchAll(/\.(\w+)\.(?:create|update|upsert|delete)(?:Many|ManyAndReturn)?\(/g);
  const names = [
    ...sql.map(([, name = '']) => (name.startsWith('$') ? null : name)),
    ...[...calls].map(([, name = '']) => tables.get(name) ?? ''),
  ];
  return names.filter((table) => table === null || known.has(table)).map((table) => ({ file, table }));
}

function serverFiles(): string[] {
  const entries = fs.readdirSync(path.join(root, 'src'), { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  return files
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/^src\/(console|ingest\/sync\/loader)\//.test(file));
}

const writes = serverFiles().flatMap(writesOf);
const areaOf = (file: string) => file.split('/')[1] ?? '';

describe('table', () => {
  it('is written by one area', () => {
    const writers = Map.groupBy(
      writes.filter(({ table }) => table !== null),
      ({ table }) => table ?? '',
    );
    expect(writers.size).toBeGreaterThan(40);
    const byMany = [...writers].flatMap(([table, list]) => {
      const areas = [...new Set(list.map(({ file }) => areaOf(file)))].sort();
      return areas.length > 1 ? [[table, areas] as const] : [];
    });
    expect(Object.fromEntries(byMany)).toEqual(shared);
  });

  it('is named in the SQL that writes it, except in a few files', () => {
    const computed = writes.filter(({ table }) => table === null).map(({ file }) => file);
    expect([...new Set(computed)].sort()).toEqual([...generic].sort());
  });
});
