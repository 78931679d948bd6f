import fs from 'node:fs';
import path from 'node:path';

/** A running process of an installation. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** Of the embedded database: a PostgreSQL process, or the shell that watches it. */
  readonly isDatabase: boolean;
}

/** Returns the processes that were started for a folder: the folder is in their command line or environment, or their working directory. */
export function processesOf(folder: string): Process[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => processAt(folder, Number(name)))
    .filter((found) => found !== null);
}

function processAt(folder: string, pid: number): Process | null {
  const at = `/proc/${pid}`;
  try {
    const [, state = '', parent = ''] = /\) (\S) (\d+)/.exec(fs.readFileSync(`${at}/stat`, 'utf8')) ?? [];
    if (state === 'Z' || state === 'X') return null;
    const command = fs.readFileSync(`${at}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const cwd = fs.readlinkSync(`${at}/cwd`);
    const isOurs = [command, fs.readFileSync(`${at}/environ`, 'utf8'), cwd].some((text) => text.includes(folder));
    const isDatabase = /^\S*postgres\b|^\/bin\/sh -c exec 3</.test(command);
    return isOurs ? { pid, parent: Number(parent), command, isDatabase } : null;
  } catch {
    return null; // ended meanwhile, or of another user
  }
}

/** Returns the processes whose parent is neither given nor one of them: their parent has ended. */
export function orphansOf(folder: string, parents: readonly number[]): Process[] {
  const all = processesOf(folder).filter(({ isDatabase }) => !isDatabase);
  const known = new Set([...parents, ...all.map(({ pid }) => pid)]);
  return all.filter(({ pid, parent }) => !parents.includes(pid) && !known.has(parent));
}

/** Process id of the embedded PostgreSQL of a data folder; null if it does not run. */
export function postmasterOf(dataDir: string): number | null {
  try {
    const text = fs.readFileSync(path.join(dataDir, 'pg18', 'postmaster.pid'), 'utf8');
    return Number.parseInt(text, 10) || null;
  } catch {
    return null;
  }
}

/** Sends SIGKILL.
 *  @returns whether the process was still running */
export function killProcess(pid: number, signal: NodeJS.Signals = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
