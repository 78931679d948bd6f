import { newId } from '../../../kit/ids.ts';
import { Prisma } from '../../../../prisma/generated/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import type { Deps } from '../../../kit/deps.ts';
import { AppError, arg, conflict, fix, message } from '../../../kit/errors/errors.ts';
import { parseChange, parseRecord } from '../../../kit/record-fields.ts';
import type { Actor } from '../../../tenancy/audit/store.ts';
import { type OrgScope, requireAllAccounts, type Viewer } from '../../../tenancy/auth/scope.ts';
import { testContent } from '../test-message.ts';
import { parseWebhookUrl } from '../webhook/address.ts';
import {
  addressRowId,
  channelFields,
  secretRowId,
  type Channel,
  type ChannelChange,
  type ChannelInput,
} from './channel.ts';
import { postToChannel, stateAfter } from './post.ts';
import { newSigningSecret } from './sign.ts';
import {
  channels,
  findChannelByName,
  findChannelToPost,
  listChannelUsers,
  listSealedChannels,
  nameKeyOf,
  noteChannel,
  replaceSealed,
  untried,
} from './store.ts';

type ChannelDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>;

/** A new channel, with the signing secret of a webhook, which is not shown again. */
export type NewChannel = Channel & { readonly signingSecret: string | null };

/** Creates a channel. Nothing is sent to it: see `testChannel`.
 *  @throws {AppError} VALIDATION_ERROR naming the field, without repeating the URL; FORBIDDEN without access to all
 *    accounts; CONFLICT if another channel has the name */
export async function createChannel(
  deps: ChannelDeps,
  viewer: Viewer,
  actor: Actor,
  input: ChannelInput,
): Promise<NewChannel> {
  const { url: given, ...values } = parseRecord(channelFields, input);
  const url = await parseWebhookUrl(given, deps.config);
  requireAll(viewer.scope);
  const now = deps.clock.now();
  const id = newId(now);
  const signingSecret = values.kind === 'webhook' ? newSigningSecret() : null;
  const data = {
    ...values,
    id,
    nameKey: nameKeyOf(values.name),
    url: deps.secrets.encrypt(url, addressRowId(id)),
    secret: signingSecret && deps.secrets.encrypt(signingSecret, secretRowId(id)),
  };
  const made = await withOwnName(deps.db, viewer.scope, values.name, () =>
    deps.db.$transaction((db) => channels.add(db, { viewer, actor, now }, data)),
  );
  return { ...made, signingSecret };
}

/** Updates the given fields of a channel. A new URL clears the state of the previous one.
 *  @throws {AppError} as `createChannel`; NOT_FOUND; VALIDATION_ERROR when nothing is given */
export async function updateChannel(
  deps: ChannelDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: ChannelChange & { readonly id: string },
): Promise<Channel> {
  const { url: given, ...changes } = parseChange(channelFields, change);
  const url = given === undefined ? null : await parseWebhookUrl(given, deps.config);
  const { name } = changes;
  const data = {
    ...changes,
    ...(name !== undefined && { nameKey: nameKeyOf(name) }),
    ...(url !== null && { ...untried, url: deps.secrets.encrypt(url, addressRowId(id)) }),
  };
  const changed = Object.keys(change).filter((field) => Reflect.get(change, field) !== undefined);
  return withOwnName(deps.db, viewer.scope, name ?? null, () =>
    changing(deps, viewer, id, (db, before) =>
      channels.change(db, { viewer, actor, now: deps.clock.now() }, before, { data, changed, ifUnmodifiedSince }),
    ),
  );
}

/** Deletes a channel. Messages that are still to be sent to it fail.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN without access to all accounts; CONFLICT while budgets, alert rules or report
 *    schedules notify it */
export async function deleteChannel(deps: Pick<Deps, 'db'>, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  await changing(deps, viewer, id, async (db, channel) => {
    await requireUnused(db, viewer.scope, id);
    await channels.remove(db, viewer.scope, actor, channel);
  });
}

/** Replaces the signing secret of a webhook; the previous one is no longer used.
 *  @returns the new secret, which is not shown again
 *  @throws {AppError} NOT_FOUND; FORBIDDEN without access to all accounts; CONFLICT for another kind of channel */
