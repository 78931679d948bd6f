import type { Db } from '../../kit/db.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { normalizeFocusPath } from '../../providers/focus/path.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { listFocusPaths, listOtherOrganizations } from './store.ts';

/** Folders of FOCUS_ROOT that an organization can connect. */
export interface Folders {
  /** Normalized paths of folders and files, with everything below them; null: all of FOCUS_ROOT. */
  readonly own: readonly string[] | null;
  /** Names of folders directly in FOCUS_ROOT that belong to other organizations. */
  readonly others: ReadonlySet<string>;
}

/** Returns the folders that an organization can connect: all of FOCUS_ROOT if it is the only organization on the server or if
 *  the operator connects; otherwise the folder named like its id, and what its accounts already read. */
export async function foldersOf(db: Db, scope: OrgScope, actor: Pick<Actor, 'userId'>): Promise<Folders> {
  const others = new Set(await listOtherOrganizations(db, scope));
  if (others.size === 0 || actor.userId === null) return { own: null, others };
  const paths = await listFocusPaths(db, scope);
  return { own: [scope.organizationId, ...paths], others };
}

/** Rejects a folder of another organization, before the file system is read: the refusal is the same whether it exists.
 *  @returns the normalized path
 *  @throws {AppError} VALIDATION_ERROR */
export function ownFolder(given: string, { own }: Folders): string {
  const path = normalizeFocusPath(given);
  if (own === null || own.some((each) => each === '.' || path === each || path.startsWith(`${each}/`))) return path;
  throw invalid`${arg('settings.path', path)} is not a folder of this organization${fix}place the files in FOCUS_ROOT/${own[0] ?? ''} and name a path in it, or ask the operator to load them with npm run ingest`;
}
