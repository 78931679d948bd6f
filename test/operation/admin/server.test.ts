import { chmodSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { deleteOldEntries } from '../../../src/tenancy/audit/store.ts';
import { admin, backup, restore } from '../../../src/operate.ts';
import { verifyCommand } from '../../../src/operation/admin/command-server.ts';
import { machineChecks } from '../../../src/operation/admin/doctor/machine.ts';
import { databaseChecks } from '../../../src/operation/admin/doctor/database.ts';
import { serviceChecks } from '../../../src/operation/admin/doctor/services.ts';
import { runRetention } from '../../../src/operation/admin/retention.ts';
import { verifyMonths } from '../../../src/operation/admin/verify.ts';
import { backUpOnSchedule, backupMetrics, newestBackup } from '../../../src/operation/backup/scheduled.ts';
import { runCommand } from '../../../src/operation/cli/command.ts';
import { freePort } from '../../support/free-port.ts';
import { aFolder, aLoadedWorld, backUpTo, migrations, passphrase } from '../backup/world.ts';

const said: string[] = [];
const run = async (work: () => Promise<number>) => {
  said.length = 0;
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text) => void said.push(String(text)));
  return work().finally(() => vi.restoreAllMocks());
};

const ana = ['--email', 'ana@example.com'];
const verified = { signal: new AbortController().signal, onMonth: () => {} };

describe('verify', () => {
  it('accepts loaded months, and names months with wrong sums or missing files', async () => {
    const { world } = await aLoadedWorld();
    const { deps } = world;
    expect(await verifyMonths(deps, verified)).toEqual({ months: 2, bad: [] });
    await deps.pool.query(
      `UPDATE cost_rollups SET billed = billed + 1 WHERE rollup = 2 AND billing_period = '2026-05-01'`,
    );
    const { rows } = await deps.pool.query<{ key: string }>(
      `SELECT facts->0->>'key' AS key FROM billing_periods WHERE period = '2026-06-01'`,
    );
    await deps.factStore.remove(rows.map(({ key }) => key));
    const { bad } = await verifyMonths(deps, verified);
    expect(bad.map(({ account, month, problems }) => [account, month, problems])).toEqual([
      ['Bills', '2026-05', [expect.stringMatching(/^sums: /)]],
      ['Bills', '2026-06', [`day files: file ${rows[0]?.key} is missing`]],
    ]);
  });

  it('names damaged files, and so does a backup', async () => {
    const { world } = await aLoadedWorld();
    const { deps } = world;
    const { rows } = await deps.pool.query<{ key: string }>(
      `SELECT facts->0->>'key' AS key FROM billing_periods ORDER BY period`,
    );
    const [first = '', second = ''] = rows.map(({ key }) => key);
    const fileOf = (key: string) => path.join(deps.factStore.folder, key);
    const bytes = readFileSync(fileOf(first));
    writeFileSync(fileOf(first), bytes.fill(7, 4, bytes.length - 8));
    truncateSync(fileOf(second), 20);
    const { bad } = await verifyMonths(deps, verified);
    expect(bad.flatMap(({ problems }) => problems)).toEqual([
      expect.stringMatching(`^day files: file ${first} is damaged: it cannot be read: `),
      expect.stringMatching(`^day files: file ${second} is damaged: it has 20 bytes where \\d+ were written$`),
    ]);
    await expect(backUpTo(deps, path.join(aFolder(), 'b.tar'))).rejects.toThrow(
      new RegExp(`The file "${second}" cannot be read: ${second} has 20 bytes where`),
    );
  });

  it('prints how to repair the months', async () => {
    const { deps } = (await aLoadedWorld()).world;
    await deps.pool.query(`UPDATE cost_rollups SET billed = billed + 1 WHERE billing_period = '2026-05-01'`);
    const command = verifyCommand((work) => work({ deps, home: null, migrations }));
    expect(await run(() => runCommand(command, []))).toBe(1);
    expect(said.at(-1)).toBe(
      '1 of 2 months differs. Restore them from a backup, or delete their accounts with all data and connect them again.',
    );
  });
});

describe('retention', () => {
  it('shows what is due without deleting it, and deletes it on request', async () => {
    const { world, organizationId } = await aLoadedWorld();
    const { deps } = world;
    const jobs = [{ name: 'audit entries', task: 'audit_retention', run: deleteOldEntries } as const];
    const data = { organizationId, action: 'login', resourceType: 'user', ipAddress: '', userAgent: '' };
    await deps.db.auditEntry.create({ data: { ...data, timestamp: new Date('2024-01-01T00:00:00Z') } });
    const before = await deps.db.auditEntry.count();
    const due = [{ job: 'audit entries', schedule: '17 3 * * *', counts: { deleted: 1 } }];
    expect(await runRetention(deps, jobs, false)).toEqual(due);
    expect(await deps.db.auditEntry.count()).toBe(before);
    expect(await runRetention(deps, jobs, true)).toEqual(due);
    expect(await deps.db.auditEntry.count()).toBe(before - 1);
  });
});

