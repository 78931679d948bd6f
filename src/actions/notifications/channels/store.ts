import type { Channel as ChannelRow, DeliveryStatus } from '../../../../prisma/generated/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import type { PageRequest, Rows } from '../../../kit/page.ts';
import { parseSort, type SortBy } from '../../../kit/sort.ts';
import { Records } from '../../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { Channel } from './channel.ts';

/** Sort fields of channels, in REST spelling. */
export const channelSortFields = ['name', 'created_at'] as const;

/** The channels of organizations. They are not data of an account, so every member sees them. */
export const channels = new Records<ChannelRow, Channel>({
  noun: 'Channel',
  plural: 'channels',
  resourceType: 'channel',
  limit: 50,
  model: (db) => db.channel,
  visible: ofOrganization,
  parse: (row) => row,
  details: ({ name, kind, enabled, anomalyAlerts }) => ({ name, kind, enabled, anomaly_alerts: anomalyAlerts }),
});

function ofOrganization({ organizationId }: Pick<OrgScope, 'organizationId'>): { organizationId: string } {
  return { organizationId };
}

/** Filters of a list of channels; null means any. */
interface ChannelQuery {
  readonly kind?: readonly ChannelRow['kind'][] | null;
  readonly enabled?: boolean | null;
  readonly sortBy?: SortBy<typeof channelSortFields> | null;
}

/** Returns a page of selected channels, by name by default. */
export function pageChannels(
  { db }: { readonly db: Db },
  scope: OrgScope,
  { kind, enabled, sortBy }: ChannelQuery,
  page: PageRequest & { select: { id: true } },
): Rows {
  const sort = parseSort(sortBy, channelSortFields) ?? { field: 'name', direction: 'asc' };
  const filters = [{ kind: kind ? { in: [...kind] } : undefined, enabled: enabled ?? undefined }];
  return channels.page(db, scope, { filters, sort }, page);
}

/** Returns the channel with a name, ignoring case; null without one. */
export async function findChannelByName(
  db: Db,
  scope: OrgScope,
  name: string,
): Promise<{ id: string; name: string } | null> {
  const where = { ...ofOrganization(scope), nameKey: nameKeyOf(name) };
  return db.channel.findFirst({ where, select: { id: true, name: true } });
}

/** Returns the form of a name in which names are unique. */
export function nameKeyOf(name: string): string {
  return name.toLowerCase();
}

/** Lists the names of the budgets, alert rules and report schedules that notify a channel. */
export async function listChannelUsers(
  db: Db,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  id: string,
): Promise<{ budgets: string[]; rules: string[]; schedules: string[] }> {
  const asked = { where: { organizationId, channelIds: { has: id } }, select: { name: true } } as const;
  const sorted = { ...asked, orderBy: { name: 'asc' } } as const;
  const named = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  return {
    budgets: named(await db.budget.findMany(sorted)),
    rules: named(await db.alertRule.findMany(sorted)),
    schedules: named(await db.reportSchedule.findMany(sorted)),
  };
}

/** Columns for posting to a channel. */
export type ChannelToPost = Pick<
  ChannelRow,
  'id' | 'organizationId' | 'kind' | 'enabled' | 'url' | 'secret' | 'pausedUntil'
>;

/** Returns a channel with its encrypted URL; null if it is gone. */
export async function findChannelToPost(
  db: Db,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<ChannelToPost | null> {
  return db.channel.findFirst({
    where: { organizationId, id },
    select: { id: true, organizationId: true, kind: true, enabled: true, url: true, secret: true, pausedUntil: true },
  });
}

/** The state of a channel after an attempt to post to it. */
export interface ChannelState {
  readonly lastStatus: DeliveryStatus;
  readonly lastAttemptAt: Date;
  readonly lastError: string | null;
  readonly pausedUntil: Date | null;
}

/** Records the state of a channel, unless another URL was set in the meantime. */
export async function noteChannel(
  db: Db,
  { organizationId, id, url }: Pick<ChannelToPost, 'organizationId' | 'id' | 'url'>,
  state: ChannelState,
): Promise<void> {
  await db.channel.updateMany({ where: { organizationId, id, url }, data: state });
}

/** The columns of a channel whose URL was just set. */
export const untried = { lastStatus: null, lastAttemptAt: null, lastError: null, pausedUntil: null };

/** The encrypted columns of a channel. */
export type SealedChannel = Pick<ChannelRow, 'id' | 'url' | 'secret'>;

/** Lists the encrypted columns of channels after a given one, in all organizations. */
export async function listSealedChannels(db: Db, after: string | null, most: number): Promise<SealedChannel[]> {
  return db.channel.findMany({
    ...(after !== null && { where: { id: { gt: after } } }),
    select: { id: true, url: true, secret: true },
    orderBy: { id: 'asc' },
    take: most,
  });
}

/** Replaces the encrypted columns of a channel, unless they were changed in the meantime.
 *  @returns whether they were replaced */
export async function replaceSealed(
  db: Db,
  read: SealedChannel,
  kept: Partial<Pick<SealedChannel, 'url' | 'secret'>>,
): Promise<boolean> {
  const { count } = await db.channel.updateMany({ where: { ...read }, data: kept });
  return count > 0;
}
