import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export type ChildName = 'loader' | 'connector' | 'engine';

/** A server in its own process, started like an operator does. */
export interface SpawnedServer {
  /** The URL of the server; empty for a worker. */
  readonly url: string;
  readonly pid: number;
  /** Whether the process has ended. */
  hasEnded(): boolean;
  /** Its output so far. */
  said(): string;
  /** Kills the process with SIGKILL, alone or with all its child processes. */
  kill(everything: boolean): Promise<void>;
  /** Kills its processes of this kind with SIGKILL.
   *  @returns how many were running */
  killChild(name: ChildName): number;
  /** Returns whether it has such a process. */
  hasChild(name: ChildName): boolean;
  /** Stops it gracefully, including its database. */
  stop(): Promise<void>;
}

const main = path.resolve(import.meta.dirname, '../../src/main.ts');

/** Starts a server, or a worker alone, with the given environment, and waits until it listens. Throws with its output if it
 *  exits instead.
 *  @param program the program and its first arguments; by default, the source */
export async function spawnServer(
  env: Readonly<Record<string, string>>,
  command: 'serve' | 'work' = 'serve',
  [program, ...args]: readonly [string, ...string[]] = [process.execPath, main],
): Promise<SpawnedServer> {
  // Its own process group, so that all of it can be killed.
  const child = spawn(program, [...args, command], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const output = { text: '' };
  const url = await addressOf(child, output);
  const children = (name: ChildName) =>
    // Of the source, or of the build.
    childrenOf(child.pid ?? 0).filter((pid) => new RegExp(`\\b${name}[/-]main\\.[jt]s`).test(commandOf(pid)));
  return {
    url,
    pid: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    said: () => output.text,
    async kill(everything) {
      const { pid } = child;
      if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(everything ? -pid : pid, 'SIGKILL');
      await exited;
    },
    killChild(name) {
      return children(name).filter((pid) => killed(pid)).length;
    },
    hasChild: (name) => children(name).length > 0,
    async stop() {
      if (child.kill('SIGTERM')) await exited;
    },
  };
}

/** Returns whether it was still running. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Empty if it has ended. */
function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return [];
  }
}

/** Empty if it has ended meanwhile. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Longest output that is kept, in characters. */
const longestOutput = 1_000_000;

function addressOf(child: ChildProcess, output: { text: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output.text = (output.text + chunk.toString()).slice(-longestOutput);
      const url = /listens on (https?:\/\/[^\s;]+)[\s;]/.exec(output.text)?.[1];
      if (url || output.text.includes('processes background jobs')) resolve(url ?? '');
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code, signal) => reject(new Error(`The server ended with ${code ?? signal}: ${output.text}`)));
  });
}
