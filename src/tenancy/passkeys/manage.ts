import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Deps } from '../../kit/deps.ts';
import { notFound } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { auditEverywhere, recordFactorChange, type UserActor } from '../login/account.ts';
import { parseName } from '../login/input.ts';
import type { Viewer } from '../auth/scope.ts';
import { requireRecentLogin } from '../sessions/recent.ts';
import { endRecoveryCodes } from '../second-factor/store.ts';
import { deletePasskey, renamePasskey } from './store.ts';

/** Renames one of the caller's own passkeys.
 *  @throws {AppError} VALIDATION_ERROR naming the field; NOT_FOUND */
export async function updatePasskey<Select extends Prisma.PasskeySelect>(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: UserActor,
  { id, select, ...input }: { id: string; name: string; select: Select },
) {
  const name = parseName(input.name, 'name');
  return deps.db.$transaction(async (db) => {
    const renamed = isUuid(id) ? await renamePasskey(db, { id, userId: viewer.userId }, name, select) : null;
    if (!renamed) throw notFound('Passkey', id);
    const { before, after } = renamed;
    if (before !== name) {
      await auditEverywhere(db, actor, {
        action: 'passkey_renamed',
        resourceType: 'passkey',
        resourceId: id,
        details: { name: { from: before, to: name } },
      });
    }
    return after;
  });
}

/** Deletes one of the caller's own passkeys. Recovery codes are deleted with the last second factor that they
 *  replace. If the organization requires one, the caller must set up another one before anything else.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN if the login is not recent */
export async function removePasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'queue' | 'secrets' | 'config'>,
  viewer: Viewer,
  actor: UserActor,
  id: string,
): Promise<void> {
  await requireRecentLogin(deps, viewer);
  await deps.db.$transaction(async (db) => {
    const name = isUuid(id) ? await deletePasskey(db, viewer.userId, id) : null;
    if (name === null) throw notFound('Passkey', id);
    await endRecoveryCodes(db, viewer.userId);
    const entry = { action: 'passkey_removed', resourceType: 'passkey', resourceId: id, details: { name } } as const;
    await recordFactorChange(db, deps, { viewer, actor }, entry);
  });
}
