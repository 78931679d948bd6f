import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Visibility } from '../../../prisma/generated/client/enums.ts';
import { AppError, arg, argChoice, fix, forbidden, message } from '../../kit/errors/errors.ts';
import { can } from '../../tenancy/auth/permissions.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';

// Shared by saved views and dashboards: private to their owner, or visible to the organization.

/** A view or a dashboard. */
interface Shareable {
  readonly id: string;
  readonly visibility: Visibility;
  readonly createdById: string;
}

/** Checks that the caller may share what they create.
 *  @throws {AppError} FORBIDDEN for Viewers */
export function checkSharing({ role }: Viewer, visibility: Visibility | undefined): void {
  if (visibility !== 'organization' || can(role, 'views.share')) return;
  throw forbidden`${argChoice('visibility', visibility)} is not available to Viewers${fix}keep it private, or ask a Member to share it`;
}

/** Checks that the caller may change or delete a visible record: owners may, and Admins if it is shared.
 *  @throws {AppError} FORBIDDEN */
export function checkOwner(noun: string, { userId, role }: Viewer, { id, createdById }: Shareable): void {
  if (createdById === userId || role === 'admin' || role === 'super_admin') return;
  throw forbidden`${noun} "${id}" belongs to another member${fix}ask them or an Admin, or save one for yourself`;
}

/** Checks a change of the visibility: only owners may make a record private, because it then disappears for others.
 *  @throws {AppError} FORBIDDEN */
export function checkVisibility(viewer: Viewer, before: Shareable, visibility: Visibility | undefined): void {
  if (visibility === undefined || visibility === before.visibility) return;
  checkSharing(viewer, visibility);
  if (before.createdById === viewer.userId) return;
  throw forbidden`${argChoice('visibility', visibility)} can only be set by the owner: it would hide the record from you${fix}delete it, or ask the owner`;
}

/** Runs a write of a record with a name.
 *  @param plural such as `views`
 *  @throws {AppError} CONFLICT if another one has the name */
export async function withUniqueName<Result>(
  plural: string,
  name: string | undefined,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
    throw new AppError(
      'CONFLICT',
      message`${arg('name', name)} is taken: names are case-insensitive and unique among the shared ${plural} of the organization, and among your private ones${fix}choose another name`,
      { cause: error },
    );
  }
}
