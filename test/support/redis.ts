import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A Redis for one test that stores nothing on disk. */
export interface TestRedis {
  /** In the format of REDIS_URL. */
  readonly url: string;
  readonly port: number;
  /** Sends a signal: SIGKILL stops it immediately, SIGSTOP makes it hang, SIGCONT resumes it. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
}

/** Path of redis-server on this machine; null if missing. */
export function findRedis(): string | null {
  const folders = ['/usr/bin', '/usr/local/bin', ...(process.env['PATH'] ?? '').split(':')];
  return folders.map((folder) => path.join(folder, 'redis-server')).find((file) => fs.existsSync(file)) ?? null;
}

/** Starts one on a free port that requires the given password. */
export async function startRedis(program: string, password = 'a/b:c@d'): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | null = null;
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--requirepass', password];
  const start = async () => {
    child = spawn(program, [...args, '--dir', '/tmp'], { stdio: 'ignore' });
    await untilListening(port, child);
  };
  await start();
  return {
    url: `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    port,
    start,
    async signal(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = signal === 'SIGKILL' ? once(child, 'exit') : null;
      child.kill(signal);
      await gone;
    },
  };
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    const socket = net.connect(port, '127.0.0.1');
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    await sleep(20);
  }
}
