import fs from 'node:fs';
import path from 'node:path';

/** Folders that this process has made. */
const own = new Set<string>();

/** Makes a private folder for an engine, and removes those of servers that are gone.
 *  @param parent absolute
 *  @returns its absolute path; ends with the process */
export function openScratch(parent: string): string {
  fs.mkdirSync(parent, { recursive: true });
  for (const name of fs.readdirSync(parent)) {
    const folder = path.join(parent, name);
    if (!own.has(folder) && !isInUse(Number.parseInt(name, 10))) fs.rmSync(folder, { recursive: true, force: true });
  }
  const made = fs.mkdtempSync(path.join(parent, `${process.pid}-`));
  own.add(made);
  return made;
}

/** Removes a folder that `openScratch` made. */
export function closeScratch(folder: string): void {
  own.delete(folder);
  fs.rmSync(folder, { recursive: true, force: true });
}

/** Whether another process is alive. A container's server may have the id of the one before it. */
function isInUse(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
