import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'costkeep-tests-';
const ROOM_BYTES = 4 * 2 ** 30;

/** A folder for all files of a run, in memory if there is space: creating a database on disk takes five times as long.
 *  Nothing in it needs to outlive the run. */
export function openScratch(): { folder: string; remove(): void } {
  const place = hasRoom() ? MEMORY : os.tmpdir();
  removeOrphans(place);
  const folder = fs.mkdtempSync(path.join(place, `${PREFIX}${process.pid}-`));
  fs.chmodSync(folder, 0o711); // root's database user must be able to pass through it
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Containers have little shared memory by default, and may not run programs from it, which the database needs if its
 *  user cannot reach ours. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES && mayRun(MEMORY);
  } catch {
    return false;
  }
}

function mayRun(place: string): boolean {
  const folder = fs.mkdtempSync(path.join(place, 'costkeep-probe-'));
  try {
    const program = path.join(folder, 'program');
    fs.writeFileSync(program, '', { mode: 0o700 });
    fs.accessSync(program, fs.constants.X_OK);
    return true;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Leftovers of killed runs would stay in memory. */
function removeOrphans(place: string): void {
  for (const name of fs.readdirSync(place)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (!Number.isNaN(pid) && !isAlive(pid)) fs.rmSync(path.join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
