import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';

/** Shares the compile cache of other tests with the processes on this data folder: compiling takes each of them as long
 *  as all the rest. Call it before the first process starts. */
export function shareCodeCache(dataDir: string): void {
  mkdirSync(path.join(dataDir, 'cache'), { recursive: true });
  symlinkSync(inject('codeCache'), path.join(dataDir, 'cache', 'code'));
}
