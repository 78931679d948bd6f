import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { shareCodeCache } from './code-cache.ts';
import { administer, queryOn, urlOf } from './database.ts';

const main = path.resolve(import.meta.dirname, '../../src/main.ts');

/** The database and the data folder that the programs of one installation share. */
export interface Installation {
  readonly env: { readonly DATABASE_URL: string; readonly DATA_DIR: string };
  readonly folder: string;
  query<Row extends object>(sql: string): Promise<Row[]>;
}

/** A command of the server in its own process. */
export interface Program {
  readonly child: ChildProcess;
  /** Standard output and error until now. */
  output(): string;
  /** Resolves with the server's URL; rejects with its output if it ends. */
  readonly url: Promise<string>;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  /** Stops it gracefully.
   *  @returns its exit code */
  stop(): Promise<number | null>;
}

let made = 0;

/** Creates a database and a data folder. Both are deleted after the test.
 *  @param template database to copy, such as the migrated one of the run; by default an empty one */
export async function anInstallation(template = 'template0'): Promise<Installation> {
  made += 1;
  const name = `${inject('postgres').template}_program_${process.pid}_${made}`;
  await administer(`create database ${name} template ${template} strategy file_copy`);
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-program-'));
  shareCodeCache(folder);
  onTestFinished(async () => {
    await administer(`drop database ${name} with (force)`);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  const query = <Row extends object>(sql: string) => queryOn<Row>(name, sql);
  return { env: { DATABASE_URL: urlOf(name), DATA_DIR: folder }, folder, query };
}

/** Runs a command of the server. It is killed after the test. */
export function runProgram(args: readonly string[], env: Readonly<Record<string, string>>): Program {
  const settings = { PATH: process.env['PATH'], PORT: '0', SYNC_CRON: 'off', LOG_LEVEL: 'warn', ...env };
  const child = spawn(process.execPath, [main, ...args], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output: said }));
  const url = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /listens on (https?:\/\/[^\s;]+)[\s;]/.exec(said)?.[1];
      if (found) resolve(found);
    });
    void ended.then(({ code }) => reject(new Error(`The program ended with ${code}: ${said}`)));
  });
  url.catch(() => {}); // commands that do not listen
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended).code;
  };
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output: () => said, url, ended, stop };
}

/** Calls the REST API of a program.
 *  @returns status and body */
export async function callApi(
  url: string,
  [method, at]: readonly [method: string, at: string],
  { token, body }: { readonly token?: string | undefined; readonly body?: object } = {},
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(`${url}/api/v1${at}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
