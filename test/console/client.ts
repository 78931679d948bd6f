import fs from 'node:fs';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { expect, vi } from 'vitest';
import { givenPassword, type Person, type ServerData } from './data.ts';

/** A running server, with the data that tests need. */
export interface Served extends Pick<ServerData, 'admin' | 'focusRoot' | 'outbox'> {
  /** Its URL, on `localhost`: passkeys are bound to that name. */
  readonly url: string;
  /** Members that tests share, by organization and access. */
  readonly members: Map<string, Promise<Person>>;
  /** Counter for unique names. */
  next(): number;
}

/** Describes a server that runs on the data. */
export function servedAt(url: string, { admin, focusRoot, outbox }: ServerData): Served {
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  return { url, admin, focusRoot, outbox, members: new Map(), next };
}

/** Client with which tests query what the console should show. */
export interface ConsoleApi extends Pick<Served, 'url' | 'focusRoot'> {
  /** The Super Admin. */
  readonly admin: Person;
  /** Sends a GraphQL request as a person; default: the Super Admin.
   *  @throws if the response has errors */
  gql<Data>(query: string, variables?: object, as?: Person): Promise<Data>;
  /** Sends a REST request below `/api/v1` as a person; default: the Super Admin. */
  rest<Body>(method: string, path: string, options?: { body?: object; as?: Person }): Promise<Body>;
  /** Waits for an email to an address, and returns the text of the newest one. */
  mailTo(email: string): Promise<string>;
  /** A new member of the organization. */
  join(role: Role, accountAccess?: readonly string[] | null): Promise<Person>;
  /** Returns a member of this role, shared by tests; their profile and role must not be changed. */
  someone(role: Role, accountAccess?: readonly string[] | null): Promise<Person>;
}

type Role = 'admin' | 'member' | 'viewer';

/** Registers a user with a new organization.
 *  @returns the access token */
export async function registerAt(url: string, body: Record<string, string>): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/auth/register`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(201);
  return String(((await response.json()) as { access_token: unknown }).access_token);
}

/** Registers a new organization.
 *  @returns its Super Admin */
export async function registerOrganization({ url, next }: Served): Promise<Person> {
  const admin = { email: `ana${next()}@example.com`, password: givenPassword };
  await registerAt(url, { ...admin, name: 'Ana Example', organization_name: 'Plum Kite' });
  return admin;
}

/** Creates a client that calls a server as its users.
 *  @param admin the Super Admin, unless it is the data's */
export function apiOf(server: Served, admin = server.admin): ConsoleApi {
  const { url, focusRoot } = server;
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
  const rest: ConsoleApi['rest'] = async (method, at, { body, as = admin } = {}) =>
    call(method, `/api/v1${at}`, body, await tokenOf(as));
  const gql: ConsoleApi['gql'] = async (query, variables = {}, as = admin) => {
    const { data, errors } = await call('POST', '/graphql', { query, variables }, await tokenOf(as));
    expect(errors).toBeUndefined();
    return data;
  };
  const mailTo = (email: string) => newestMail(server.outbox, email);
  const join: ConsoleApi['join'] = async (role, accountAccess = null) => {
    const number = server.next();
    const person = { email: `${role}${number}@example.com`, password: givenPassword };
    await rest('POST', '/org/invite', { body: { emails: [person.email], role, account_access: accountAccess } });
    const token = /[?&]token=([\w.%-]+)/.exec(await mailTo(person.email))?.[1] ?? '';
    const name = `${role.charAt(0).toUpperCase()}${role.slice(1)} ${number}`;
    await call('POST', '/api/v1/auth/register', { ...person, name, invite_token: decodeURIComponent(token) });
    return person;
  };
  const someone: ConsoleApi['someone'] = (role, accountAccess = null) => {
    const key = JSON.stringify([admin.email, role, accountAccess]);
    const person = server.members.get(key) ?? join(role, accountAccess);
    server.members.set(key, person);
    return person;
  };
  return { url, admin, focusRoot, gql, rest, mailTo, join, someone };
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
