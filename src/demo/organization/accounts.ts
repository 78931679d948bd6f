import { setTimeout as delay } from 'node:timers/promises';
import { connectAccount } from '../../ingest/accounts/connect.ts';
import { pageAccounts, requestSync, requireAccount } from '../../ingest/accounts/run.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, restName } from '../../kit/errors/errors.ts';
import type { BarState } from '../../kit/text/progress-bar.ts';
import { storedMessage } from '../../kit/errors/stored-error.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { demoFolders } from '../files/write.ts';

type Cloud = keyof typeof demoFolders;

const names = { aws: 'AWS production', azure: 'Azure', gcp: 'Google Cloud' } as const satisfies Record<Cloud, string>;
const pollMs = 250;

type Account = Awaited<ReturnType<typeof requireAccount>>;
type AccountDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'secrets'>;

/** Connects the three sample clouds, or syncs the accounts that are already connected. One that was disconnected stays so.
 *  @returns the account ids */
export async function syncAccounts(deps: AccountDeps, viewer: Viewer, actor: Actor): Promise<string[]> {
  const ids: string[] = [];
  for (const cloud of ['aws', 'azure', 'gcp'] as const) {
    const known = await findAccount(deps, viewer, cloud);
    if (known?.status === 'connected') await requestSync(deps, viewer, actor, known.id);
    ids.push(known?.id ?? (await connect(deps, viewer, actor, cloud)));
  }
  return ids;
}

async function findAccount(deps: AccountDeps, viewer: Viewer, cloud: Cloud) {
  const page = { skip: 0, take: 100, select: { id: true, externalId: true, status: true } } as const;
  const filter = { provider: ['focus'], status: ['connected', 'disconnected'] } as const;
  const { rows } = await pageAccounts(deps, viewer.scope, filter, page);
  return rows.find((account) => account.externalId === demoFolders[cloud]);
}

async function connect(deps: AccountDeps, viewer: Viewer, actor: Actor, cloud: Cloud): Promise<string> {
  const settings = { path: demoFolders[cloud] };
  try {
    return (await connectAccount(deps, viewer, actor, { name: names[cloud], provider: 'focus', settings })).id;
  } catch (error) {
    // Another demo on the same data connected it first: use that account and its sync.
    const found = error instanceof AppError && error.code === 'CONFLICT' && (await findAccount(deps, viewer, cloud));
    if (found) return found.id;
    throw error;
  }
}

/** Waits until all syncs have ended.
 *  @returns the reasons of those that failed, one line each */
export async function waitForSyncs(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  watch: { ids: readonly string[]; onProgress(state: BarState): void; stopped: Promise<unknown> },
): Promise<string[]> {
  let failure: unknown = null;
  watch.stopped.catch((error: unknown) => (failure = error ?? new Error('The worker stopped')));
  for (;;) {
    if (failure) throw failure;
    const accounts = await Promise.all(watch.ids.map((id) => requireAccount(deps, viewer.scope, id)));
    const isUnderWay = accounts.some(({ sync }) => sync?.status === 'queued' || sync?.status === 'running');
    watch.onProgress(stateOf(accounts, isUnderWay));
    if (!isUnderWay) return accounts.flatMap((account) => faultOf(account));
    await delay(pollMs);
  }
}

function stateOf(accounts: readonly Account[], isUnderWay: boolean): BarState {
  const percents = accounts.map(({ sync }) =>
    sync?.status === 'running' ? (sync.percent ?? 0) : sync?.status === 'queued' ? 0 : 100,
  );
  const rows = accounts.reduce((sum, { sync }) => sum + Number(sync?.rows ?? 0n), 0);
  const running = accounts.find(({ sync }) => sync?.status === 'running');
  return {
    percent: percents.reduce((sum, percent) => sum + percent, 0) / Math.max(1, percents.length),
    phase: isUnderWay ? `${running?.name ?? 'waiting'}` : 'done',
    note: isUnderWay || rows > 0 ? `${rows.toLocaleString('en-US')} line items` : 'nothing new',
  };
}

function faultOf({ name, sync }: Account): string[] {
  return sync?.status === 'failed'
    ? [`${name} could not be synced: ${storedMessage(sync.lastError, restName) ?? 'see the log'}`]
    : [];
}