describe('doctor', () => {
  it('finds no problem in a working installation', async () => {
    const { world } = await aLoadedWorld();
    const { pool, factStore, config } = world.deps;
    const { encryptionKeys } = config;
    const checks = await databaseChecks(pool, { migrations, encryptionKeys, factStore });
    expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(checks.find(({ name }) => name === 'fact files')?.detail).toBe('all 4 exist');
    expect((await serviceChecks(config, [])).map(({ name, status }) => [name, status])).toEqual([
      ['mail server', 'warning'],
      ['Redis', 'ok'],
      ['backups', 'warning'],
    ]);
  });

  it('shows a remedy for each problem', async () => {
    const { world } = await aLoadedWorld();
    const { pool, factStore, config } = world.deps;
    chmodSync(path.join(config.dataDir, 'jwt.key'), 0o644);
    chmodSync(config.dataDir, 0o777);
    await pool.query(
      `UPDATE billing_periods SET facts = jsonb_set(facts, '{0,key}', '"gone"') WHERE period = '2026-05-01'`,
    );
    const dead = `127.0.0.1:${await freePort()}`;
    const settings = { ...config, smtpUrl: `smtp://user:s3cret@${dead}`, redisUrl: `redis://:s3cret@${dead}` };
    const clouds = { ...config.clouds, awsEndpoint: `http://${dead}` };
    const found = [
      ...(await machineChecks(config, {})),
      ...(await databaseChecks(pool, { migrations: migrations.slice(1), encryptionKeys: [], factStore })),
      ...(await serviceChecks({ ...settings, clouds }, ['aws'])),
    ];
    const failures = found.filter(({ status }) => status === 'failed');
    expect(failures.map(({ name }) => name)).toEqual([
      'data folder',
      'keys',
      'migrations',
      'fact files',
      'mail server',
      'Redis',
      'cloud aws',
    ]);
    expect(failures.every(({ remedy }) => remedy !== null)).toBe(true);
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });

  it('calls clouds through the proxy of the connectors', async () => {
    const { world } = await aLoadedWorld();
    const asked: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const connectorEnvironment = { HTTPS_PROXY: `http://127.0.0.1:${port}` };
    const checks = await serviceChecks({ ...world.deps.config, connectorEnvironment }, ['gcp', 'focus']);
    expect(checks.at(-1)).toMatchObject({ name: 'cloud gcp', status: 'failed' });
    expect(asked).toEqual(['oauth2.googleapis.com:443']);
  });
});

describe('scheduled backups', () => {
  it('keep the newest ones, and show in the metrics', async () => {
    const { world } = await aLoadedWorld();
    const folder = aFolder();
    const old = ['costkeep-20240101T000000Z.tar', 'costkeep-20240102T000000Z.tar', 'costkeep-20240103T000000Z.tar'];
    for (const name of [...old, 'mine.tar']) writeFileSync(path.join(folder, name), '');
    const backupSettings = { cron: '30 1 * * *', url: folder, keep: 2, passphrase: null };
    const deps = { ...world.deps, config: { ...world.deps.config, backup: backupSettings } };
    await backUpOnSchedule(deps, new AbortController().signal);
    const left = readdirSync(folder).toSorted();
    expect(left).toEqual([old[2], expect.stringMatching(/^costkeep-20\d{6}T\d{6}Z\.tar$/), 'mine.tar']);
    const newest = await newestBackup(deps.config);
    expect(newest?.bytes).toBeGreaterThan(10_000);
    const values = await Promise.all(backupMetrics(deps).map(async (metric) => (await metric.get()).values[0]?.value));
    expect(values).toEqual([(newest?.at.getTime() ?? 0) / 1000, newest?.bytes, 0]);
    expect(backupMetrics(world.deps)).toEqual([]);
  });

  it('fail in a process without BACKUP_URL, and show in the metrics until they succeed', async () => {
    const { world } = await aLoadedWorld();
    await expect(backUpOnSchedule(world.deps, new AbortController().signal)).rejects.toThrow(
      'BACKUP_URL is not set in this process, which runs the scheduled backup; set the same BACKUP_* variables',
    );
    await world.deps.queue.add('backup', {});
    const config = { ...world.deps.config, backup: { cron: '30 1 * * *', url: aFolder(), keep: 2, passphrase: null } };
    const failure = async () =>
      (
        await backupMetrics({ ...world.deps, config })
          .at(-1)
          ?.get()
      )?.values[0]?.value;
    expect(await failure()).toBe(0);
    await world.deps.pool.query(
      `UPDATE graphile_worker._private_jobs SET attempts = 1, last_error = 'away', updated_at = '2026-11-28T01:30:00Z'`,
    );
    expect(await failure()).toBe(Date.parse('2026-11-28T01:30:00Z') / 1000);
  });

  it('fail with a clear message if the folder is gone', async () => {
    const { world } = await aLoadedWorld();
    const url = path.join(aFolder(), 'gone');
    const config = { ...world.deps.config, backup: { cron: '30 1 * * *', url, keep: 2, passphrase: null } };
    await expect(backUpOnSchedule({ ...world.deps, config }, new AbortController().signal)).rejects.toThrow(
      /gone\/costkeep-\w+\.tar cannot be written: the folder .*gone does not exist/,
    );
  });
});

