// npm run migrate -- new NAME   writes the changes of schema.prisma that the migrations lack, and generates the client
// npm run migrate -- check      fails if the two differ
//
// Prisma's CLI would download an engine. The same engine in WebAssembly needs neither a download nor a server: it applies
// the migrations to a PostgreSQL in memory (PGlite) and compares.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import { PrismaPGlite } from 'pglite-prisma-adapter';

const root = path.resolve(import.meta.dirname, '../..');
const SCHEMA = path.join(root, 'prisma/schema.prisma');
const FOLDER = path.join(root, 'prisma/migrations');

/**
 * The difference between migrations and schema.prisma, as text or as SQL; null if there is none.
 */
export async function difference(form: 'text' | 'sql'): Promise<string | null> {
  const schema = { path: SCHEMA, content: fs.readFileSync(SCHEMA, 'utf8') };
  loadEngine();
  const prisma = await engine.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(inMemory()),
  );
  const result = await prisma.diff({
    from: writtenMigrations(),
    to: { tag: 'schemaDatamodel', files: [schema] },
    script: form === 'sql',
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  return result.exitCode === 0 ? null : (result.stdout ?? '');
}

/** Instantiates the engine's WebAssembly, which its package leaves to the caller. */
function loadEngine(): void {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const wasm = new WebAssembly.Module(fs.readFileSync(path.join(path.dirname(entry), 'schema_engine_bg.wasm')));
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => console.error(message) },
  });
  const instance = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': { ...engine } });
  engine.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start === 'function') start();
}

/** New databases in memory. The adapter's own executeScript does not await, and loses errors. */
function inMemory(): SqlMigrationAwareDriverAdapterFactory {
  const connect = async () => {
    const database = new PGlite({ extensions: { pg_trgm } });
    const adapter = await new PrismaPGlite(database).connect();
    return Object.assign(adapter, { executeScript: async (script: string) => void (await database.exec(script)) });
  };
  const factory = new PrismaPGlite(new PGlite({ extensions: { pg_trgm } }));
  return Object.assign(factory, { connect, connectToShadowDb: connect });
}

function writtenMigrations() {
  const entries = fs.existsSync(FOLDER) ? fs.readdirSync(FOLDER, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const read = (name: string) => fs.readFileSync(path.join(FOLDER, name, 'migration.sql'), 'utf8');
  return {
    tag: 'migrations' as const,
    baseDir: FOLDER,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: names.toSorted().map((name) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: read(name) } },
    })),
  };
}

/** Generates the client in `prisma/generated`: with an old one, code that needs the change does not compile, and code that
 *  lacks it does. As `postinstall` in package.json, without a download of Prisma's engine. */
function generateClient(): boolean {
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' };
  return spawnSync('prisma', ['generate', '--no-hints'], { cwd: root, env, stdio: 'inherit' }).status === 0;
}

async function write(name: string): Promise<number> {
  if (!generateClient()) return say('prisma generate failed: correct prisma/schema.prisma', 1);
  const sql = await difference('sql');
  if (sql === null) return say('Nothing to write: the migrations agree with prisma/schema.prisma', 0);
  const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const folder = path.join(FOLDER, `${stamp}_${name}`);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'migration.sql'), sql);
  return say(`Wrote ${path.relative(root, folder)}/migration.sql; read it before you commit it`, 0);
}

async function check(): Promise<number> {
  const found = await difference('text');
  if (found === null) return say('The migrations agree with prisma/schema.prisma', 0);
  return say(`${found}\nThe migrations differ from prisma/schema.prisma: run  npm run migrate -- new NAME`, 1);
}

function say(text: string, code: number): number {
  console.log(text);
  return code;
}

async function main([command, name]: readonly string[]): Promise<number> {
  if (command === 'check') return check();
  if (command === 'new' && name && /^[a-z0-9_]+$/.test(name)) return write(name);
  return say('Usage: npm run migrate -- new NAME (a-z, 0-9, _) | check', 2);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(await main(process.argv.slice(2)));
