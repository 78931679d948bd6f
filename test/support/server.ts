import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A server in a process of its own, as an operator starts it. */
export interface SpawnedServer {
  /** Where it listens. */
  readonly url: string;
  /** Ends it as `kill -9` does: the process alone, or with everything it started. */
  kill(everything: boolean): Promise<void>;
  /** Ends its loading processes or its engine as `kill -9` does, where they run. */
  killChild(name: 'loader' | 'engine'): void;
  /** Stops it in order, its database included. */
  stop(): Promise<void>;
}

const main = path.resolve(import.meta.dirname, '../../src/main.ts');

/** Starts `serve` and waits until it listens.
 *  @param env the whole environment of the process
 *  @throws {Error} with what it wrote, when it ends instead */
export async function spawnServer(env: Readonly<Record<string, string>>): Promise<SpawnedServer> {
  // A process group of its own, so that it can be killed whole.
  const child = spawn(process.execPath, [main, 'serve'], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await addressOf(child);
  return {
    url,
    async kill(everything) {
      const { pid } = child;
      if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(everything ? -pid : pid, 'SIGKILL');
      await exited;
    },
    killChild(name) {
      for (const pid of childrenOf(child.pid ?? 0))
        if (commandOf(pid).includes(`/${name}/main.ts`)) process.kill(pid, 'SIGKILL');
    },
    async stop() {
      if (child.kill('SIGTERM')) await exited;
    },
  };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Empty when it has ended meanwhile. */
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
      if (url) resolve(url);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code, signal) => reject(new Error(`The server ended with ${code ?? signal}: ${said}`)));
  });
}
