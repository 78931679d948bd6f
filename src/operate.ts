import { deleteOldDeliveries } from './actions/notifications/store.ts';
import { deleteExpiredReports } from './actions/reports/generate.ts';
import { openFactStore } from './engine/stores/open.ts';
import { type Config, type Environment, readConfig } from './kit/config/config.ts';
import { readMigrations } from './kit/database/migrate.ts';
import { type Database, openDatabase } from './kit/database/open.ts';
import { type Log, openLog } from './kit/log.ts';
import { systemClock } from './kit/time/clock.ts';
import { doctorCommand, retentionCommand, verifyCommand, versionCommand } from './operation/admin/command-server.ts';
import {
  createUserCommand,
  disableSecondFactorCommand,
  listUsersCommand,
  resetPasswordCommand,
  endSessionsCommand,
  unlockCommand,
} from './operation/admin/command-users.ts';
import { forgetKeyCommand } from './operation/admin/command-keys.ts';
import type { WithDatabase, WithDeps } from './operation/admin/deps.ts';
import type { RetentionJob } from './operation/admin/retention.ts';
import {
  backupOptions,
  backupUsage,
  describeBackup,
  openBackup,
  readBackupTarget,
  restoreOptions,
  restoreUsage,
  runBackup,
  runRestore,
  checkKeys,
} from './operation/backup/commands.ts';
import { migrationsOf } from './operation/backup/restore/target.ts';
import { type CliCommand, runCommand } from './operation/cli/command.ts';
import { refusePending } from './operation/admin/version.ts';
import {
  cannotConnect,
  commandConfig,
  refuseAbsentData,
  refuseAbsentKeys,
  withSecrets,
} from './operation/installed.ts';
import { upgradeBar } from './ingest/upgrade/progress.ts';
import { packageFile } from './kit/package.ts';
import { open } from './start.ts';
import { deleteOldEntries } from './tenancy/audit/store.ts';
import { auditCommand } from './tenancy/operator/audit.ts';
import { deleteEndedRecords } from './tenancy/retention/run.ts';

/** Runs `npm run backup`.
 *  @returns the exit code */
export function backup(args: readonly string[], env: Environment): Promise<number> {
  const command: CliCommand = {
    usage: backupUsage,
    options: backupOptions,
    positionals: ['FILE'],
    async run(given) {
      const config = commandConfig(env);
      const target = await readBackupTarget(given, config);
      refuseAbsentData(config);
      refuseAbsentKeys(config);
      return withDatabase(config, async (database, log) => {
        const factStore = await openFactStore(config);
        const deps = { connection: database.connection, factStore, config, clock: systemClock, log };
        // A database that cannot be written to needs a backup most.
        await auditCommand(database.prisma, 'backup').catch((error: unknown) =>
          console.error(`WARNING: the audit log cannot be written: ${reasonOf(error)}`),
        );
        await runBackup(deps, withSecrets(env), target, given.signal);
        return 0;
      });
    },
  };
  return runCommand(command, args);
}

/** Runs `npm run restore`.
 *  @returns the exit code */
export function restore(args: readonly string[], env: Environment): Promise<number> {
  const command: CliCommand = {
    usage: restoreUsage,
    options: restoreOptions,
    positionals: ['FILE'],
    async run(given) {
      const config = commandConfig(env);
      const ready = await openBackup(given, config);
      const migrations = readMigrations(packageFile('prisma/migrations'));
      migrationsOf(ready.checked.header, migrations);
      console.log(describeBackup(ready));
      const isRestore = given.options['check'] !== true;
      const mustFit = isRestore && given.options['lost-key'] !== true;
      checkKeys(ready, withSecrets(env), { config, mustFit });
      if (!isRestore) return 0;
      await withDatabase(config, async (database, log) => {
        const factStore = await openFactStore(config);
        const deps = { database, factStore, config, clock: systemClock, log, migrations };
        await runRestore(deps, withSecrets(env), ready, given);
      });
      // With the restored keys. Applies the migrations that the backup did not have, like a start of the server.
      const restored = { ...readConfig(env), logLevel: config.logLevel };
      const { deps, close } = await open(restored, upgradeBar());
      await auditCommand(deps.db, 'restore').finally(close);
      return 0;
    },
  };
  return runCommand(command, args);
}

const adminUsage = `Usage: npm run admin -- COMMAND [OPTIONS]

Users:
  create-user     creates a user, in a new or existing organization
  reset-password  ends the sessions of a user and prints a link that sets a new password
  disable-2fa     removes the second factors of a user
  end-sessions    signs a user, or all users, out everywhere
  unlock          unlocks a login
  list-users      lists all users of the server

Server:
  doctor          checks the installation and shows what to do
  version         shows versions and migrations
  verify          compares every month with the totals of its bills
  retention       shows or deletes data that is past its retention period
  forget-key      lets the next start accept another ENCRYPTION_KEY, if the current one is lost

--help after a command describes it. All except forget-key work while the server is running.`;

/** Runs `npm run admin`.
 *  @returns the exit code */
export async function admin([name, ...args]: readonly string[], env: Environment): Promise<number> {
  const commands = adminCommands(env);
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return runCommand(command, args);
  if (name === '--help' || name === '-h') {
    console.log(adminUsage);
    return 0;
  }
  console.error(`${name === undefined ? 'A command is required' : `There is no command "${name}"`}\n\n${adminUsage}`);
  return 2;
}

function adminCommands(env: Environment): Readonly<Record<string, CliCommand>> {
  const migrations = readMigrations(packageFile('prisma/migrations'));
  const withDeps: WithDeps = async (work) => {
    const config = commandConfig(env);
    refuseAbsentData(config);
    refuseAbsentKeys(config);
    const opened = open(config, undefined, ({ pool }) => refusePending(pool, migrations));
    const { deps, home, close } = await opened.catch((error: unknown) => {
      throw cannotConnect(config, error);
    });
    return work({ deps, home, migrations }).finally(close);
  };
  const readOnly: WithDatabase = async (work) => {
    const config = commandConfig(env);
    refuseAbsentData(config);
    return withDatabase(config, work);
  };
  return {
    'create-user': createUserCommand(withDeps),
    'reset-password': resetPasswordCommand(withDeps),
    'disable-2fa': disableSecondFactorCommand(withDeps),
    'end-sessions': endSessionsCommand(withDeps),
    unlock: unlockCommand(withDeps),
    'list-users': listUsersCommand(withDeps),
    doctor: doctorCommand(env, migrations),
    version: versionCommand(readOnly, migrations),
    verify: verifyCommand(withDeps),
    retention: retentionCommand(withDeps, retentionJobs()),
    'forget-key': forgetKeyCommand(readOnly),
  };
}

function retentionJobs(): RetentionJob[] {
  return [
    { name: 'audit entries', task: 'audit_retention', run: deleteOldEntries },
    { name: 'ended records', task: 'identity_retention', run: deleteEndedRecords },
    { name: 'sent notifications', task: 'delivery_retention', run: deleteOldDeliveries },
    { name: 'expired reports', task: 'report_retention', run: deleteExpiredReports },
  ];
}

/** Opens the database as it is, without migrating it; joins the embedded one of a running server. */
async function withDatabase<Result>(
  config: Config,
  work: (database: Database, log: Log) => Promise<Result>,
): Promise<Result> {
  const log = openLog(config.logLevel);
  const database = await openDatabase(config, log).catch((error: unknown) => {
    throw cannotConnect(config, error);
  });
  try {
    return await work(database, log);
  } finally {
    await database.stop();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
