import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { demoOrganization } from '../../src/demo/organization/tenant.ts';
import { readConfig, type Environment } from '../../src/kit/config/config.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { keyFromFile } from '../../src/kit/secrets/keys.ts';
import { serve } from '../../src/serve.ts';
import { shareCodeCache } from '../support/code-cache.ts';
import { administer } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { addressOf, demoTemplate } from './demo-template.ts';

/** Somebody who can sign in. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A server with its worker, on a database of its own. */
export interface TestServer {
  /** Where it listens, on `localhost`: passkeys are bound to that name. */
  readonly url: string;
  readonly deps: Deps;
  /** The folder that `focus` accounts may read. */
  readonly focusRoot: string;
  /** Folder of the mails that it has sent. */
  readonly outbox: string;
  /** Members whom tests share, by their organization and what they may see. */
  readonly members: Map<string, Promise<Person>>;
  /** Counts up, for names that are used once. */
  next(): number;
  stop(): Promise<void>;
}

/** A server with the demo's organization. */
export interface DemoServer extends TestServer {
  /** Its Super Admin. */
  readonly admin: Person;
}

/** Rate limits that no test reaches. */
const limits = Object.fromEntries(
  ['AUTH', 'READ', 'WRITE', 'REPORT', 'EXPORT'].map((category) => [`RATE_LIMIT_${category}`, '100000']),
);

/** Starts a server on a copy of the demo.
 *  @param env what differs from the defaults */
export async function startDemoServer(env: Environment = {}): Promise<DemoServer> {
  const { database, dataDir: source } = await demoTemplate();
  const dataDir = newDataDir();
  for (const name of ['demo.key', 'jwt.key', 'encryption.key'])
    fs.copyFileSync(path.join(source, name), path.join(dataDir, name));
  for (const name of ['exports', 'facts'])
    fs.cpSync(path.join(source, name), path.join(dataDir, name), { recursive: true });
  const password = Buffer.from(keyFromFile(dataDir, 'demo.key')).toString('base64url').slice(0, 20);
  const admin = { email: demoOrganization.email, password };
  const server = await start({ template: database, dataDir, focusRoot: path.join(dataDir, 'exports'), env });
  return { ...server, admin };
}

/** Starts a server that nobody has registered with.
 *  @param env what differs from the defaults */
export async function startEmptyServer(env: Environment = {}): Promise<TestServer> {
  const dataDir = newDataDir();
  const focusRoot = path.join(dataDir, 'bills');
  fs.mkdirSync(focusRoot);
  return start({ template: inject('postgres').template, dataDir, focusRoot, env });
}

function newDataDir(): string {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-console-'));
  shareCodeCache(dataDir);
  return dataDir;
}

interface Start {
  readonly template: string;
  readonly dataDir: string;
  readonly focusRoot: string;
  readonly env: Environment;
}

let made = 0;

async function start({ template, dataDir, focusRoot, env }: Start): Promise<TestServer> {
  made += 1;
  const database = `${inject('postgres').template}_console_${process.pid}_${made}`;
  await administer(`create database ${database} template ${template} strategy file_copy`);
  const port = await freePort();
  const config = readConfig({
    ...limits,
    DATABASE_URL: addressOf(database),
    DATA_DIR: dataDir,
    FOCUS_ROOT: focusRoot,
    HOST: 'localhost',
    PORT: String(port),
    LOG_LEVEL: 'silent',
    ...env,
  });
  const running = await serve(config);
  const stop = async () => {
    await running.stop();
    await administer(`drop database ${database} with (force)`);
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  const outbox = path.join(dataDir, 'outbox');
  return { url: `http://localhost:${port}`, deps: running.deps, focusRoot, outbox, members: new Map(), next, stop };
}
