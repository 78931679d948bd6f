import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { shareCodeCache } from '../../support/code-cache.ts';
import { writeFocus } from '../../support/focus.ts';
import { spawnServer, type SpawnedServer } from '../../support/server.ts';
import { findPrograms, startServerPostgres } from '../../support/server-postgres.ts';
import { monthOf, passphrase } from './world.ts';

// The restore drill of docs/operations.md, with the commands and servers of an operator: a server with bills is backed up
// while a sync runs, and restored into other databases. All of them return the same figures.

const main = path.resolve(import.meta.dirname, '../../../src/main.ts');
const programs = findPrograms();
const patient = { timeout: 120_000, interval: 200 };
const person = { email: 'ana@example.com', password: 'plum kite orbit' };

const base = mkdtempSync(path.join(tmpdir(), 'costkeep-drill-'));
chmodSync(base, 0o711); // root's database user must be able to pass through it
const backupFile = path.join(base, 'drill.tar');
const secret = path.join(base, 'passphrase');

/** The environment of an installation with its own data folder. */
function environmentOf(name: string, more: Record<string, string> = {}): Record<string, string> {
  const DATA_DIR = path.join(base, name);
  shareCodeCache(DATA_DIR);
  const settings = { DATA_DIR, FOCUS_ROOT: base, PORT: '0', SYNC_CRON: 'off', LOG_LEVEL: 'error' };
  return { PATH: process.env['PATH'] ?? '', HOME: base, ...settings, RATE_LIMIT_READ: '100000', ...more };
}

/** Runs a command of the operator. */
async function command(env: Record<string, string>, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said: out + err };
}

async function ask<Body>(server: SpawnedServer, at: string, token: string, body?: object): Promise<Body> {
  const response = await fetch(`${server.url}/api/v1${at}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: body ? JSON.stringify(body) : null,
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${at} answered ${response.status}: ${answer}`);
  return JSON.parse(answer) as Body;
}

async function untilSynced(server: SpawnedServer, token: string): Promise<void> {
  await vi.waitFor(async () => {
    const { data } = await ask<{ data: { sync_status: string }[] }>(server, '/accounts', token);
    expect(data[0]?.sync_status).toBe('succeeded');
  }, patient);
}

const questions = [
  '/costs/summary?start_date=2026-05-01&end_date=2026-06-30',
  '/costs/by-service?start_date=2026-05-01&end_date=2026-05-31',
  '/costs?start_date=2026-05-01&end_date=2026-06-30&group_by=region,service',
];

/** Answers about the months that were loaded before the backup. A sync that was waiting in it continues after the restore,
 *  which moves the last complete day. */
function figures(server: SpawnedServer, token: string): Promise<unknown[]> {
  return Promise.all(
    questions.map(async (question) => {
      const {
        complete_through: _through,
        last_complete_day: _last,
        ...answer
      } = await ask<Record<string, unknown>>(server, question, token);
      return answer;
    }),
  );
}

/** The commands in the audit log, the newest first. */
async function commandsOf(server: SpawnedServer, token: string): Promise<unknown[]> {
  const audited = await ask<{ data: { details: { command: string } }[] }>(
    server,
    '/audit-logs?action=command_run',
    token,
  );
  return audited.data.map(({ details }) => details.command);
}

/** Starts a server on restored data, signs in with the password of the backed-up server, and reads the figures and the audited commands. */
async function contentOf(env: Record<string, string>): Promise<{ figures: unknown[]; commands: unknown[] }> {
  const server = await spawnServer(env);
  try {
    const { access_token: token } = await ask<{ access_token: string }>(server, '/auth/login', '', person);
    return { figures: await figures(server, token), commands: await commandsOf(server, token) };
  } finally {
    await server.stop();
  }
}

let before: unknown[] = [];
let taken: { code: number | null; said: string };
let original: Record<string, string>;
let audited: unknown[] = [];
let refused: { code: number | null; said: string };