export async function rotateChannelSecret(
  deps: ChannelDeps,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<{ secret: string }> {
  const secret = newSigningSecret();
  await changing(deps, viewer, id, async (db, before) => {
    if (before.kind !== 'webhook')
      throw conflict`Only channels of the kind webhook have a signing secret${fix}create a channel of that kind`;
    const data = { secret: deps.secrets.encrypt(secret, secretRowId(id)) };
    const by = { viewer, actor, now: deps.clock.now() };
    await channels.change(db, by, before, { data, changed: ['secret'], ifUnmodifiedSince: null });
  });
  return { secret };
}

/** Posts a test message to a channel, immediately and without retries. A rejection by its server is not an error: the result
 *  contains the reason.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN without access to all accounts */
export async function testChannel(
  deps: ChannelDeps,
  viewer: Viewer,
  id: string,
): Promise<{ delivered: boolean; reason: string | null }> {
  const { organizationId } = viewer.scope;
  await channels.find(deps.db, viewer.scope, id);
  requireAll(viewer.scope);
  const channel = await findChannelToPost(deps.db, { organizationId, id });
  if (channel === null) return { delivered: false, reason: 'The channel was deleted' };
  const now = deps.clock.now();
  const content = testContent(viewer, 'As selected in budgets, alert rules, schedules and channels');
  const test = { id: newId(now), type: 'test', createdAt: now, organizationId, content, file: null } as const;
  const outcome = await postToChannel(deps, channel, test);
  const reason = outcome.kind === 'sent' ? null : outcome.reason;
  // A test is not retried.
  const state = { ...stateAfter(outcome, now), lastStatus: reason === null ? 'sent' : 'failed' } as const;
  await noteChannel(deps.db, channel, state);
  return { delivered: reason === null, reason };
}

/** Channels read per batch. */
const batch = 500;

/** Re-encrypts every URL and signing secret under an older key with the newest one. Those changed in the meantime are
 *  skipped: they already use the newest key.
 *  @returns the number of channels with re-encrypted columns
 *  @throws {Error} when a key is not among the configured ones */
export async function rotateChannels({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<number> {
  let rotated = 0;
  const renewed = (bytes: Uint8Array<ArrayBuffer>, rowId: string) =>
    secrets.isCurrent(bytes) ? bytes : secrets.encrypt(secrets.decrypt(bytes, rowId), rowId);
  for (let after: string | null = null; ;) {
    const rows = await listSealedChannels(db, after, batch);
    for (const row of rows) {
      const url = renewed(row.url, addressRowId(row.id));
      const secret = row.secret && renewed(row.secret, secretRowId(row.id));
      if (url !== row.url || secret !== row.secret) rotated += Number(await replaceSealed(db, row, { url, secret }));
    }
    after = rows.at(-1)?.id ?? null;
    if (after === null) return rotated;
  }
}

/** Runs a change of a locked channel.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN without access to all accounts */
async function changing<Result>(
  { db }: Pick<Deps, 'db'>,
  { scope }: Viewer,
  id: string,
  change: (db: Db, before: Channel) => Promise<Result>,
): Promise<Result> {
  return db.$transaction(async (tx) => {
    const before = await channels.lock(tx, scope, id);
    requireAll(scope);
    return change(tx, before);
  });
}

/** Requires access to all accounts: a channel receives the figures of every budget, rule and schedule that names it.
 *  @throws {AppError} FORBIDDEN */
function requireAll(scope: OrgScope): void {
  requireAllAccounts(scope, 'Channels receive messages about all accounts');
}

/** Runs a write of a channel with a name.
 *  @throws {AppError} CONFLICT if another channel has it */
async function withOwnName<Result>(
  db: Db,
  scope: OrgScope,
  name: string | null,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
    if (!isTaken || name === null) throw error;
    const other = await findChannelByName(db, scope, name);
    throw new AppError(
      'CONFLICT',
      message`${arg('name', name)} is the name of another channel; names are case-insensitive${fix}choose another name`,
      { cause: error, ...(other && { resourceId: other.id }) },
    );
  }
}

/** Maximum number of names that an error lists. */
const mostNames = 3;

async function requireUnused(db: Db, scope: OrgScope, id: string): Promise<void> {
  const { budgets, rules, schedules } = await listChannelUsers(db, scope, id);
  const users = [
    ...budgets.map((name) => `budget “${name}”`),
    ...rules.map((name) => `alert rule “${name}”`),
    ...schedules.map((name) => `report schedule “${name}”`),
  ];
  if (users.length === 0) return;
  const more = users.length - mostNames;
  const named = users.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
  throw conflict`The channel is used by ${named}${fix}remove it there first, or disable the channel`;
}
