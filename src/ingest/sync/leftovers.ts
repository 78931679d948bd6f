import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Deps } from '../../kit/deps.ts';
import { isUuid } from '../../kit/ids.ts';
import { listRunning } from './store.ts';

/** Age from which a folder of a command is left over, in milliseconds. */
const commandMs = 86_400_000;

/** Deletes the folders of killed syncs, with downloads and spilled data of any size, and of commands that were killed a day ago. A
 *  sync that was killed with its server counts as running until it starts again, which deletes its folder. */
export async function removeLeftovers({ db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>): Promise<void> {
  const jobs = path.join(config.dataDir, 'jobs');
  const names = await readdir(jobs).catch(() => []);
  if (names.length === 0) return;
  // Read after the names: a sync that starts meanwhile is not among them.
  const running = new Set(await listRunning(db));
  let folders = 0;
  for (const name of names) {
    const at = path.join(jobs, name);
    const isLeft = isUuid(name) ? !running.has(name) : (await ageOf(at)) > commandMs;
    if (!isLeft) continue;
    await rm(at, { recursive: true, force: true, maxRetries: 3 });
    folders += 1;
  }
  if (folders > 0) log.info({ folders }, 'Deleted the files of syncs and commands that were killed');
}

async function ageOf(at: string): Promise<number> {
  const found = await stat(at).catch(() => null);
  return found ? Date.now() - found.mtimeMs : 0;
}
