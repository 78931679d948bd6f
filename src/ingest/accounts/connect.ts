import { isDeepStrictEqual } from 'node:util';
import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { CloudProvider } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, invalid, operation, type AppError } from '../../kit/errors/errors.ts';
import { unchanged } from '../../kit/errors/refusals.ts';
import { newId } from '../../kit/ids.ts';
import { parseSettings, refuseBlank, type CredentialFields, type SettingsFields } from '../../providers/fields.ts';
import { readSettings } from '../../providers/input.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import { nextChange, requireUnmodified } from '../../tenancy/accounts/about.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import { markQueued } from '../sync/store.ts';
import { once, refuseSecond, type Claim } from './duplicate.ts';
import { checkName } from './input.ts';
import { type AccountDeps, queueSync, record, requireAccount } from './run.ts';
import { checkSource, isLocal, mergeSettings, needsOtherCredentials } from './source.ts';
import {
  forgetListing,
  grantAccount,
  insertAccount,
  lockAccount,
  lockSources,
  readTrustExternalId,
  updateAccountRow,
  updateSourceRow,
  type Account,
} from './store.ts';

type ConnectDeps = AccountDeps & Pick<Deps, 'secrets'>;

/** Input for connecting an account. */
export interface ConnectInput {
  name: string;
  provider: CloudProvider;
  credentials?: CredentialFields | null;
  settings?: SettingsFields | null;
}

/** Changes to an account; omitted fields stay unchanged. */
export interface UpdateInput {
  id: string;
  name?: string | null;
  credentials?: CredentialFields | null;
  /** Given fields are replaced, null clears, the rest is unchanged. */
  settings?: SettingsFields | null;
  /** Time of the account's last change when the client read it: a later change is a conflict. */
  ifUnmodifiedSince?: Date | null;
}

/** Connects an account and queues its first sync. First checks that the source can be read.
 *  @throws {AppError} VALIDATION_ERROR naming the invalid input; CONFLICT when it is already connected; SERVICE_UNAVAILABLE
 *  when the provider cannot be reached */
export async function connectAccount(
  deps: ConnectDeps,
  viewer: Viewer,
  actor: Actor,
  input: ConnectInput,
): Promise<Account> {
  const { scope } = viewer;
  const { provider } = input;
  const name = checkName(input.name);
  refuseBlankSource(input);
  const now = deps.clock.now();
  const id = newId(now);
  const sent = {
    organizationId: scope.organizationId,
    accountId: id,
    provider,
    credentials: input.credentials ?? null,
    settings: input.settings ?? {},
    trustExternalId: await readTrustExternalId(deps.db, scope),
  };
  const source = await checkSource(deps.config, sent, (externalId) =>
    refuseSecond(deps.db, scope, { provider, externalId, own: null, sent: input }),
  );
  const { externalId, warnings } = source;
  const settings: Prisma.InputJsonObject = { ...source.settings };
  const claim = { provider, externalId, own: null, sent: input };
  const account = await once(claim, deps.db, async (tx) => {
    await lockSources(tx, scope);
    await refuseSecond(tx, scope, claim);
    const credentials = sealed(deps, source.credentials, id);
    const values = { id, name, provider, externalId, settings, credentials, warnings, createdBy: viewer.userId, now };
    const row = await insertAccount(tx, scope, values);
    if (scope.accountIds) await grantAccount(tx, scope, viewer.userId, id);
    await record(tx, actor, { action: 'account_connected', id, details: { name, provider, settings } });
    await queueSync(deps, scope, id, tx);
    return row;
  });
  return account;
}

/** Updates an account's name, credentials or settings. New credentials are checked first and must belong to the same account at
 *  the provider: another account's bills would replace these. Changes to settings alone are checked by the sync that they queue.
 *  Both reconnect a disconnected account.
 *  @throws {AppError} VALIDATION_ERROR when no field is given, or as for connecting; NOT_FOUND; CONFLICT;
 *  SERVICE_UNAVAILABLE */
export async function updateAccount(
  deps: ConnectDeps,
  viewer: Viewer,
  actor: Actor,
  { ifUnmodifiedSince, ...input }: UpdateInput,
): Promise<Account> {
  const { id } = input;
  if (input.settings === null) throw invalid`${arg('settings')} cannot be null${fix}leave the field out to keep them`;
  if (input.credentials === null)
    throw invalid`${arg('credentials')} cannot be null${fix}leave the field out to keep them, or disconnect the account`;
  const isSourceNamed = Object.keys(input.settings ?? {}).length > 0 || input.credentials !== undefined;
  if (input.name === undefined && !isSourceNamed) throw nothingToChange(input);
  const renamed = input.name === undefined ? {} : { name: checkName(input.name) };
  const account = await requireAccount(deps, viewer.scope, id);
  requireUnmodified('account', account, ifUnmodifiedSince);
  refuseBlankSource(input);
  const source = isSourceNamed ? await changedSource(deps, viewer.scope, account, input) : null;
  const { provider, externalId } = { ...account, ...source };
  const claim = { provider, externalId, own: id, sent: input };
  await once(claim, deps.db, async (tx) => {
    if (source) await changeSource(deps, { tx, scope: viewer.scope, claim }, account, source);
    // The source was checked meanwhile, outside of the transaction.
    const stored = (await lockAccount(tx, viewer.scope, id)) ?? account;
    requireUnmodified('account', stored, ifUnmodifiedSince);
    await updateAccountRow(tx, viewer.scope, id, { ...renamed, updatedAt: nextChange(stored, deps.clock.now()) });
    const details = {
      changed: Object.keys(input).filter((key) => key !== 'id'),
      before: { name: account.name, settings: { ...parseSettings(account.settings) } },
    };
    const action = input.credentials ? 'credentials_updated' : 'account_updated';
    await record(tx, actor, { action, id, details });
    if (!source) return;
    await markQueued(tx, viewer.scope, id, { now: deps.clock.now() });
    await queueSync(deps, viewer.scope, id, tx);
  });
  return requireAccount(deps, viewer.scope, id);
}

