import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort } from '../../kit/sort.ts';
import { auditEverywhere, type UserActor } from '../auth/audit-everywhere.ts';
import { parseName } from '../auth/input.ts';
import type { Viewer } from '../auth/scope.ts';
import { deleteRecoveryCodes, hasSecondFactor } from '../second-factor/store.ts';
import { deletePasskey, listPasskeys, passkeySortFields, renamePasskey, type Passkey } from './store.ts';

/** A page of the caller's own passkeys, newest first.
 *  @throws {AppError} VALIDATION_ERROR when `sortBy` is not a field to sort by */
export function pagePasskeys(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  sortBy: string | null,
  page: PageRequest,
): Promise<{ rows: Passkey[]; total: number }> {
  return listPasskeys(deps.db, viewer.userId, parseSort(sortBy, passkeySortFields), page);
}

/** Renames one of the caller's own passkeys.
 *  @throws {AppError} VALIDATION_ERROR naming the field; NOT_FOUND */
export async function updatePasskey(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: UserActor,
  input: { id: string; name: string },
): Promise<Passkey> {
  const name = parseName(input.name, 'name');
  return deps.db.$transaction(async (db) => {
    const renamed = isUuid(input.id) ? await renamePasskey(db, viewer.userId, input.id, name) : null;
    if (!renamed) throw notFound('Passkey', input.id);
    const { before, after } = renamed;
    if (before !== after.name) {
      await auditEverywhere(db, actor, {
        action: 'passkey_renamed',
        resourceType: 'passkey',
        resourceId: input.id,
        details: { name: { from: before, to: after.name } },
      });
    }
    return after;
  });
}

/** Removes one of the caller's own passkeys. Recovery codes end with the last second factor that they stand in for. Where
 *  the organization requires one, the caller has to set up the next before anything else.
 *  @throws {AppError} NOT_FOUND */
export async function removePasskey(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: UserActor,
  id: string,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const name = isUuid(id) ? await deletePasskey(db, viewer.userId, id) : null;
    if (name === null) throw notFound('Passkey', id);
    await endRecoveryCodes(db, viewer.userId);
    const details = { name };
    await auditEverywhere(db, actor, { action: 'passkey_removed', resourceType: 'passkey', resourceId: id, details });
  });
}

async function endRecoveryCodes(db: Db, userId: string): Promise<void> {
  const remaining = await hasSecondFactor(db, [userId]);
  if (remaining.size === 0) await deleteRecoveryCodes(db, userId);
}
