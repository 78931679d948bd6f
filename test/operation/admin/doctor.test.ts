import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderStore } from '../../../src/engine/stores/folder.ts';
import { ConfigError } from '../../../src/kit/config/config.ts';
import { type Check, failure } from '../../../src/operation/admin/doctor/check.ts';
import { databaseChecks } from '../../../src/operation/admin/doctor/database.ts';
import { machineChecks } from '../../../src/operation/admin/doctor/machine.ts';
import { examine } from '../../../src/operation/admin/doctor/run.ts';
import { serviceChecks } from '../../../src/operation/admin/doctor/services.ts';
import { countPeople, settingChecks } from '../../../src/operation/admin/doctor/settings.ts';
import { freePort } from '../../support/free-port.ts';
import { anInstallation } from '../../support/programs.ts';
import { aWorld } from '../../support/world.ts';
import { aFolder, aLoadedWorld, migrations } from '../backup/world.ts';

const problemsIn = (checks: readonly Check[]) => checks.filter(({ status }) => status !== 'ok');
const oneOf = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name);

describe('doctor', () => {
  it('fails with the same message as a server that rejects another key', async () => {
    const { pool, factStore, config } = (await aLoadedWorld()).world.deps;
    const { encryptionKeys } = config;
    const ask = async () =>
      oneOf(await databaseChecks(pool, { migrations, encryptionKeys, factStore }), 'key') ?? expect.fail();
    expect(await ask()).toMatchObject({ status: 'ok' });
    expect((await pool.query('SELECT FROM installation')).rowCount).toBe(0);
    await pool.query(`INSERT INTO installation (name, value) VALUES ('encryption_key', '00000000')`);
    expect(await ask()).toEqual({
      name: 'key',
      status: 'failed',
      detail: 'ENCRYPTION_KEY: the secrets in this database are encrypted with another key',
      remedy:
        'set it to that key, to NEW_KEY,OLD_KEY to replace it, or run "npm run admin -- forget-key" if it is lost',
    });
  });

  it('detects a FACTS_URL that differs from that of the servers', async () => {
    const { pool } = (await aLoadedWorld()).world.deps;
    await pool.query(`INSERT INTO installation (name, value) VALUES ('facts', 'other')`);
    const factStore = folderStore(aFolder());
    const checks = await databaseChecks(pool, { migrations, encryptionKeys: [], factStore });
    expect(oneOf(checks, 'fact files')).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/^FACTS_URL: the fact files of this database are not in "/),
      remedy: 'set it to the location that all servers and workers share',
    });
  });

  it('names waiting, failed and retried jobs, with their errors', async () => {
    const { pool, factStore } = (await aLoadedWorld()).world.deps;
    for (const kind of ['sync', 'backup', 'evaluate']) await pool.query(`SELECT graphile_worker.add_job($1)`, [kind]);
    const set = async (kind: string, values: string) =>
      pool.query(`UPDATE graphile_worker._private_jobs SET ${values} WHERE task_id =
        (SELECT id FROM graphile_worker._private_tasks WHERE identifier = '${kind}')`);
    await set(
      'backup',
      `attempts = 3, last_error = E'the bucket is gone\\nat backUp', run_at = now() + interval '1 hour'`,
    );
    await set('evaluate', `attempts = max_attempts, last_error = 'out of memory'`);
    await set('sync', `run_at = now() - interval '1 hour'`);
    const checks = await databaseChecks(pool, { migrations, encryptionKeys: [], factStore });
    expect(problemsIn(checks).map(({ name, status, detail }) => [name, status, detail])).toEqual([
      ['background jobs', 'warning', '1 waiting for more than 15 minutes: sync'],
      ['background jobs', 'warning', '1 failed permanently: evaluate (out of memory)'],
      ['background jobs', 'warning', '1 failed and will be retried: backup (the bucket is gone)'],
    ]);
  });

  it('fails for a migration that was edited after it was applied', async () => {
    const { pool } = (await aWorld()).deps;
    const edited = migrations.map((one, index) => (index === 0 ? { ...one, checksum: 'other' } : one));
    const checks = await databaseChecks(pool, { migrations: edited, encryptionKeys: [], factStore: null });
    expect(oneOf(checks, 'migrations')).toMatchObject({
      status: 'failed',
      detail: `${edited[0]?.name} was edited after it was applied`,
    });
  });

  it('only warns about the migrations of a new database', async () => {
    const { env } = await anInstallation();
    const checks = await examine(env, migrations);
    expect(checks.some(({ detail }) => detail.includes('relation'))).toBe(false);
    expect(oneOf(checks, 'migrations')).toMatchObject({
      status: 'warning',
      detail: `${migrations.length} of ${migrations.length} are not applied yet`,
    });
    expect(oneOf(checks, 'background jobs')).toBeUndefined();
    expect(oneOf(checks, 'fact files')).toBeUndefined();
  });

  it('names DATABASE_URL without its password if the database is down, once', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const env = { DATA_DIR: aFolder(), DATABASE_URL: `postgresql://ana:s3cret@${address}/costs` };
    const checks = await examine(env, migrations);
    expect(oneOf(checks, 'database')).toEqual({
      name: 'database',
      status: 'failed',
      detail: `DATABASE_URL: cannot connect to ${address}/costs: connect ECONNREFUSED ${address}`,
      remedy: 'start PostgreSQL, or correct the host, port, user, password and database',
    });
    expect(JSON.stringify(checks)).not.toContain('s3cret');
  });

  it('fails if BACKUP_URL cannot be listed', async () => {
    const { config } = (await aWorld()).deps;
    const url = path.join(aFolder(), 'gone');
    const backup = { cron: '30 1 * * *', url, keep: 2, passphrase: null };
    expect(oneOf(await serviceChecks({ ...config, backup }, []), 'backups')).toMatchObject({
      status: 'failed',
      detail: `${url} cannot be listed: it does not exist`,
    });
  });

  it.each([
    [
      new ConfigError(['FACTS_URL: "/x" cannot be used (ENOSPC: no space left on device, write); set it to another']),
      'FACTS_URL: "/x" cannot be used (ENOSPC: no space left on device, write)',
      'make space there',
    ],
    [
      new Error(
        'The embedded database cannot be started: 2026 LOG:  starting\n2026 FATAL:  data is bad\n2026 LOG:  ended',
      ),
      'The embedded database cannot be started: data is bad',
      'see the log',
    ],
    [new Error('no answer', { cause: new Error('timeout') }), 'no answer: timeout', 'see the log'],
  ])('shows the reason of %s', (error, detail, remedy) => {
    expect(failure('it', error, 'see the log')).toEqual({ name: 'it', status: 'failed', detail, remedy });
  });
});