describe('the command line', () => {
  it.each([
    [() => admin([], {}), /^A command is required\n\nUsage: npm run admin/],
    [() => admin(['foo'], {}), /^There is no command "foo"\n\nUsage/],
    [() => admin(['unlock'], {}), /^EMAIL is required\n\nUsage: npm run admin -- unlock EMAIL/],
    [() => admin(['unlock', 'a', 'b'], {}), /^Unexpected argument "b"/],
    [() => admin(['doctor', '--colour'], {}), /^Unknown option '--colour'/],
    [
      () => admin(['create-user', '--email', 'a@example.com', '--organization', 'x', '--role', 'king'], {}),
      /--role "king" is not a role/,
    ],
    [() => admin(['create-user', '--email', 'bad', '--organization', 'x'], {}), /^--email "bad" must be an address/],
    [
      () => admin(['create-user', ...ana, '--organization', 'x', '--role', 'super_admin'], {}),
      /^--role "super_admin" is taken: .*; use admin, member or viewer\n\nUsage/,
    ],
    [
      () => admin(['create-user', ...ana, '--new-organization', 'x', '--role', 'member'], {}),
      /^--role "member" is not possible with --new-organization/,
    ],
    [
      () => admin(['create-user', ...ana, '--organization', 'a', '--new-organization', 'b'], {}),
      /give only one of them/,
    ],
    [() => admin(['create-user', ...ana], {}), /^either --organization or --new-organization is required/],
    [() => admin(['reset-password', 'ana'], {}), /^EMAIL "ana" must be an address/],
    [() => admin(['disable-2fa', 'ana'], {}), /^EMAIL "ana" must be an address/],
    [() => backup(['s3:///x'], {}), /^location "s3:\/\/\/x" is not a location for backups/],
    [() => restore(['gs://bucket/b.tar'], {}), /^location "gs:\/\/bucket\/b.tar" is not a location for backups/],
    [() => backup(['b.tar', '--passphrase-file', '/gone'], {}), /^--passphrase-file "\/gone" cannot be read/],
    [() => restore(['b.tar', '--passphrase-file', '/gone'], {}), /^--passphrase-file "\/gone" cannot be read/],
    [() => backup([], {}), /^FILE is required/],
    [() => restore(['a.tar', '--replac'], {}), /^Unknown option '--replac'/],
  ])('rejects wrong arguments %#', async (work, message) => {
    expect(await run(work)).toBe(2);
    expect(said.join('\n')).toMatch(message);
  });

  it.each([
    'create-user',
    'reset-password',
    'disable-2fa',
    'unlock',
    'list-users',
    'doctor',
    'version',
    'verify',
    'retention',
    'forget-key',
  ])('explains %s', async (name) => {
    expect(await run(() => admin([name, '--help'], {}))).toBe(0);
    expect(said.join('\n')).toMatch(new RegExp(`^Usage: npm run admin -- ${name}`));
  });

  it('creates nothing in a wrong DATA_DIR', async () => {
    const DATA_DIR = path.join(aFolder(), 'wrong');
    expect(await run(() => backup(['b.tar'], { DATA_DIR }))).toBe(1);
    expect(said.join('\n')).toMatch(/wrong does not exist, so there is no database; set DATA_DIR or DATABASE_URL/);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('shows its own versions if the database is down', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const env = { DATABASE_URL: `postgresql://ana:s3cret@${address}/costs`, DATA_DIR: aFolder() };
    expect(await run(() => admin(['version'], env))).toBe(1);
    expect(said).toEqual([
      expect.stringMatching(/^Costkeep {2}[\d.]+\nNode {6}v/),
      `DATABASE_URL: cannot connect to ${address}/costs: connect ECONNREFUSED ${address}; start PostgreSQL, or correct the host, port, user, password and database`,
    ]);
  });

  it('shows whether a passphrase opened the keys of a backup', async () => {
    const { world } = await aLoadedWorld();
    const file = path.join(aFolder(), 'b.tar');
    await backUpTo(world.deps, file, { passphrase });
    const env = { DATA_DIR: world.deps.config.dataDir };
    expect(await run(() => restore([file, '--check'], env))).toBe(0);
    expect(said.join('\n')).toContain(
      'sealed with a passphrase; no passphrase was given, so the keys were not decrypted',
    );
    expect(await run(() => restore([file, '--check'], { ...env, BACKUP_PASSPHRASE: passphrase }))).toBe(0);
    expect(said.join('\n')).toContain('\nThe passphrase decrypts its keys.');
  });
});
