import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

type ChildName = 'loader' | 'engine';

/** A server in its own process, started like an operator does. */
export interface SpawnedServer {
  /** The URL of the server; empty for a worker. */
  readonly url: string;
  /** Kills the process with SIGKILL, alone or with all its child processes. */
  kill(everything: boolean): Promise<void>;
  /** Kills its loader processes or its engine with SIGKILL, if they are running. */
  killChild(name: ChildName): void;
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
  const url = await addressOf(child);
  const children = (name: ChildName) =>
    childrenOf(child.pid ?? 0).filter((pid) => commandOf(pid).includes(`/${name}/main.ts`));
  return {
    url,
    async kill(everything) {
      const { pid } = child;
      if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(everything ? -pid : pid, 'SIGKILL');
      await exited;
    },
    killChild(name) {
      for (const pid of children(name)) process.kill(pid, 'SIGKILL');
    },
    hasChild: (name) => children(name).length > 0,
    async stop() {
      if (child.kill('SIGTERM')) await exited;
    },
  };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Empty if it has ended meanwhile. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const url = /listens on (https?:\/\/[^\s;]+)[\s;]/.exec(said)?.[1];
      if (url || said.includes('processes background jobs')) resolve(url ?? '');
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code, signal) => reject(new Error(`The server ended with ${code ?? signal}: ${said}`)));
  });
}