describe('doctor for production', () => {
  it('finds nothing in a production server', async () => {
    const { config } = (await aWorld()).deps;
    const settings = {
      ...config,
      production: true,
      registration: 'first',
      publicUrl: 'https://c.example.com',
    } as const;
    expect(await settingChecks(settings, { users: 1, unprotected: 0 })).toEqual([]);
  });

  it('warns about each setting of the checklist', async () => {
    const world = await aWorld();
    await world.register();
    const { config, pool } = world.deps;
    const init = { organization: 'Plum', email: 'a@example.com', name: 'a', password: 's3cret', token: null };
    const focusRoot = path.join(aFolder(), 'gone');
    const backup = { cron: '30 1 * * *', url: '/backup', keep: 2, passphrase: null };
    const settings = { ...config, publicUrl: 'http://costs.example.com', backup, init, focusRoot };
    const people = await countPeople(pool);
    expect(people).toEqual({ users: 1, unprotected: 1 });
    const checks = await settingChecks(settings, people);
    expect(checks.map(({ name, status }) => `${status} ${name}`)).toEqual([
      'warning NODE_ENV',
      'warning REGISTRATION',
      'warning PUBLIC_URL',
      'warning BACKUP_PASSPHRASE',
      'warning COSTKEEP_INIT_PASSWORD',
      'warning sign-in',
      'warning FOCUS_ROOT',
    ]);
    expect(oneOf(checks, 'sign-in')?.detail).toBe('1 Admin or Super Admin has no second factor');
    expect(JSON.stringify(checks)).not.toContain('s3cret');
    await pool.query('UPDATE users SET totp_confirmed_at = now()');
    expect(await countPeople(pool)).toEqual({ users: 1, unprotected: 0 });
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1:80', 'http://[::1]:3000'])('accepts %s', async (publicUrl) => {
    const { config } = (await aWorld()).deps;
    expect(oneOf(await settingChecks({ ...config, publicUrl }, null), 'PUBLIC_URL')).toBeUndefined();
  });

  it('warns if other users can list the data folder', async () => {
    const { config } = (await aWorld()).deps;
    chmodSync(config.dataDir, 0o755);
    expect(oneOf(await machineChecks(config, {}), 'data folder')).toMatchObject({
      status: 'warning',
      remedy: `run: chmod o-r ${config.dataDir}`,
    });
  });

  it.skipIf(process.getuid?.() !== 0)('names the owner of files that a command of another user left', async () => {
    const { config } = (await aWorld()).deps;
    const dataDir = aFolder();
    const folder = path.join(dataDir, 'facts');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'file'), '');
    const settings = { ...config, dataDir, facts: { ...config.facts, place: { kind: 'folder', folder } } } as const;
    expect(oneOf(await settingChecks(settings, null), 'fact folder')).toBeUndefined();
    chownSync(dataDir, 10_001, 10_001);
    expect(oneOf(await settingChecks(settings, null), 'fact folder')).toMatchObject({
      status: 'warning',
      detail: `not owned by user 10001: 1 file or folder in ${folder}`,
      remedy: expect.stringMatching(/^run: chown -R 10001:10001 /),
    });
  });
});
