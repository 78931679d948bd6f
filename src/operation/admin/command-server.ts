import type { Environment } from '../../kit/config/config.ts';
import type { Migration } from '../../kit/database/migrate.ts';
import { version } from '../../kit/package.ts';
import { openProgressBar } from '../../kit/text/progress-bar.ts';
import { auditCommand } from '../../tenancy/operator/audit.ts';
import type { CliCommand } from '../cli/command.ts';
import { countText, tableText } from '../cli/text.ts';
import type { WithDatabase, WithDeps } from './deps.ts';
import type { Check } from './doctor/check.ts';
import { examine } from './doctor/run.ts';
import { type RetentionJob, runRetention } from './retention.ts';
import { verifyMonths } from './verify.ts';
import { readVersions, type Versions } from './version.ts';

const json = { json: { type: 'boolean' } } as const;
const asJson = (value: unknown) => console.log(JSON.stringify(value, null, 2));

/** `doctor` */
export function doctorCommand(env: Environment, migrations: readonly Migration[]): CliCommand {
  return {
    usage: `Usage: npm run admin -- doctor [--json]

Checks the configuration, disk, permissions, database, fact files, clock, mail server, Redis, clouds and backups. Prints
what to do about each problem. Exit code 1 if a check failed.

  --json  prints JSON`,
    options: json,
    positionals: [],
    async run({ options }) {
      const checks = await examine(env, migrations);
      if (options['json'] === true) asJson(checks);
      else console.log(checksText(checks));
      return checks.some(({ status }) => status === 'failed') ? 1 : 0;
    },
  };
}

function checksText(checks: readonly Check[]): string {
  const marks = { ok: 'ok', warning: 'WARNING', failed: 'FAILED' } as const;
  const lines = tableText(
    checks.map(({ name, status, detail }) => [marks[status], name, detail.replace(/\s*\n\s*/g, ' ')]),
  ).split('\n');
  const indent = ' '.repeat(9);
  const texts = checks.flatMap(({ remedy }, index) => [
    lines[index] ?? '',
    ...(remedy === null ? [] : [`${indent}→ ${remedy}`]),
  ]);
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  return `${texts.join('\n')}\n\n${countText(checks.length, 'check')}: ${count('failed')} failed, ${countText(count('warning'), 'warning')}`;
}

/** `version` */
export function versionCommand(withDatabase: WithDatabase, known: readonly Migration[]): CliCommand {
  return {
    usage: `Usage: npm run admin -- version [--json]

Shows the versions of Costkeep, Node and PostgreSQL, and the migrations of the database.

  --json  prints JSON`,
    options: json,
    positionals: [],
    async run({ options }) {
      const isJson = options['json'] === true;
      const own = [
        ['Costkeep', version],
        ['Node', process.version],
      ];
      try {
        const versions = await withDatabase((opened) => readVersions(opened, known));
        if (isJson) asJson(versions);
        else console.log(versionsText(own, versions));
        return 0;
      } catch (error) {
        if (!isJson) console.log(tableText(own));
        throw error;
      }
    },
  };
}

function versionsText(own: readonly string[][], { postgres, database, migrations }: Versions): string {
  const rows = [
    ...own,
    ['PostgreSQL', `${postgres} (${database})`],
    ['Migrations', `${migrations.applied} of ${migrations.known}, up to ${migrations.newest}`],
  ];
  const pending = migrations.known - migrations.applied;
  const hint = `${countText(pending, 'migration is', 'migrations are')} pending; start the server to apply them.`;
  return pending > 0 ? `${tableText(rows)}\n\n${hint}` : tableText(rows);
}

/** A sync does not repair months: it loads only bills that have changed. */
const repair = 'Restore them from a backup, or delete their accounts with all data and connect them again.';

/** `verify` */
export function verifyCommand(withDeps: WithDeps): CliCommand {
  return {
    usage: `Usage: npm run admin -- verify [--json]

Reads the fact files of every month of every account, and compares their sums and those in the database with the totals of
the bills. Exit code 1 if a month differs.

  --json  prints JSON`,
    options: json,
    positionals: [],
    run: ({ options, signal }) =>
      withDeps(async ({ deps }) => {
        await auditCommand(deps.db, 'verify');
        const bar = openProgressBar('Verify');
        const onMonth = (done: number, of: number) =>
          bar.update({ percent: (100 * done) / of, phase: 'months', note: `${done} of ${of}` });
        const { months, bad } = await verifyMonths(deps, { signal, onMonth }).finally(() => bar.stop());
        if (options['json'] === true) asJson({ months, bad });
        else {
          for (const { organization, account, month, problems } of bad)
            console.log([`${organization}, ${account}, ${month}:`, ...problems.map((one) => `  ${one}`)].join('\n'));
          console.log(
            bad.length === 0
              ? `${countText(months, 'month')} verified: files, sums and totals of the bills agree.`
              : `${bad.length} of ${countText(months, 'month')} ${bad.length === 1 ? 'differs' : 'differ'}. ${repair}`,
          );
        }
        return bad.length === 0 ? 0 : 1;
      }),
  };
}

/** `retention` */
export function retentionCommand(withDeps: WithDeps, jobs: readonly RetentionJob[]): CliCommand {
  return {
    usage: `Usage: npm run admin -- retention [--run] [--json]

Shows how much old data the nightly jobs would delete now, and when they run. Changes nothing without --run.

  --run   deletes it now
  --json  prints JSON`,
    options: { ...json, run: { type: 'boolean' } },
    positionals: [],
    run: ({ options }) =>
      withDeps(async ({ deps }) => {
        const isReal = options['run'] === true;
        const results = await runRetention(deps, jobs, isReal);
        if (isReal) await auditCommand(deps.db, 'retention');
        if (options['json'] === true) {
          asJson({ deleted: isReal, jobs: results });
          return 0;
        }
        const rows = results.flatMap(({ job, schedule, counts }) =>
          Object.entries(counts).map(([kind, count]) => [
            kind === 'deleted' ? job : kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
            count.toLocaleString('en-US'),
            schedule,
          ]),
        );
        console.log(tableText([['DATA', isReal ? 'DELETED' : 'DUE', 'RUNS AT (CRON, UTC)'], ...rows]));
        if (!isReal) console.log('\nNothing was deleted. To delete this data now, add --run.');
        return 0;
      }),
  };
}
