import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, inject, vi } from 'vitest';
import { demoOrganization } from '../../src/demo/tenant.ts';
import { readConfig, type Environment } from '../../src/kit/config.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { keyFromFile } from '../../src/kit/keys.ts';
import { serve } from '../../src/serve.ts';
import { administer } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { addressOf, demoTemplate } from './demo-template.ts';

/** Somebody who can sign in. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A whole server, its worker included, and how tests ask it what the console should show. */
export interface ConsoleWorld {
  /** Where it listens, on `localhost`: passkeys are bound to that name. */
  readonly url: string;
  readonly deps: Deps;
  /** The Super Admin. */
  readonly admin: Person;
  /** The folder that `focus` accounts may read. */
  readonly focusRoot: string;
  /** Asks GraphQL as somebody, by default the Super Admin.
   *  @throws when it answers errors */
  gql<Data>(query: string, variables?: object, as?: Person): Promise<Data>;
  /** Calls REST below `/api/v1` as somebody, by default the Super Admin. */
  rest<Body>(method: string, path: string, options?: { body?: object; as?: Person }): Promise<Body>;
  /** The newest mail to somebody: its text. Waits until there is one. */
  mailTo(email: string): Promise<string>;
  /** A new member of the organization. */
  join(role: 'admin' | 'member' | 'viewer', accountAccess?: readonly string[] | null): Promise<Person>;
}

/** High enough to be out of the way. */
const limits = Object.fromEntries(
  ['AUTH', 'READ', 'WRITE', 'REPORT', 'EXPORT'].map((category) => [`RATE_LIMIT_${category}`, '100000']),
);

/** One server with the demo's organization for all tests of a file.
 *  @param env what differs from the defaults */
export function demoWorld(env: Environment = {}): () => ConsoleWorld {
  return opened(async () => {
    const { database, dataDir: source } = await demoTemplate();
    const dataDir = newDataDir();
    for (const name of ['demo.key', 'jwt.key', 'encryption.key'])
      fs.copyFileSync(path.join(source, name), path.join(dataDir, name));
    for (const name of ['exports', 'facts'])
      fs.cpSync(path.join(source, name), path.join(dataDir, name), { recursive: true });
    const password = Buffer.from(keyFromFile(dataDir, 'demo.key')).toString('base64url').slice(0, 20);
    const admin = { email: demoOrganization.email, password };
    return start({ template: database, dataDir, focusRoot: path.join(dataDir, 'exports'), env, admin });
  });
}

/** One server that nobody has registered with, for all tests of a file. */
export function emptyWorld(env: Environment = {}): () => ConsoleWorld {
  return opened(async () => {
    const dataDir = newDataDir();
    const focusRoot = path.join(dataDir, 'bills');
    fs.mkdirSync(focusRoot);
    const admin = { email: 'ana@example.com', password: 'plum kite orbit' };
    return start({ template: inject('postgres').template, dataDir, focusRoot, env, admin });
  });
}

function opened(open: () => Promise<{ world: ConsoleWorld; stop: () => Promise<void> }>): () => ConsoleWorld {
  let found: Awaited<ReturnType<typeof open>> | undefined;
  beforeAll(async () => {
    found = await open();
  }, 300_000);
  afterAll(async () => {
    await found?.stop();
    found = undefined;
  });
  return () => {
    if (!found) throw new Error('The world opens before the first test');
    return found.world;
  };
}

function newDataDir(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-console-'));
}

interface Start {
  readonly template: string;
  readonly dataDir: string;
  readonly focusRoot: string;
  readonly env: Environment;
  readonly admin: Person;
}

let made = 0;

async function start({ template, dataDir, focusRoot, env, admin }: Start) {
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
  return { world: worldAt(`http://localhost:${port}`, { deps: running.deps, admin, focusRoot, dataDir }), stop };
}

function worldAt(
  url: string,
  { deps, admin, focusRoot, dataDir }: Pick<Start, 'admin' | 'focusRoot' | 'dataDir'> & { deps: Deps },
): ConsoleWorld {
  const tokens = new Map<string, string>();
  const call = async (method: string, at: string, body?: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}${at}`, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${at} answered ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const tokenOf = async ({ email, password }: Person): Promise<string> => {
    const known = tokens.get(email);
    if (known) return known;
    const { access_token: token } = await call('POST', '/api/v1/auth/login', { email, password });
    tokens.set(email, token);
    return token;
  };
  const rest: ConsoleWorld['rest'] = async (method, at, { body, as = admin } = {}) =>
    call(method, `/api/v1${at}`, body, await tokenOf(as));
  const gql: ConsoleWorld['gql'] = async (query, variables = {}, as = admin) => {
    const { data, errors } = await call('POST', '/graphql', { query, variables }, await tokenOf(as));
    expect(errors).toBeUndefined();
    return data;
  };
  const mailTo = (email: string) => newestMail(path.join(dataDir, 'outbox'), email);
  let joined = 0;
  const join: ConsoleWorld['join'] = async (role, accountAccess = null) => {
    joined += 1;
    const person = { email: `${role}${joined}@example.com`, password: 'plum kite orbit' };
    await rest('POST', '/org/invite', { body: { emails: [person.email], role, account_access: accountAccess } });
    const token = /[?&]token=([\w.%-]+)/.exec(await mailTo(person.email))?.[1] ?? '';
    const name = `${role.charAt(0).toUpperCase()}${role.slice(1)} ${joined}`;
    await call('POST', '/api/v1/auth/register', { ...person, name, invite_token: decodeURIComponent(token) });
    return person;
  };
  return { url, deps, admin, focusRoot, gql, rest, mailTo, join };
}

async function newestMail(outbox: string, email: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const names = fs.existsSync(outbox) ? fs.readdirSync(outbox).filter((name) => name.endsWith('.eml')) : [];
      const mails = await Promise.all(
        names.map(async (name) => {
          const file = path.join(outbox, name);
          return { at: fs.statSync(file).mtimeMs, mail: await PostalMime.parse(fs.readFileSync(file)) };
        }),
      );
      const [newest] = mails
        .filter(({ mail }) => mail.to?.some((to) => to.address === email))
        .toSorted((one, other) => other.at - one.at);
      if (!newest) throw new Error(`No mail to ${email}`);
      return newest.mail.text ?? '';
    },
    { timeout: 15_000, interval: 100 },
  );
}
