import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'costkeep-tests-';
const ROOM_BYTES = 4 * 2 ** 30;

/** A folder for all that a run writes, in memory where there is room: on a disk a database takes five times as long to
 *  make. Nothing of it need survive the run. */
export function openScratch(): { folder: string; remove(): void } {
  const place = hasRoom() ? MEMORY : os.tmpdir();
  removeOrphans(place);
  const folder = fs.mkdtempSync(path.join(place, `${PREFIX}${process.pid}-`));
  fs.chmodSync(folder, 0o711); // as root, the database's user must pass through it
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Containers have little of it unless they are told otherwise, and may run no program from it, as the database's is where
 *  its user cannot reach ours. */
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

/** What runs that were killed have left would stay in memory. */
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
