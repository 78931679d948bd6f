import type { Deps } from '../../kit/deps.ts';
import { auditEverywhere, type UserActor } from './audit-everywhere.ts';
import { parseName } from './input.ts';
import type { Viewer } from './scope.ts';
import { renameUser } from './store.ts';

/** Changes the caller's own display name, which every organization of theirs shows.
 *  @returns the caller as they are now
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export async function renameMe(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: UserActor,
  input: string,
): Promise<Viewer> {
  const name = parseName(input, 'name');
  await deps.db.$transaction(async (db) => {
    const before = await renameUser(db, viewer.userId, name);
    if (before === name) return;
    const details = { name: { from: before, to: name } };
    await auditEverywhere(db, actor, {
      action: 'user_renamed',
      resourceType: 'user',
      resourceId: viewer.userId,
      details,
    });
  });
  return { ...viewer, name };
}
