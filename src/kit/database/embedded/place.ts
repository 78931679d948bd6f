import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Log } from '../../log.ts';
import { keyFromFile, makeDataDir } from '../../secrets/keys.ts';

/** The user that runs the database's processes. Empty: our own. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** Location and user of the embedded database. */
export interface Place {
  readonly user: User;
  /** Folder that contains all database files; its user can traverse it. */
  readonly home: string;
  /** PostgreSQL's data folder, private to the user. */
  readonly data: string;
  /** Folder of the socket, private to the user: access to it is required to connect. */
  readonly run: string;
}

/** The data folder is tied to a major version. */
const DATA_NAME = 'pg18';

/** Maximum length of a socket path in bytes. The system allows 108 (104 on macOS), including the terminator. */
const MAX_SOCKET_PATH = 100;

/** Chooses and creates the folders. PostgreSQL refuses to run as root, and its user must be able to reach them: if
 *  `dataDir` is in a private folder, such as root's home, the database goes to /var/lib and the log shows where.
 *  @throws {Error} if the data folder belongs to another user */
export function preparePlace(dataDir: string, log: Log): Place {
  makeDataDir(dataDir);
  const user = chooseUser(path.join(dataDir, DATA_NAME));
  const home = user.uid === undefined || canEnter(user, dataDir) ? dataDir : elsewhere(dataDir);
  if (home !== dataDir) log.info({ home }, `The database's user cannot enter ${dataDir}; the database is in ${home}`);
  const data = path.join(home, DATA_NAME);
  refuseForeign(data, user);
  refuseOtherMajor(home, data);
  return { user, home, data, run: runFolder(home, data, user) };
}

/** Whether the user can enter the folder, considering modes, groups, ACLs and mounts. */
function canEnter(user: User, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** As root: the owner of existing data, otherwise `postgres`, otherwise `nobody`. Not as root: ourselves. */
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

/** A reachable folder derived from an id in the data folder, so it stays the same if that folder is moved. A
 *  recreated data folder, for example after a fresh clone, gets a new, empty database instead of another one's. */
function elsewhere(dataDir: string): string {
  const id = Buffer.from(keyFromFile(dataDir, 'database.id')).toString('hex');
  const home = path.join('/var/lib/costkeep', shortHash(id));
  for (const folder of [path.dirname(home), home]) {
    fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(folder, 0o711); // regardless of the umask
  }
  return home;
}

function refuseForeign(data: string, user: User): void {
  const owner = fs.statSync(data, { throwIfNoEntry: false })?.uid;
  const expected = user.uid ?? process.getuid?.();
  if (owner === undefined || owner === expected) return;
  throw new Error(
    `${data} belongs to user ${owner}, not to ${expected}: start as user ${owner}, or set another DATA_DIR`,
  );
}

/** A new, empty database beside the data of another major version would look like lost data. */
function refuseOtherMajor(home: string, data: string): void {
  if (fs.existsSync(data)) return;
  const other = fs
    .readdirSync(home)
    .find((name) => /^pg\d+$/.test(name) && fs.existsSync(path.join(home, name, 'PG_VERSION')));
  if (other === undefined) return;
  const [old, now] = [other, DATA_NAME].map((name) => name.slice(2));
  throw new Error(
    `${path.join(home, other)} is data of PostgreSQL ${old}, and this version of Costkeep has PostgreSQL ${now}. With the version that wrote it, run "npm run backup -- FILE"; then move ${path.join(home, other)} away, and run "npm run restore -- FILE" with this version`,
  );
}

function runFolder(home: string, data: string, user: User): string {
  const near = path.join(home, 'run');
  const fits = Buffer.byteLength(near) + '/.s.PGSQL.5432.lock'.length < MAX_SOCKET_PATH;
  const run = fits ? near : path.join(os.tmpdir(), `costkeep-${shortHash(data)}`);
  makePrivate(run, user);
  return run;
}

/** Creates a folder that only the user can enter.
 *  @throws {Error} if something else exists at that path: temporary folders are shared with other users */
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

/** Twelve hexadecimal digits of a path's hash. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