function nothingToChange({ settings }: UpdateInput): AppError {
  if (settings) return invalid`${arg('settings')} is empty${fix}send at least one setting`;
  return unchanged('name', 'credentials', 'settings');
}

function refuseBlankSource({ settings, credentials }: Pick<UpdateInput, 'settings' | 'credentials'>): void {
  refuseBlank('settings', settings);
  refuseBlank('credentials', credentials);
}

/** New source of an account. */
interface ChangedSource {
  readonly settings: object;
  readonly externalId: string;
  /** To be encrypted; `keep`: the stored ones; null: none. */
  readonly credentials: object | 'keep' | null;
  readonly warnings: readonly string[];
}

async function changedSource(
  deps: ConnectDeps,
  scope: OrgScope,
  account: Account,
  input: UpdateInput,
): Promise<ChangedSource> {
  const { provider } = account;
  if (account.sampleOf !== null)
    throw conflict`Account "${account.id}" has sample data, which has no source to change${fix}connect another account`;
  const old = parseSettings(account.settings);
  const settings = mergeSettings(provider, old, input.settings ?? {});
  const credentials = input.credentials ?? null;
  const claim = (externalId: string) =>
    refuseSecond(deps.db, scope, { provider, externalId, own: account.id, sent: input });
  if (credentials || isLocal(provider, settings)) {
    const trustExternalId = await readTrustExternalId(deps.db, scope);
    const { organizationId } = scope;
    const sent = { organizationId, accountId: account.id, provider, credentials, settings, trustExternalId };
    const source = await checkSource(deps.config, sent, claim);
    refuseAnother(account, source.externalId, input);
    return source;
  }
  const { settings: read, externalId } = readSettings(provider, settings, deps.config.clouds);
  if (account.credentialsUpdatedAt === null)
    throw invalid`${arg('credentials')} are required because none are stored for this account${fix}see ${operation('GET /accounts/setup')}`;
  if (needsOtherCredentials(old, settings))
    throw invalid`${arg('credentials')} are required with these settings: the stored ones are for another store`;
  if (externalId !== null) await claim(externalId);
  return { settings: read, externalId: externalId ?? account.externalId, credentials: 'keep', warnings: [] };
}

/** Rejects credentials of another account where only credentials identify the bills: the history must stay one account's. */
function refuseAnother({ provider, externalId }: Account, found: string, { settings }: UpdateInput): void {
  if (found === externalId || (settings && provider !== 'aws')) return;
  throw invalid`${arg('credentials')} are for "${found}", but this account is "${externalId}"${fix}connect it as a separate account`;
}

async function changeSource(
  deps: ConnectDeps,
  { tx, scope, claim }: { tx: Db; scope: OrgScope; claim: Claim },
  account: Account,
  { settings, externalId, credentials, warnings }: ChangedSource,
): Promise<void> {
  await lockSources(tx, scope);
  await refuseSecond(tx, scope, claim);
  const changed = await updateSourceRow(tx, scope, account, {
    settings: { ...settings },
    externalId,
    status: 'connected',
    ...(credentials !== 'keep' && {
      credentials: sealed(deps, credentials, account.id),
      credentialsUpdatedAt: credentials ? deps.clock.now() : null,
    }),
  });
  if (!changed) throw conflict`Account "${account.id}" was changed by another request${fix}read it again and retry`;
  await refuseDeleted(deps, { tx, scope }, account.id);
  await forgetListing(tx, scope, account.id, {
    warnings,
    isOther: !isDeepStrictEqual(account.settings, { ...settings }),
  });
}

/** Rejects an account whose purge was requested and is not finished: part of its data may already be gone. The caller has locked the
 *  account's row, so a purge cannot be requested at the same time. */
async function refuseDeleted(
  { queue }: Pick<Deps, 'queue'>,
  { tx, scope: { organizationId } }: { tx: Db; scope: OrgScope },
  accountId: string,
): Promise<void> {
  const purges = await queue.pending('purge_account', [{ organizationId, accountId }], { within: tx });
  if (purges.length > 0)
    throw conflict`Account "${accountId}" is being deleted with its data, which takes a few minutes at most${fix}connect it again with ${operation('POST /accounts')} when it is gone`;
}

function sealed(
  { secrets }: Pick<Deps, 'secrets'>,
  credentials: object | null,
  id: string,
): Uint8Array<ArrayBuffer> | null {
  return credentials && secrets.encrypt(JSON.stringify(credentials), id);
}
