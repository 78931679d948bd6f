import { identifier, literal } from '../../../../src/engine/sql.ts';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDuck, type Duck } from '../../../../src/ingest/sync/loader/duck.ts';

let base = '';
let duck: Duck;

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'costkeep-duck-'));
  await writeFile(path.join(base, 'bill.csv'), 'a\n1\n');
  await writeFile(path.join(base, 'other.csv'), 'a\nsecret\n');
  duck = await openDuck(path.join(base, 'job'), [path.join(base, 'bill.csv')], 200, 1);
});
afterAll(async () => {
  duck.close();
  await rm(base, { recursive: true });
});

describe('loader DuckDB', () => {
  it('reads the given files, and writes into its folder', async () => {
    expect(await duck.rows(`SELECT * FROM read_csv(${literal(path.join(base, 'bill.csv'))})`)).toEqual([{ a: '1' }]);
    await duck.run(`COPY (SELECT 1) TO ${literal(path.join(base, 'job/out.csv'))}`);
    expect(await readdir(path.join(base, 'job'))).toContain('out.csv');
  });

  it.each<[string, (folder: string) => string]>([
    ['read a file next to the given ones', (folder) => `SELECT * FROM read_csv('${folder}/other.csv')`],
    ['read any text', (folder) => `SELECT * FROM read_text('${folder}/other.csv')`],
    ['list a folder', (folder) => `SELECT * FROM glob('${folder}/*')`],
    ['leave its folder', (folder) => `SELECT * FROM read_csv('${folder}/job/../other.csv')`],
    ['read a system file', () => "SELECT * FROM read_text('/etc/hostname')"],
    ['write elsewhere', (folder) => `COPY (SELECT 1) TO '${folder}/out.csv'`],
    ['open another database', (folder) => `ATTACH '${folder}/other.db'`],
    ['reach the network', () => "SELECT * FROM read_csv('http://127.0.0.1:1/a.csv')"],
    ['install an extension', () => 'INSTALL httpfs'],
    ['load an extension', () => "LOAD '/tmp/evil.duckdb_extension'"],
    ['enable external access', () => 'SET enable_external_access = true'],
    ['raise its memory limit', () => "SET memory_limit = '100GB'"],
    ['allow another file', (folder) => `SET allowed_paths = ['${folder}/other.csv']`],
  ])('cannot %s', async (_what, sql) => {
    await expect(duck.rows(sql(base))).rejects.toThrow(/Permission|disabled|locked|allowed|not enabled/i);
  });

  it('follows no symbolic link in its folder to another file', async () => {
    await symlink(path.join(base, 'other.csv'), path.join(base, 'job/link.csv'));
    const rows = await duck.rows(`SELECT * FROM read_csv(${literal(path.join(base, 'job/link.csv'))})`).catch(() => []);
    expect(rows).toEqual([]);
  });

  it('quotes any file name', async () => {
    const name = `it's "odd"`;
    expect(await duck.rows(`SELECT ${literal(name)} AS ${identifier(name)}`)).toEqual([{ [name]: name }]);
  });
});
