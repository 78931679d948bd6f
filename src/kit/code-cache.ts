import { flushCompileCache } from 'node:module';
import path from 'node:path';

// A sync starts two processes, and a look at an account one. Half of their start is reading code that has not changed since
// the last one read it, so what V8 made of it is kept in the data folder. An entry names the version and the hash of its
// source; what Node cannot use it makes anew.

/** The variables of a child process that keeps its compiled code.
 *  @param dataDir absolute path of the data folder */
export function codeCacheOf(dataDir: string): Record<string, string> {
  return { NODE_COMPILE_CACHE: path.join(dataDir, 'cache', 'code') };
}

/** Called by a child that has loaded its code: it is killed later, not ended, and would keep nothing. */
export function keepCompiledCode(): void {
  flushCompileCache();
}
