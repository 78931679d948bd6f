import type { Role } from '../../../prisma/generated/client/enums.ts';
import { choice, fix, forbidden, invalid, operation, type AppError, type Subject } from '../../kit/errors/errors.ts';

declare const brand: unique symbol;

/** The organization and the cloud accounts visible to a caller. Only `tenancy/auth` creates it, and every store
 *  function requires it, so a read across tenants is a type error first and is excluded by a `WHERE` second. */
export interface OrgScope {
  readonly [brand]: true;
  readonly organizationId: string;
  /** Null: all accounts of the organization. A list: only those (none if it is empty). */
  readonly accountIds: readonly string[] | null;
  /** The requesting member; null for jobs and for data shared by several members. Queues are fair between members. */
  readonly userId: string | null;
}

/** The caller, read from the database for each request, never from the token. */
export interface Viewer {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null: the caller uses an API token, not a session. */
  readonly sessionId: string | null;
  /** The caller's API token; null in a session. */
  readonly token: { readonly id: string; readonly readOnly: boolean } | null;
  /** The organization requires a second factor and the user has none: they can only set one up. */
  readonly twoFactorSetupRequired: boolean;
  readonly scope: OrgScope;
}

/** Creates a scope from a freshly read membership, or for a job that acts for the whole organization.
 *  @param accountIds null for all accounts */
export function orgScope(
  organizationId: string,
  accountIds: readonly string[] | null,
  userId: string | null = null,
): OrgScope {
  return { organizationId, accountIds, userId } as OrgScope;
}

/** The error for an account that does not exist or is not visible to the caller.
 *  @param named the argument with the id, from `arg` */
export function unknownAccount(named: Subject): AppError {
  return invalid`${named} is not an account of the organization${fix}use an id from ${operation('GET /accounts')}`;
}

/** Rejects a change of the figures or settings of all accounts by a caller with access to some only.
 *  @param why a clause: `Virtual tags apply to all accounts`
 *  @throws {AppError} FORBIDDEN */
export function requireAllAccounts({ accountIds }: OrgScope, why: string): void {
  if (accountIds !== null)
    throw forbidden`${why}, and you have access to some only${fix}ask an Admin with access to all accounts`;
}

/** The error for an action that the caller's role does not allow. */
export function roleForbids(role: Role): AppError {
  const who = role === 'admin' ? 'the Super Admin' : 'an Admin';
  return forbidden`The role ${choice('role', role)} does not allow this${fix}ask ${who} of the organization`;
}
