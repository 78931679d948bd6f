import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const KEY_BYTES = 32;

/** Reads a key from the data folder, or generates it there (mode 0600) if the file is missing.
 *  @throws {Error} if the file exists but contains no key: a new one would make the data encrypted with the old one
 *  unreadable */
export function keyFromFile(dataDir: string, name: string): Uint8Array {
  const file = path.join(dataDir, name);
  makeDataDir(dataDir);
  if (!fs.existsSync(file)) publish(file, randomBytes(KEY_BYTES).toString('base64'));
  const key = Buffer.from(readKeys(dataDir, name) ?? '', 'base64');
  if (key.length !== KEY_BYTES)
    throw new Error(`${file} does not contain a key of ${KEY_BYTES} bytes in base64; restore it from a backup`);
  return key;
}

/** Reads keys from the data folder like `existingKeys`. Generates one if the file is missing. */
export function keysFromFile(dataDir: string, name: string): Uint8Array[] {
  const keys = existingKeys(dataDir, name);
  return keys.length > 0 ? keys : [keyFromFile(dataDir, name)];
}

/** Reads keys from the data folder: the current one first, older ones after it, comma-separated as in the variable.
 *  @returns none if the file is missing
 *  @throws {Error} if the file exists but cannot be read or contains something else */
export function existingKeys(dataDir: string, name: string): Uint8Array[] {
  const file = path.join(dataDir, name);
  const text = readKeys(dataDir, name);
  if (text === null) return [];
  const keys = text.split(',').map((key) => Buffer.from(key.trim(), 'base64'));
  if (keys.some((key) => key.length !== KEY_BYTES))
    throw new Error(`${file} does not contain keys of ${KEY_BYTES} bytes in base64; restore it from a backup`);
  return keys;
}

/** @returns null if the file is missing */
function readKeys(dataDir: string, name: string): string | null {
  const file = path.join(dataDir, name);
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code !== 'EACCES') throw cause;
    // Reports a data folder of another user.
    makeDataDir(dataDir);
    const [owner, own] = [ownerOf(file), process.getuid?.()];
    const problem = owner === own ? 'cannot be read' : `belongs to user ${owner}, not to ${own}`;
    throw new Error(`${file} ${problem}; run: ${owner === own ? 'chmod 600' : `chown ${own}`} ${file}`, { cause });
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}

/** Id of a user; null if it cannot be read. */
function ownerOf(at: string): number | null {
  try {
    return fs.statSync(at).uid;
  } catch {
    return null;
  }
}

/** A file of keys that was written. */
export interface WrittenKeys {
  readonly file: string;
  /** Path of the previous file, which had other keys; null if there was none. */
  readonly kept: string | null;
  /** Puts the previous file back. */
  undo(): void;
  /** Removes the previous keys from the file. */
  settle(): void;
}

/** Writes keys to the data folder. Until `settle`, the previous keys stay after them, so that a server can read either database
 *  if the process is killed before its transaction ends.
 *  @param aside suffix of an existing file with other keys, which is kept
 *  @returns null if the file has these keys already */
export function writeKeys(
  dataDir: string,
  name: string,
  { keys, aside }: { readonly keys: readonly string[]; readonly aside: string },
): WrittenKeys | null {
  const file = path.join(dataDir, name);
  makeDataDir(dataDir);
  const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : null;
  if (before === keys.join(',')) return null;
  const kept = before === null ? null : path.join(dataDir, `${name}.${aside}`);
  if (kept !== null) fs.copyFileSync(file, kept, fs.constants.COPYFILE_EXCL);
  replaceKeys(file, [...new Set([...keys, ...(before?.split(',').map((key) => key.trim()) ?? [])])]);
  const undo = () => (kept === null ? fs.rmSync(file, { force: true }) : fs.renameSync(kept, file));
  return { file, kept, undo, settle: () => replaceKeys(file, keys) };
}

/** Writes a file of keys atomically. */
function replaceKeys(file: string, keys: readonly string[]): void {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, `${keys.join(',')}\n`, { mode: 0o600 });
  fs.renameSync(draft, file);
}

/** Creates the data folder: private to us, but traversable for the database's user if we are root.
 *  @throws {Error} if it cannot be created or is not writable */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    fs.accessSync(dataDir, fs.constants.W_OK);
  } catch (cause) {
    const owner = codeOf(cause) === 'EACCES' ? ownerOf(dataDir) : null;
    const own = process.getuid?.();
    if (owner !== null && owner !== own)
      throw new Error(
        `DATA_DIR: ${dataDir} belongs to user ${owner}, not to ${own}; run: chown ${own} ${dataDir}; or set another DATA_DIR`,
        { cause },
      );
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `DATA_DIR: ${dataDir} cannot be used (${reason}); set it to a folder that the server can write to`,
      { cause },
    );
  }
}

/** Creates a folder and its parents. Node's recursive mkdir never returns below `/proc`. */
function makeFolder(folder: string, mode: number): void {
  if (isFolder(folder)) return;
  makeFolder(path.dirname(folder), mode);
  try {
    fs.mkdirSync(folder, mode);
  } catch (error) {
    if (!isFolder(folder)) throw error; // otherwise another process was faster
  }
}

function isFolder(folder: string): boolean {
  return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Writes the file atomically; if two processes start at once, the first one's file stays. */
function publish(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, `${text}\n`, { mode: 0o600 });
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if (!fs.existsSync(file)) throw error;
  } finally {
    fs.rmSync(draft);
  }
}
