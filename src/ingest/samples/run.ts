import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { conflict, fix, operation } from '../../kit/errors/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { SampleProvider } from '../../sample/bill/line-item.ts';
import type { Author } from '../../tenancy/accounts/about.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import { type OrgScope, requireAllAccounts, type Viewer } from '../../tenancy/auth/scope.ts';
import { type AccountDeps, disconnectAccount, record } from '../accounts/run.ts';
import { insertAccount, lockSources } from '../accounts/store.ts';
import { addContent } from './content.ts';
import { listSampleIds } from './store.ts';

/** Display names of the accounts with sample data, by cloud. */
const names = {
  aws: 'AWS sample',
  azure: 'Azure sample',
  gcp: 'Google Cloud sample',
} as const satisfies Record<SampleProvider, string>;

const clouds = ['aws', 'azure', 'gcp'] as const;

/** Connects accounts with sample data, queues their first syncs, and adds a budget, a dashboard and annotations, all in one
 *  transaction.
 *  @returns the ids of the accounts
 *  @throws {AppError} FORBIDDEN without access to all accounts; CONFLICT when there are such accounts */
export async function loadSampleData(deps: AccountDeps, viewer: Viewer, actor: Actor): Promise<string[]> {
  const { scope } = viewer;
  requireAll(scope);
  return deps.db.$transaction(async (within) => {
    await lockSources(within, scope);
    if ((await listSampleIds(within, scope)).length > 0)
      throw conflict`The organization already has sample data${fix}remove it with ${operation('DELETE /accounts/sample')} before you load it again`;
    const by = { viewer, actor, now: deps.clock.now() };
    const created: string[] = [];
    for (const cloud of clouds) created.push(await insert(within, by, cloud));
    const [accountId] = created;
    if (accountId !== undefined) await addContent(within, by, { accountId, name: names[clouds[0]] });
    const { organizationId } = scope;
    for (const id of created) await deps.queue.add('sync', { organizationId, accountId: id }, { within });
    return created;
  });
}

async function insert(tx: Db, { viewer, actor, now }: Author, cloud: SampleProvider): Promise<string> {
  const name = names[cloud];
  const provider = 'focus';
  const id = newId(now);
  const source = {
    provider,
    externalId: `sample://${cloud}`,
    sampleOf: cloud,
    settings: {},
    credentials: null,
  } as const;
  await insertAccount(tx, viewer.scope, {
    ...source,
    id,
    name,
    warnings: [],
    createdBy: viewer.userId,
    now,
  });
  await record(tx, actor, { action: 'account_connected', id, details: { name, provider, sample: true } });
  return id;
}

/** Deletes the accounts with sample data, and everything that was derived from them. Without any, nothing changes.
 *  @throws {AppError} FORBIDDEN without access to all accounts */
export async function removeSampleData(
  deps: AccountDeps & Pick<Deps, 'pool'>,
  viewer: Viewer,
  actor: Actor,
): Promise<void> {
  requireAll(viewer.scope);
  // Concurrently, so that a sync of one account does not delay the removal of the others.
  const ids = await listSampleIds(deps.db, viewer.scope);
  await Promise.all(ids.map((id) => disconnectAccount(deps, viewer, actor, { id, purge: true })));
}

function requireAll(scope: OrgScope): void {
  requireAllAccounts(scope, 'Sample data is added to the figures of all accounts');
}
