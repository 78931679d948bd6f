import { openFactStore } from './engine/stores/open.ts';
import { refuseOtherStore } from './engine/stores/shared.ts';
import { openEngine } from './engine/open.ts';
import { upgradeHooks } from './ingest/upgrade/convert.ts';
import type { OnUpgrade } from './ingest/upgrade/progress.ts';
import { openQueue } from './jobs/queue.ts';
import { systemClock } from './kit/time/clock.ts';
import type { Config } from './kit/config/config.ts';
import { openSecrets } from './kit/secrets/crypto.ts';
import { refuseOtherKey } from './kit/secrets/shared-key.ts';
import { distribute } from './kit/database/citus.ts';
import { migrate } from './kit/database/migrate.ts';
import { type Database, openDatabase } from './kit/database/open.ts';
import type { Deps } from './kit/deps.ts';
import { openLog } from './kit/log.ts';
import { openMailer } from './kit/mail/mailer.ts';
import { packageFile } from './kit/package.ts';
import { closeThreads } from './kit/process/threads.ts';

/** The dependencies of a process, and how to close them. */
export interface Opened {
  readonly deps: Deps;
  /** Folder of the embedded database; null with `DATABASE_URL`. */
  readonly home: string | null;
  /** Closes every connection; an embedded database stops with its last process. */
  close(): Promise<void>;
}

/** Opens the database, migrates it and builds the dependencies of the use cases.
 *  @param onUpgrade called while facts of the previous version are converted
 *  @param check called before anything is changed; if it fails, nothing is
 *  @throws {Error} when the database cannot be opened or migrated, with the reason */
export async function open(
  config: Config,
  onUpgrade: OnUpgrade = () => {},
  check: (database: Database) => Promise<void> = async () => {},
): Promise<Opened> {
  const log = openLog(config.logLevel);
  const database = await openDatabase(config, log);
  try {
    await check(database);
    const factStore = await openFactStore(config);
    const hooks = upgradeHooks({ config, log, factStore, onProgress: onUpgrade });
    const migrated = await migrate(database.connection, packageFile('prisma/migrations'), log, hooks);
    await refuseOtherKey(database.pool, config.encryptionKeys);
    if (database.home === null) await refuseOtherStore(database.pool, factStore);
    await distribute(database.pool, log);
    const queue = await openQueue(database.pool, log);
    // Evaluations fill the tables that an older version did not have.
    if (migrated.length > 0) await queue.add('evaluate_all', {});
    const secrets = openSecrets(config.encryptionKeys);
    const { pool, connection, prisma: db } = database;
    const engine = openEngine(config, factStore, log);
    const close = async () => {
      await engine.close();
      await closeThreads();
      await queue.release();
      await database.stop();
    };
    const mailer = openMailer(config, { clock: systemClock, log });
    const basics = { db, pool, connection, clock: systemClock, log, config };
    const deps = { ...basics, queue, mailer, secrets, engine, factStore };
    return { deps, home: database.home, close };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
