import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Log } from '../../log.ts';
import { keyFromFile, makeDataDir } from '../../secrets/keys.ts';

/** The user that the database's processes run as. Empty: ours. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** Where the embedded database lives, and as whom it runs. */
export interface Place {
  readonly user: User;
  /** Folder that holds everything of the database; the user can pass through it. */
  readonly home: string;
  /** PostgreSQL's data folder, private to the user. */
  readonly data: string;
  /** Folder of the socket, private to the user: who cannot enter it cannot connect. */
  readonly run: string;
}

/** The data folder is tied to a major version. */
const DATA_NAME = 'pg18';

/** A socket's path has 108 bytes at most (104 on macOS), its terminator included. */
const MAX_SOCKET_PATH = 100;

/** Chooses and makes the folders. PostgreSQL refuses to run as root, and its user must be able to reach them: where
 *  `dataDir` lies in a private folder, such as root's home, the database goes to /var/lib and the log says so.
 *  @throws {Error} when the data folder belongs to somebody else */
export function preparePlace(dataDir: string, log: Log): Place {
  makeDataDir(dataDir);
  const user = chooseUser(path.join(dataDir, DATA_NAME));
  const home = user.uid === undefined || canEnter(user, dataDir) ? dataDir : elsewhere(dataDir);
  if (home !== dataDir) log.info({ home }, `The database's user cannot enter ${dataDir}; the database is in ${home}`);
  const data = path.join(home, DATA_NAME);
  refuseForeign(data, user);
  return { user, home, data, run: runFolder(home, data, user) };
}

/** True when the user can enter the folder, whatever decides it: modes, groups, access lists, mounts. */
function canEnter(user: User, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** As root: the owner of the data that is already there, else `postgres`, else `nobody`. Otherwise ourselves. */
function chooseUser(data: string): User {
  if (process.getuid?.() !== 0) return {};
  const owner = fs.statSync(data, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return lookUp('postgres') ?? lookUp('nobody') ?? { uid: 65_534, gid: 65_534 };
}

function lookUp(name: string): User | null {
  const read = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
  const user = { uid: read('-u'), gid: read('-g') };
  return user.uid > 0 ? user : null;
}

/** A reachable folder that is always the same for one data folder, wherever that is moved; but one that is made anew in the
 *  old one's place, such as after a fresh clone, begins with an empty database and not with a stranger's. */
function elsewhere(dataDir: string): string {
  const id = Buffer.from(keyFromFile(dataDir, 'database.id')).toString('hex');
  const home = path.join('/var/lib/costkeep', shortHash(id));
  for (const folder of [path.dirname(home), home]) {
    fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(folder, 0o711); // whatever the umask
  }
  return home;
}

function refuseForeign(data: string, user: User): void {
  const owner = fs.statSync(data, { throwIfNoEntry: false })?.uid;
  const expected = user.uid ?? process.getuid?.();
  if (owner === undefined || owner === expected) return;
  throw new Error(`${data} belongs to user ${owner}, not to ${expected}: start as that user, or set another DATA_DIR`);
}

function runFolder(home: string, data: string, user: User): string {
  const near = path.join(home, 'run');
  const fits = Buffer.byteLength(near) + '/.s.PGSQL.5432.lock'.length < MAX_SOCKET_PATH;
  const run = fits ? near : path.join(os.tmpdir(), `costkeep-${shortHash(data)}`);
  makePrivate(run, user);
  return run;
}

/** Makes a folder that the user alone can enter.
 *  @throws {Error} when something else stands in its place: a temporary folder is shared with strangers */
export function makePrivate(folder: string, user: User): void {
  if (!fs.existsSync(folder)) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (user.uid !== undefined && user.gid !== undefined) fs.chownSync(folder, user.uid, user.gid);
  }
  const found = fs.lstatSync(folder);
  const expected = user.uid ?? process.getuid?.() ?? found.uid;
  if (!found.isDirectory() || found.uid !== expected)
    throw new Error(`${folder} is not a folder of user ${expected}; remove it`);
  fs.chmodSync(folder, 0o700);
}

/** Twelve hexadecimal digits that stand for a path. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
