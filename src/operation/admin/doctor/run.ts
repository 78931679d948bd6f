import { openFactStore } from '../../../engine/stores/open.ts';
import type { FactStore } from '../../../engine/stores/fact-store.ts';
import { type Config, ConfigError, type Environment, readConfig } from '../../../kit/config/config.ts';
import type { Migration } from '../../../kit/database/migrate.ts';
import { openDatabase } from '../../../kit/database/open.ts';
import { openLog } from '../../../kit/log.ts';
import { refuseAbsentData, withSecrets } from '../../installed.ts';
import { type Check, failed, ok, reasonOf } from './check.ts';
import { databaseChecks } from './database.ts';
import { machineChecks } from './machine.ts';
import { serviceChecks } from './services.ts';

/** Checks an installation from its configuration to the clouds. Changes nothing, except for a small test file at FACTS_URL. */
export async function examine(env: Environment, migrations: readonly Migration[]): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfig(env, 'leave');
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [reasonOf(error)];
    return problems.map((problem) => failed('configuration', problem, 'correct the variable'));
  }
  try {
    refuseAbsentData(config);
  } catch (error) {
    return [
      ok('configuration', 'all variables are valid'),
      failed('database', reasonOf(error), 'if this is a new installation, start the server'),
    ];
  }
  const { store, check } = await factStore(config);
  const database = await withDatabase(config, migrations, store);
  const services = await serviceChecks(config, database.providers);
  return [
    ok('configuration', 'all variables are valid'),
    ...(await machineChecks(config, withSecrets(env))),
    ...database.checks,
    check,
    ...services,
  ];
}

async function factStore(config: Config): Promise<{ store: FactStore | null; check: Check }> {
  try {
    const store = await openFactStore(config);
    return { store, check: ok('fact store', 'files can be written, read and deleted') };
  } catch (error) {
    return { store: null, check: failed('fact store', reasonOf(error), 'correct FACTS_URL or its permissions') };
  }
}

async function withDatabase(
  config: Config,
  migrations: readonly Migration[],
  store: FactStore | null,
): Promise<{ checks: Check[]; providers: string[] }> {
  try {
    const database = await openDatabase(config, openLog('silent'));
    try {
      const checks = await databaseChecks(database.pool, { migrations, factStore: store });
      const { rows } = await database.pool
        .query<{ provider: string }>(
          `SELECT DISTINCT provider::text FROM accounts WHERE status = 'connected' ORDER BY 1`,
        )
        .catch(() => ({ rows: [] }));
      return { checks, providers: rows.map(({ provider }) => provider) };
    } finally {
      await database.stop();
    }
  } catch (error) {
    return {
      checks: [failed('database', reasonOf(error), 'check DATABASE_URL, or postgres.log in DATA_DIR')],
      providers: [],
    };
  }
}
