import type { CloudProvider } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, arg, fix, message, operation, phrase, type Subject } from '../../kit/errors/errors.ts';
import { snakeOf } from '../../kit/text/case.ts';
import type { CredentialFields, SettingsFields } from '../../providers/fields.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { overlaps } from './source.ts';
import { isTaken, listSources } from './store.ts';

/** A claim of an account on a source. */
export interface Claim {
  readonly provider: CloudProvider;
  readonly externalId: string;
  /** The account itself, which may keep its source; null: a new account. */
  readonly own: string | null;
  /** The request; errors name its fields. */
  readonly sent: Sent;
}

interface Sent {
  readonly credentials?: CredentialFields | null;
  readonly settings?: SettingsFields | null;
}

/** Rejects a source that shares charges with another account's, connected or not: they would count twice.
 *  @throws {AppError} CONFLICT naming the argument that identifies the source */
export async function refuseSecond(db: Db, scope: OrgScope, claim: Claim): Promise<void> {
  const { provider, externalId, own } = claim;
  const others = await listSources(db, scope, provider);
  const other = others.find((each) => each.id !== own && overlaps(provider, each.externalId, externalId));
  if (!other) return;
  // A member who may not see the other account learns that the source is taken, but not by which account.
  const isVisible = scope.accountIds === null || scope.accountIds.includes(other.id);
  if (!isVisible) throw taken(claim);
  const named = identifying(claim);
  if (other.externalId !== externalId) {
    const what = provider === 'focus' ? 'files' : 'costs';
    throw new AppError(
      'CONFLICT',
      message`${named} belongs to "${externalId}", which shares ${what} with "${other.externalId}", connected as account "${other.id}"${fix}connect only one of them, since shared charges would count twice`,
      { resourceId: other.id },
    );
  }
  const remedy =
    other.status === 'disconnected'
      ? phrase`reconnect that one with ${operation('PATCH /accounts/{id}')}`
      : 'use that account';
  throw new AppError(
    'CONFLICT',
    message`${named} belongs to "${externalId}", which is already connected as account "${other.id}"${fix}${remedy}`,
    { resourceId: other.id },
  );
}

/** Runs a transaction in which two requests may claim the same source; the database lets one win.
 *  @throws {AppError} CONFLICT for the other */
export async function once<T>(claim: Claim, db: Deps['db'], work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await db.$transaction(work);
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw taken(claim, error);
  }
}

function taken(claim: Claim, cause?: unknown): AppError {
  return new AppError(
    'CONFLICT',
    message`${identifying(claim)} belongs to "${claim.externalId}", which is already connected`,
    { cause },
  );
}

/** Arguments that identify a provider's source, most specific first. */
const identifiers = {
  aws: { parent: 'credentials', names: ['roleArn', 'accessKeyId'] },
  azure: { parent: 'settings', names: ['billingScope', 'subscriptionIds'] },
  gcp: { parent: 'settings', names: ['table', 'dataset', 'billingProject'] },
  focus: { parent: 'settings', names: ['path', 'bucket', 'container', 'storageAccount', 'prefix', 'endpoint'] },
} as const;

/** Returns the argument of the request that identifies the billing source. */
function identifying({ provider, sent }: Claim): Subject {
  const { parent, names } = identifiers[provider];
  const given = new Map(Object.entries(sent[parent] ?? {}));
  const name = names.find((each) => (given.get(each) ?? null) !== null);
  return arg(name === undefined ? parent : `${parent}.${snakeOf(name)}`);
}
