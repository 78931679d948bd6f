import { openFactStore } from '../../../engine/stores/open.ts';
import type { FactStore } from '../../../engine/stores/fact-store.ts';
import { type Config, ConfigError, type Environment, readConfig } from '../../../kit/config/config.ts';
import type { Migration } from '../../../kit/database/migrate.ts';
import { type Database, openDatabase } from '../../../kit/database/open.ts';
import { openLog } from '../../../kit/log.ts';
import { cannotConnect, refuseAbsentData, withSecrets } from '../../installed.ts';
import { type Check, failed, failure, ok, reasonOf } from './check.ts';
import { databaseChecks } from './database.ts';
import { machineChecks } from './machine.ts';
import { serviceChecks } from './services.ts';
import { countPeople, type People, settingChecks } from './settings.ts';

/** Checks an installation from its configuration to the clouds. Changes nothing, except for a small test file at FACTS_URL. */
export async function examine(env: Environment, migrations: readonly Migration[]): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfig(env, 'leave');
  } catch (error) {
    const problems =
      error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)];
    return problems.map((problem) => failure('configuration', new ConfigError([problem]), 'correct the variable'));
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
  const { checks, providers, people } = await withDatabase(config, migrations, store);
  const services = await serviceChecks(config, providers);
  return [
    ok('configuration', 'all variables are valid'),
    ...(await settingChecks(config, people)),
    ...(await machineChecks(config, withSecrets(env))),
    ...checks,
    check,
    ...services,
  ];
}

async function factStore(config: Config): Promise<{ store: FactStore | null; check: Check }> {
  try {
    const store = await openFactStore(config);
    return { store, check: ok('fact store', 'files can be written, read and deleted') };
  } catch (error) {
    return { store: null, check: failure('fact store', error, 'correct FACTS_URL or its permissions') };
  }
}

interface Found {
  readonly checks: Check[];
  /** Those of connected accounts. */
  readonly providers: string[];
  /** Null: the database cannot be read. */
  readonly people: People | null;
}

async function withDatabase(config: Config, migrations: readonly Migration[], store: FactStore | null): Promise<Found> {
  let database: Database;
  try {
    database = await openDatabase(config, openLog('silent'));
  } catch (error) {
    const remedy =
      config.databaseUrl === null ? 'check DATA_DIR, its free space, and postgres.log in it' : 'check DATABASE_URL';
    return { checks: [failure('database', cannotConnect(config, error), remedy)], providers: [], people: null };
  }
  const { pool } = database;
  try {
    const { encryptionKeys } = config;
    const checks = await databaseChecks(pool, { migrations, encryptionKeys, factStore: store });
    // Databases without these tables have neither accounts nor users yet.
    const { rows } = await pool
      .query<{ provider: string }>(`SELECT DISTINCT provider::text FROM accounts WHERE status = 'connected' ORDER BY 1`)
      .catch(() => ({ rows: [] }));
    const people = await countPeople(pool).catch(() => null);
    return { checks, providers: rows.map(({ provider }) => provider), people };
  } finally {
    await database.stop();
  }
}
