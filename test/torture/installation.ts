import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnServer, type SpawnedServer } from '../support/server.ts';
import type { Context } from './attack.ts';
import { killProcess, orphansOf, processesOf, type Process } from './processes.ts';

/** The built program, as users run it. */
export const program = path.resolve(import.meta.dirname, '../../bin/costkeep');

/** Longest time of a response in milliseconds; machines of CI may be slow. */
const hangMs = { full: 10_000, short: 60_000 };
/** Longest start of a server or worker, in milliseconds: after a crash, the database recovers first. */
const startMs = 90_000;
/** Time in milliseconds within which children of a killed process must have ended. */
const orphanMs = 15_000;

/** A response; status 0 if there was none. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly text: string;
  readonly body: Body;
  readonly ms: number;
}

interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

const open = new Set<Installation>();

/** Kills every process of the open installations, and deletes their folders: the torture was interrupted. */
export function abandonAll(): void {
  for (const { base } of open) {
    for (const { pid } of processesOf(base)) killProcess(pid);
    fs.rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** An installation in a folder of its own: a server, and a worker where an attack starts one. */
export class Installation {
  readonly base: string;
  readonly dataDir: string;
  readonly focusRoot: string;
  readonly env: Record<string, string>;
  /** The running server; null before the first start, and between a kill and the next start. */
  server: SpawnedServer | null = null;
  worker: SpawnedServer | null = null;
  token: string | null = null;
  readonly #context: Context;

  constructor(context: Context, env: Readonly<Record<string, string>> = {}, base = newFolder()) {
    open.add(this);
    this.#context = context;
    this.base = base;
    this.dataDir = path.join(base, 'data');
    this.focusRoot = path.join(base, 'bills');
    for (const folder of [this.focusRoot, this.#temporary]) fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(this.#temporary, 0o1777);
    this.env = {
      PATH: process.env['PATH'] ?? '',
      TMPDIR: this.#temporary,
      DATA_DIR: this.dataDir,
      FOCUS_ROOT: this.focusRoot,
      PORT: '0',
      LOG_LEVEL: 'warn',
      SYNC_CRON: 'off',
      ...unlimited,
      ...env,
    };
  }

  /** Address of the server, which may not listen yet. */
  get url(): string {
    return this.server?.url ?? `http://127.0.0.1:${this.env['PORT']}`;
  }

  get #temporary(): string {
    return path.join(this.base, 'tmp');
  }

  /** Starts the server, and measures how long that takes. */
  async start(command: readonly [string, ...string[]] = [program]): Promise<void> {
    const begun = performance.now();
    this.server = await withinLimit(spawnServer(this.env, 'serve', command), startMs, 'the start of the server');
    this.#context.findings.measure('starts of the server', performance.now() - begun);
  }

  async startWorker(): Promise<void> {
    const begun = performance.now();
    this.worker = await withinLimit(spawnServer(this.env, 'work', [program]), startMs, 'the start of the worker');
    this.#context.findings.measure('starts of the worker', performance.now() - begun);
  }

  /** Starts the killed server and worker again. */
  async restart(): Promise<void> {
    const hadWorker = this.worker !== null;
    if (!this.server || this.server.hasEnded()) await this.start();
    if (hadWorker && this.worker?.hasEnded()) await this.startWorker();
  }

  /** Calls `/api/v1` + path. Any status of 500 and above except 503, and no response in time, is a fault. */
  async ask<Body = unknown>(at: string, options: Ask = {}): Promise<Answer<Body>> {
    return this.request<Body>(`/api/v1${at}`, options);
  }

  /** Calls any path, such as `/graphql`. */
  async request<Body = unknown>(at: string, options: Ask = {}): Promise<Answer<Body>> {
    const { method = 'GET', body, token = this.token, headers = {} } = options;
    const limit = this.#context.isShort ? hangMs.short : hangMs.full;
    const begun = performance.now();
    const took = () => performance.now() - begun;
    const what = `${method} ${at.slice(0, 300)}${body === undefined ? '' : ` with ${JSON.stringify(body).slice(0, 1_500)}`}`;
    try {
      const response = await fetch(`${this.url}${at}`, {
        method,
        headers: {
          ...(body === undefined || body instanceof Uint8Array ? {} : { 'content-type': 'application/json' }),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: body === undefined ? null : body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(limit),
      });
      const text = await response.text();
      const { status } = response;
      if (status >= 500 && status !== 503)
        this.#context.findings.fault(`${what} answered ${status}: ${text}${await this.#logOf(text)}`);
      return { status, text, body: parsed<Body>(text), ms: took() };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        this.#context.findings.fault(`${what} was not answered within ${limit / 1000} s`);
      else if (!isNetwork(error)) throw error;
      return { status: 0, text: '', body: parsed<Body>(''), ms: took() };
    }
  }

  /** Returns the log lines about the request of an answer. */
  async #logOf(text: string): Promise<string> {
    const requestId = /of request ([\w-]+)/.exec(text)?.[1];
    await sleep(200);
    const lines = this.server?.said().split('\n') ?? [];
    return lines
      .filter((line) => requestId && line.includes(requestId))
      .map((line) => `\n${line.slice(0, 3_000)}`)
      .join('');
  }

  /** Calls `/api/v1` + path; any status other than 200 to 204 ends the attack. */
  async must<Body = unknown>(at: string, options: Ask = {}): Promise<Body> {
    const { status, text, body } = await this.ask<Body>(at, options);
    if (status < 200 || status > 204) throw new Error(`${options.method ?? 'GET'} ${at} answered ${status}: ${text}`);
    return body;
  }

  /** Registers an organization, and keeps its token. */
  async register(name = 'Plum'): Promise<string> {
    const person = { email: `${name.toLowerCase()}@example.com`, password, name, organization_name: name };
    const { access_token: token } = await this.must<{ access_token: string }>('/auth/register', {
      method: 'POST',
      body: person,
      token: null,
    });
    // Access tokens last 15 minutes; API tokens do not expire.
    const made = await this.must<{ token: string }>('/auth/tokens', {
      method: 'POST',
      body: { name: 'torture' },
      token,
    });
    this.token = made.token;
    return made.token;
  }

  /** Waits until nothing is left of killed processes: no orphans, no files of syncs. */
  async checkRemains(): Promise<void> {
    const { findings } = this.#context;
    const parents = () => [this.server, this.worker].flatMap((each) => (each && !each.hasEnded() ? [each.pid] : []));
    const orphans = await settled(orphanMs, () => orphansOf(this.base, parents()));
    for (const { pid, command } of orphans) findings.fault(`process ${pid} is an orphan: ${command}`);
    const files = await settled(orphanMs, () => this.#leftovers(parents()));
    for (const file of files) findings.fault(`a temporary file was left: ${file}`);
    findings.count('checks for orphans and leftover files');
  }

  #leftovers(parents: readonly number[]): string[] {
    const list = (folder: string) => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);
    const jobs = list(path.join(this.dataDir, 'jobs')).map((name) => `jobs/${name}`);
    const engines = list(path.join(this.dataDir, 'engine'))
      .filter((name) => !parents.some((pid) => name.startsWith(`${pid}-`)))
      .map((name) => `engine/${name}`);
    return [...jobs, ...engines, ...list(this.#temporary).map((name) => `tmp/${name}`)];
  }

  /** Stops everything gracefully. */
  async stop(): Promise<void> {
    for (const each of [this.worker, this.server]) {
      if (each === null || each.hasEnded()) continue;
      await withinLimit(each.stop(), startMs, 'a stop').catch((error: Error) =>
        this.#context.findings.faults.push(error.message),
      );
    }
  }

  /** Stops everything, expects no process to remain, and deletes the folder. */
  async close(): Promise<void> {
    await this.stop();
    const remaining: Process[] = await settled(orphanMs, () => processesOf(this.base));
    for (const { pid, command } of remaining) {
      this.#context.findings.faults.push(`process ${pid} runs after the stop: ${command}`);
      killProcess(pid);
    }
    fs.rmSync(this.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    open.delete(this);
  }
}

export const password = 'plum kite orbit';

const unlimited = Object.fromEntries(
  ['AUTH', 'READ', 'WRITE', 'REPORT', 'EXPORT'].map((name) => [`RATE_LIMIT_${name}`, '1000000']),
);

/** A folder for an installation. */
export function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-torture-'));
  fs.chmodSync(folder, 0o711); // root's database user must be able to pass through it
  return folder;
}

/** Runs an attack on an installation, and always removes it. */
export async function onInstallation(
  installation: Installation,
  attack: (installation: Installation) => Promise<void>,
): Promise<void> {
  try {
    await attack(installation);
  } finally {
    await installation.close();
  }
}

/** @throws {Error} when it takes too long */
export async function withinLimit<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} took longer than ${ms / 1000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}

/** Polls until nothing is found, and returns the last findings at the time limit. */
async function settled<T>(ms: number, look: () => T[]): Promise<T[]> {
  const end = performance.now() + ms;
  for (;;) {
    const found = look();
    if (found.length === 0 || performance.now() > end) return found;
    await sleep(100);
  }
}

function parsed<Body>(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined as Body;
  }
}

/** Refused and broken connections: the server may just have been killed. */
function isNetwork(error: unknown): boolean {
  return (error instanceof TypeError && error.message === 'fetch failed') || /terminated|socket/.test(String(error));
}
