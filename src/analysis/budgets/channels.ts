import type { Db } from '../../kit/db.ts';
import { arg, fix, invalid, operation } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { clearable } from '../../kit/record-fields.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** Bounds of the channels that a record notifies. */
const channelIdsRule = { maxItems: 10 } as const;

/** The channels that budgets, alert rules and report schedules notify. */
export const channelFields = { channelIds: clearable([], parseChannelIds, channelIdsRule) };

/** API descriptions of the fields: see `recordInputs`. */
export const channelsShown = {
  channelIds: {
    type: ['ID'],
    text: `UUIDs of the channels of the organization to notify as well, at most ${channelIdsRule.maxItems}.`,
    onUpdate: ' Replaces the current channels.',
  },
};

function parseChannelIds(ids: readonly string[], path: string): string[] {
  const most = channelIdsRule.maxItems;
  if (ids.length > most) throw invalid`${arg(path)} takes at most ${most} channels, not ${ids.length}`;
  return [...new Set(ids)];
}

/** Checks that channels exist, and keeps them from being deleted until the transaction ends.
 *  @param ids undefined: not written
 *  @throws {AppError} VALIDATION_ERROR naming the entry */
export async function requireChannels(
  db: Db,
  { organizationId }: OrgScope,
  ids: readonly string[] | undefined,
): Promise<void> {
  if (ids === undefined || ids.length === 0) return;
  const rows = await db.$queryRaw<{ id: string }[]>`/* holdChannels */ SELECT id FROM channels
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${ids.filter(isUuid)}::uuid[]) ORDER BY id FOR SHARE`;
  const known = new Set(rows.map(({ id }) => id));
  for (const [index, id] of ids.entries())
    if (!known.has(id))
      throw invalid`${arg(`channel_ids[${index}]`, id)} is not a channel of the organization${fix}use an id from ${operation('GET /channels')}`;
}
