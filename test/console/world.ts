import fs from 'node:fs';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { Environment } from '../../src/kit/config/config.ts';
import { startDemoServer, startEmptyServer, type Person, type TestServer } from './server.ts';
import { inWorker } from './worker.ts';

export type { Person } from './server.ts';

/** A whole server, its worker included, and how tests ask it what the console should show. */
export interface ConsoleWorld extends Pick<TestServer, 'url' | 'deps' | 'focusRoot'> {
  /** The Super Admin. */
  readonly admin: Person;
  /** Asks GraphQL as somebody, by default the Super Admin.
   *  @throws when it answers errors */
  gql<Data>(query: string, variables?: object, as?: Person): Promise<Data>;
  /** Calls REST below `/api/v1` as somebody, by default the Super Admin. */
  rest<Body>(method: string, path: string, options?: { body?: object; as?: Person }): Promise<Body>;
  /** The newest mail to somebody: its text. Waits until there is one. */
  mailTo(email: string): Promise<string>;
  /** A new member of the organization. */
  join(role: Role, accountAccess?: readonly string[] | null): Promise<Person>;
  /** A member of this role whom other tests may have used; their profile and role must stay as they are. */
  someone(role: Role, accountAccess?: readonly string[] | null): Promise<Person>;
}

type Role = 'admin' | 'member' | 'viewer';

/** Password of every person that worlds create. */
const givenPassword = 'plum kite orbit';

/** The demo's organization on the server that all files of a worker share. Tests may change what is theirs to change, but
 *  not the organization itself, and they ask the API for what they expect. */
export function demoWorld(): () => ConsoleWorld {
  let world: ConsoleWorld | undefined;
  inWorker.beforeAll(async ({ demoServer }) => {
    world = worldOf(demoServer, demoServer.admin);
  }, 300_000);
  return () => opened(world);
}

/** A new organization on a server that all files of a worker share. */
export function newOrganization(): () => ConsoleWorld {
  let world: ConsoleWorld | undefined;
  inWorker.beforeAll(async ({ emptyServer }) => {
    const admin = { email: `ana${emptyServer.next()}@example.com`, password: givenPassword };
    await registerAt(emptyServer.url, { ...admin, name: 'Ana Example', organization_name: 'Plum Kite' });
    world = worldOf(emptyServer, admin);
  }, 120_000);
  return () => opened(world);
}

/** A server with the demo's organization for one file, which may do with it what it likes.
 *  @param env what differs from the defaults */
export function ownDemoWorld(env: Environment = {}): () => ConsoleWorld {
  return own(async () => {
    const server = await startDemoServer(env);
    return { server, admin: server.admin };
  });
}

/** A server that nobody has registered with, for one file.
 *  @param env what differs from the defaults */
export function emptyWorld(env: Environment = {}): () => ConsoleWorld {
  return own(async () => ({
    server: await startEmptyServer(env),
    admin: { email: 'ana@example.com', password: givenPassword },
  }));
}

/** Registers somebody with an organization of their own.
 *  @returns their access token */
export async function registerAt(url: string, body: Record<string, string>): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/auth/register`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(201);
  return String(((await response.json()) as { access_token: unknown }).access_token);
}

function own(start: () => Promise<{ server: TestServer; admin: Person }>): () => ConsoleWorld {
  let stop: (() => Promise<void>) | undefined;
  let world: ConsoleWorld | undefined;
  beforeAll(async () => {
    const { server, admin } = await start();
    stop = server.stop;
    world = worldOf(server, admin);
  }, 300_000);
  afterAll(async () => {
    await stop?.();
    stop = world = undefined;
  });
  return () => opened(world);
}

function opened(world: ConsoleWorld | undefined): ConsoleWorld {
  if (!world) throw new Error('The world opens before the first test');
  return world;
}

function worldOf(server: TestServer, admin: Person): ConsoleWorld {
  const { url, deps, focusRoot } = server;
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
  const mailTo = (email: string) => newestMail(server.outbox, email);
  const join: ConsoleWorld['join'] = async (role, accountAccess = null) => {
    const number = server.next();
    const person = { email: `${role}${number}@example.com`, password: givenPassword };
    await rest('POST', '/org/invite', { body: { emails: [person.email], role, account_access: accountAccess } });
    const token = /[?&]token=([\w.%-]+)/.exec(await mailTo(person.email))?.[1] ?? '';
    const name = `${role.charAt(0).toUpperCase()}${role.slice(1)} ${number}`;
    await call('POST', '/api/v1/auth/register', { ...person, name, invite_token: decodeURIComponent(token) });
    return person;
  };
  const someone: ConsoleWorld['someone'] = (role, accountAccess = null) => {
    const key = JSON.stringify([admin.email, role, accountAccess]);
    const person = server.members.get(key) ?? join(role, accountAccess);
    server.members.set(key, person);
    return person;
  };
  return { url, deps, admin, focusRoot, gql, rest, mailTo, join, someone };
}

async function newestMail(outbox: string, email: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const names = fs.existsSync(outbox) ? fs.readdirSync(outbox).filter((name) => name.endsWith('.eml')) : [];
      const mails = names
        .map((name) => path.join(outbox, name))
        .map((file) => ({ file, at: fs.statSync(file).mtimeMs }))
        .toSorted((one, other) => other.at - one.at);
      for (const { file } of mails) {
        const { to, text = '' } = await PostalMime.parse(fs.readFileSync(file));
        if (to?.some(({ address }) => address === email)) return text;
      }
      throw new Error(`No mail to ${email}`);
    },
    { timeout: 15_000, interval: 50 },
  );
}
