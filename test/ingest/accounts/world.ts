import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import { tasks } from '../../../src/tasks.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { aLine, writeFocus, type FocusRow } from '../../support/focus.ts';
import { aWorld, type Answered, type World } from '../../support/world.ts';

/** An account in REST responses. */
export interface AccountBody {
  id: string;
  name: string;
  provider: string;
  external_id: string;
  status: string;
  sync_status: string;
  sync_progress: { phase: string | null; percent: number | null; rows: number | null } | null;
  last_synced_at: string | null;
  last_sync_error: string | null;
  unreadable_files: string[];
  data_from: string | null;
  data_to: string | null;
  complete_through: string | null;
  currency: string | null;
  settings: { path: string };
  created_at: string;
  updated_at: string;
}

/** The error envelope. */
export interface ErrorBody {
  error: { code: string; message: string };
}

/** A Super Admin, the FOCUS_ROOT folder, and the API. */
export interface Accounting extends World {
  readonly token: string;
  readonly root: string;
  put(name: string, rows: readonly FocusRow[]): Promise<void>;
  call<Body = AccountBody>(method: string, at: string, body?: object): Promise<Answered<Body>>;
  connect(folder: string, name?: string): Promise<AccountBody>;
  /** Starts a worker, and returns a function that stops it; it stops with the test at the latest. */
  work(): Promise<() => Promise<void>>;
  /** Waits until the sync of the account has one of these states. */
  until(id: string, ...states: string[]): Promise<AccountBody>;
  /** Changes the caller's role and account access. */
  become(role: Role, accountIds?: string[]): Promise<void>;
}

/** A signed-in organization with two folders of bills, `may` and `june`, under FOCUS_ROOT. */
export async function anAccounting(): Promise<Accounting> {
  const root = mkdtempSync(path.join(tmpdir(), 'costkeep-accounts-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const world = await aWorld({ config: { focusRoot: root, syncCron: null }, hasQueue: true });
  const { token } = await world.register();
  const put: Accounting['put'] = (name, rows) => writeFocus(path.join(root, name), rows);
  await put('may/a.csv', [aLine({ day: '2026-05-03', cost: '7' })]);
  await put('june/a.csv', [aLine({ day: '2026-06-03', cost: '5', BillingCurrency: 'EUR' })]);
  const call: Accounting['call'] = (method, at, body) => world.rest(method, at, { token, ...(body ? { body } : {}) });
  return {
    ...world,
    token,
    root,
    put,
    call,
    async connect(folder, name = 'Bills') {
      const answer = await call('POST', '/accounts', { name, provider: 'focus', settings: { path: folder } });
      if (answer.status !== 201) throw new Error(`Connecting answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
    async work() {
      const worker = await startWorker(world.deps, tasks);
      let stopped: Promise<void> | undefined;
      const stop = () => (stopped ??= worker.stop());
      onTestFinished(stop);
      return stop;
    },
    until: (id, ...states) =>
      vi.waitFor(
        async () => {
          const { body, text } = await call('GET', `/accounts/${id}`);
          expect(states, text).toContain(body.sync_status);
          return body;
        },
        { timeout: 50_000, interval: 20 },
      ),
    async become(role, accountIds) {
      const restricted = accountIds !== undefined;
      await world.deps.db.membership.updateMany({ data: { role, restricted, accountAccess: accountIds ?? [] } });
    },
  };
}