describe('the restore drill', () => {
  beforeAll(async () => {
    writeFileSync(secret, `${passphrase}\n`);
    mkdirSync(path.join(base, 'bills'));
    await writeFocus(path.join(base, 'bills/may.csv'), monthOf('2026-05', ['0.000000000001', '12.5', '-3.25']));
    await writeFocus(path.join(base, 'bills/june.csv'), monthOf('2026-06', ['100', '0.1', '0.2']));
    original = environmentOf('original');
    const server = await spawnServer(original);
    const registration = { ...person, name: 'Ana', organization_name: 'Plum' };
    const { access_token: token } = await ask<{ access_token: string }>(server, '/auth/register', '', registration);
    const account = { name: 'Bills', provider: 'focus', settings: { path: 'bills' } };
    const { id } = await ask<{ id: string }>(server, '/accounts', token, account);
    await untilSynced(server, token);
    before = await figures(server, token);
    await writeFocus(path.join(base, 'bills/july.csv'), monthOf('2026-07', ['5', '6']));
    await ask(server, `/accounts/${id}/sync`, token, {});
    taken = await command(original, 'backup', backupFile, '--passphrase-file', secret);
    await untilSynced(server, token);
    audited = await commandsOf(server, token);
    refused = await command(original, 'restore', backupFile, '--replace', '--passphrase-file', secret);
    await server.stop();
  }, 300_000);
  afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));

  it('backs up a running server, and refuses to restore into it', () => {
    expect(taken).toMatchObject({ code: 0 });
    expect(taken.said).toContain('keys, sealed with your passphrase');
    expect(readdirSync(base).filter((name) => name.includes('drill'))).toEqual(['drill.tar']);
    expect(audited).toEqual(['backup']);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.said).toContain('A server or worker is running on this database; stop all of them');
  });

  it('restores it with its keys into another data folder, where all figures are the same', async () => {
    const other = environmentOf('other');
    const wrong = await command({ ...other, BACKUP_PASSPHRASE: 'some other words' }, 'restore', backupFile);
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.said).toContain('The passphrase does not decrypt the keys in this backup');
    const restored = await command(other, 'restore', backupFile, '--passphrase-file', secret);
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.said).toMatch(/The totals of all \d months match those of the bills/);
    expect(restored.said).not.toContain('WARNING');
    for (const key of ['jwt.key', 'encryption.key'])
      expect(readFileSync(path.join(base, 'other', key))).toEqual(readFileSync(path.join(base, 'original', key)));
    expect(await command(other, 'admin', 'verify')).toMatchObject({ code: 0 });
    expect(await contentOf(other)).toEqual({ figures: before, commands: ['verify', 'restore', 'backup'] });
  }, 300_000);

  it.skipIf(!programs)(
    'restores it into an external PostgreSQL, and from there into an embedded one',
    async () => {
      const postgres = await startServerPostgres(programs ?? '');
      try {
        const external = environmentOf('external', { DATABASE_URL: await postgres.freshUrl() });
        expect(await command(external, 'restore', backupFile, '--passphrase-file', secret)).toMatchObject({ code: 0 });
        expect(await contentOf(external)).toEqual({ figures: before, commands: ['restore', 'backup'] });
        const second = path.join(base, 'external.tar');
        const without = await command(external, 'backup', second);
        expect(without.said).toContain('THE KEYS ARE NOT IN THIS BACKUP');
        const back = environmentOf('back');
        const withoutKey = await command(back, 'restore', second);
        expect(withoutKey).toMatchObject({ code: 1 });
        expect(withoutKey.said).toContain(
          'servers would refuse to start with it; set it to the key of the backed-up server',
        );
        const restored = await command(back, 'restore', second, '--lost-key');
        expect(restored).toMatchObject({ code: 0 });
        expect(restored.said).toContain('WARNING: ENCRYPTION_KEY is not the key of this backup');
        expect(await contentOf(back)).toEqual({
          figures: before,
          commands: ['restore', 'backup', 'restore', 'backup'],
        });
      } finally {
        await postgres.remove();
      }
    },
    300_000,
  );

  it('rejects any other key, until the operator confirms that the key is lost', async () => {
    const other = { ...original, ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    const another = 'the secrets in this database are encrypted with another key';
    expect(await command(other, 'serve')).toMatchObject({ said: expect.stringContaining(another) });
    expect(await command(other, 'rotate-keys')).toMatchObject({ said: expect.stringContaining(another) });
    const backup = await command(other, 'backup', path.join(base, 'other.tar'));
    expect(backup).toMatchObject({ code: 1, said: expect.stringContaining('ENCRYPTION_KEY is not the key') });
    expect(await command(other, 'admin', 'forget-key')).toMatchObject({ code: 0 });
    expect(await contentOf(other)).toMatchObject({ commands: ['forget-key', 'backup', 'backup'] });
  }, 300_000);
});
