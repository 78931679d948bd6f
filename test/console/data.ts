import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { keyFromFile } from '../../src/kit/secrets/keys.ts';
import { shareCodeCache } from '../support/code-cache.ts';
import { administer } from '../support/database.ts';
import { addressOf, demoTemplate } from './demo-template.ts';

/** A user who can sign in. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

type Settings = Readonly<Record<string, string>>;

/** A database and a data folder for one server. */
export interface ServerData {
  /** Environment of the server, without its port. */
  readonly env: Settings;
  /** The Super Admin of the demo; on an empty server, the user who can register as one. */
  readonly admin: Person;
  /** The folder that `focus` accounts may read. */
  readonly focusRoot: string;
  /** Folder of the emails that the server has sent. */
  readonly outbox: string;
  /** Deletes them, after the server. */
  remove(): Promise<void>;
}

/** Password of every person that tests create. */
export const givenPassword = 'plum kite orbit';

/** Rate limits that no test reaches. */
const limits = Object.fromEntries(
  ['AUTH', 'READ', 'WRITE', 'REPORT', 'EXPORT'].map((category) => [`RATE_LIMIT_${category}`, '100000']),
);

/** Copies the demo.
 *  @param env overrides of the defaults */
export async function demoData(env: Settings = {}): Promise<ServerData> {
  const { database, dataDir: source } = await demoTemplate();
  const dataDir = newDataDir();
  for (const name of ['demo.key', 'jwt.key', 'encryption.key'])
    fs.copyFileSync(path.join(source, name), path.join(dataDir, name));
  for (const name of ['exports', 'facts'])
    fs.cpSync(path.join(source, name), path.join(dataDir, name), { recursive: true });
  const password = Buffer.from(keyFromFile(dataDir, 'demo.key')).toString('base64url').slice(0, 20);
  const admin = { email: 'demo@costkeep.example', password };
  return prepare({ template: database, dataDir, focusRoot: path.join(dataDir, 'exports'), admin, env });
}

/** Data of a server without users.
 *  @param env overrides of the defaults */
export async function emptyData(env: Settings = {}): Promise<ServerData> {
  const dataDir = newDataDir();
  const focusRoot = path.join(dataDir, 'bills');
  fs.mkdirSync(focusRoot);
  const admin = { email: 'ana@example.com', password: givenPassword };
  return prepare({ template: inject('postgres').template, dataDir, focusRoot, admin, env });
}

function newDataDir(): string {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-console-'));
  shareCodeCache(dataDir);
  return dataDir;
}

interface Start extends Pick<ServerData, 'focusRoot' | 'admin' | 'env'> {
  readonly template: string;
  readonly dataDir: string;
}

let made = 0;

async function prepare({ template, dataDir, focusRoot, admin, env }: Start): Promise<ServerData> {
  made += 1;
  const database = `${inject('postgres').template}_console_${process.pid}_${made}`;
  await administer(`create database ${database} template ${template} strategy file_copy`);
  const settings = {
    ...limits,
    DATABASE_URL: addressOf(database),
    DATA_DIR: dataDir,
    FOCUS_ROOT: focusRoot,
    HOST: 'localhost',
    LOG_LEVEL: 'silent',
    ...env,
  };
  const remove = async () => {
    await administer(`drop database ${database} with (force)`);
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  return { env: settings, admin, focusRoot, outbox: path.join(dataDir, 'outbox'), remove };
}
