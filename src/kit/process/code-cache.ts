import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';

// A sync starts two processes, a look at an account and a report one. Half of their start, and a quarter of the server's, is
// reading code that has not changed since it was last read, so what V8 made of it is kept in the data folder. An entry names
// the version and the hash of its source; what Node cannot use it makes anew.

/** Lets this process keep its compiled code; to be called before most of it is imported. */
export function useCodeCache(dataDir: string): void {
  enableCompileCache(folderIn(dataDir));
}

/** The variables of a child process that keeps its compiled code.
 *  @param dataDir absolute path of the data folder */
export function codeCacheOf(dataDir: string): Record<string, string> {
  return { NODE_COMPILE_CACHE: folderIn(dataDir) };
}

function folderIn(dataDir: string): string {
  return path.join(dataDir, 'cache', 'code');
}

/** To be called when the code is loaded: a process that is killed later, not ended, would keep nothing. */
export function keepCompiledCode(): void {
  flushCompileCache();
}
