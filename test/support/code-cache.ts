import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';

/** Lets the processes that a test starts over this data folder find the code that those of other tests compiled: each
 *  would compile it anew, for as long as it does all the rest. To be called before the first of them starts. */
export function shareCodeCache(dataDir: string): void {
  mkdirSync(path.join(dataDir, 'cache'), { recursive: true });
  symlinkSync(inject('codeCache'), path.join(dataDir, 'cache', 'code'));
}
