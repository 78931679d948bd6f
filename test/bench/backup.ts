import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Shape, writeFocusFiles } from './focus-files.ts';
import { goalRows } from './goals.ts';
import { memoryMiB, printTable, timed } from './measure.ts';
import { load, register, start } from './server.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const megabyte = 1_000_000;

/** The goals apply to 10 million line items; backups of all sizes are compared with `tar`. */
const goalMillions = 10;
const most = { seconds: 60, megabytes: 200 };

/** Backs up a running server that has loaded a bill, and restores the backup into an empty folder. The reference is `tar` of
 *  the whole data folder, for which an operator would have to stop the server. */
export async function measureBackups(
  serve: readonly string[],
  { root, millions }: { root: string; millions: readonly number[] },
): Promise<void> {
  for (const each of millions)
    for (const shape of ['dense', 'sparse'] as const) await measureOne(serve, { root, millions: each, shape });
}

async function measureOne(
  serve: readonly string[],
  { root, millions, shape }: { root: string; millions: number; shape: Shape },
): Promise<void> {
  const rows = millions * 1_000_000;
  const folder = `${shape === 'dense' ? 'focus' : 'sparse'}-${rows}`;
  await writeFocusFiles(join(root, folder), rows, shape);
  const base = await mkdtemp(join(tmpdir(), 'costkeep-bench-backup-'));
  await chmod(base, 0o711); // root's database user must be able to pass through it
  const [backup, copy] = [join(base, 'backup.tar'), join(base, 'copy.tar')];
  try {
    const env = { DATA_DIR: join(base, 'data'), FOCUS_ROOT: root, LOG_LEVEL: 'error' };
    const server = await start(serve, env, '/ready');
    try {
      await load(server, await register(server), folder);
      const [tarred, saved] = [
        await run('tar', ['-cf', copy, '-C', base, 'data']),
        await run(process.execPath, [main, 'backup', backup], env),
      ];
      const restoreEnv = {
        ...env,
        DATA_DIR: join(base, 'restored'),
        ENCRYPTION_KEY_FILE: join(base, 'data/encryption.key'),
      };
      const restored = await run(process.execPath, [main, 'restore', backup], restoreEnv);
      const megabytes = (await stat(backup)).size / megabyte;
      printTable(
        `Backup of ${millions} million line items, ${shape === 'dense' ? 'hourly' : 'which hardly aggregate'}`,
        [
          {
            what: 'seconds, MB and MiB',
            'tar s': tarred.seconds,
            'backup s': saved.seconds,
            'backup / tar': saved.seconds / tarred.seconds,
            'restore s': restored.seconds,
            'tar MB': (await stat(copy)).size / megabyte,
            'backup MB': megabytes,
            'backup peak MiB': saved.peakMiB,
            'restore peak MiB': restored.peakMiB,
          },
        ],
      );
      if (millions === goalMillions && shape === 'dense')
        printTable(
          'Goals of backups',
          goalRows([
            { what: 'backup of 10 million line items, seconds', figure: saved.seconds, most: most.seconds },
            { what: 'backup of 10 million line items, MB', figure: megabytes, most: most.megabytes },
          ]),
        );
    } finally {
      await server.stop();
    }
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

/** Runs a program to its end. Files change while `tar` reads them, which is its exit code 1. */
async function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  const watch = peakOf(child);
  const {
    ms,
    result: [code],
  } = await timed(() => once(child, 'exit') as Promise<[number | null]>);
  if (code !== 0 && !(program === 'tar' && code === 1)) throw new Error(`${program} ${args[1]} ended with ${code}`);
  return { seconds: ms / 1000, peakMiB: watch() };
}

/** Tracks the peak memory of a process.
 *  @returns a function that stops the tracking and returns the peak in MiB */
function peakOf({ pid = 0 }: ChildProcess): () => number {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, memoryMiB(pid).peak)), 50);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
