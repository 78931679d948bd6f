import type { Role } from '../../../prisma/generated/client/enums.ts';
import { choice, fix, forbidden, invalid, operation, type AppError, type Subject } from '../../kit/errors/errors.ts';

declare const brand: unique symbol;

/** The organization and the cloud accounts a caller may see. Only `tenancy/auth` makes one, and every store function
 *  demands one: a read across tenants is a type error first and a `WHERE` second. */
export interface OrgScope {
  readonly [brand]: true;
  readonly organizationId: string;
  /** Null: every account of the organization. A list: those alone (none, when it is empty). */
  readonly accountIds: readonly string[] | null;
}

/** Who is calling, as read from the database at this request, never from the token. */
export interface Viewer {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null: the caller is no session but an API token. */
  readonly sessionId: string | null;
  /** The API token that calls; null in a session. */
  readonly token: { readonly id: string; readonly readOnly: boolean } | null;
  /** The organization requires a second factor and the user has none: they may set one up, and nothing else. */
  readonly twoFactorSetupRequired: boolean;
  readonly scope: OrgScope;
}

/** Makes a scope from a membership that was just read, or for a job that acts for the whole organization.
 *  @param accountIds null for every account */
export function orgScope(organizationId: string, accountIds: readonly string[] | null): OrgScope {
  return { organizationId, accountIds } as OrgScope;
}

/** Makes the refusal of an account that does not exist, or that the caller may not know of.
 *  @param named the argument with the id, as `arg` makes it */
export function unknownAccount(named: Subject): AppError {
  return invalid`${named} is not an account of the organization${fix}use an id of ${operation('GET /accounts')}`;
}

/** Makes the refusal of what the caller's role does not allow. */
export function roleForbids(role: Role): AppError {
  return forbidden`The role ${choice('role', role)} does not allow this${fix}ask an Admin of the organization`;
}
