import fs from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import { makeDataDir } from '../secrets/keys.ts';

// A sync starts two processes; an account check and a report start one each. Half of their startup time, and a
// quarter of the server's, goes into compiling unchanged code, so V8's compile cache is kept in the data folder.
// Entries are keyed by version and source hash; Node recompiles what it cannot use.

/** Enables the compile cache for this process; call it before most modules are imported.
 *  @throws {Error} if the data folder cannot be used */
export function useCodeCache(dataDir: string): void {
  const folder = folderIn(dataDir);
  // Node would create the data folder, too, and open it to other users.
  makeDataDir(dataDir);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  enableCompileCache(folder);
}

/** Environment variables that enable the compile cache in a child process.
 *  @param dataDir absolute path of the data folder */
export function codeCacheOf(dataDir: string): Record<string, string> {
  return { NODE_COMPILE_CACHE: folderIn(dataDir) };
}

function folderIn(dataDir: string): string {
  return path.join(dataDir, 'cache', 'code');
}

/** Flushes the compile cache. Call it once the code is loaded: a killed process would not write its cache. */
export function keepCompiledCode(): void {
  flushCompileCache();
}
