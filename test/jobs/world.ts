import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { engineOver } from '../../src/engine/open.ts';
import { EngineProcess } from '../../src/engine/process.ts';
import { folderStore } from '../../src/engine/stores/folder.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import type { Job, Task } from '../../src/jobs/task.ts';
import { systemClock } from '../../src/kit/time/clock.ts';
import { readConfig } from '../../src/kit/config/config.ts';
import { openSecrets } from '../../src/kit/secrets/crypto.ts';
import type { Database } from '../../src/kit/database/open.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { openLog, type Log } from '../../src/kit/log.ts';
import { openMailer } from '../../src/kit/mail/mailer.ts';

const key = Buffer.alloc(32, 7).toString('base64');

/** The dependencies of a worker on this database, without a schedule. */
export async function aWorld({ pool, prisma: db, connection }: Database): Promise<Deps> {
  const log = openLog('silent');
  const config = readConfig({ JWT_KEY: key, ENCRYPTION_KEY: key, SYNC_CRON: 'off' });
  const secrets = openSecrets(config.encryptionKeys);
  const mailer = openMailer(config, { clock: systemClock, log });
  const basics = { db, pool, connection, clock: systemClock, log, config };
  return { ...basics, queue: await openQueue(pool, log), mailer, secrets, ...withoutFacts(log) };
}

/** An engine and a fact store that are never used. Processes outside Vitest use them, too. */
function withoutFacts(log: Log): Pick<Deps, 'engine' | 'factStore'> {
  const folder = path.join(tmpdir(), 'costkeep-no-facts');
  const factStore = folderStore(folder);
  const options = { folders: [folder], scratch: folder, dataDir: folder, memoryMiB: 128, threads: 1 };
  const process = new EngineProcess(options, log);
  const engine = engineOver({ process, store: factStore, log, timeoutMs: 30_000, onClose: () => process.close() });
  return { engine, factStore };
}

const input = z.object({ name: z.string() });

/** A task of the test-only kind. */
export function aTask(run: (name: string, job: Job) => void | Promise<void>, lane: Task['lane'] = 'main'): Task {
  return { name: 'act', lane, handle: async (_deps, payload, job) => run(input.parse(payload).name, job) };
}

/** Runs until it is aborted. */
export const untilAborted = (_name: string, job: Job) => sleep(60_000, undefined, { signal: job.signal });
