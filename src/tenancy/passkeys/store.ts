import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';

/** A newly registered passkey. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly deviceType: string;
  readonly backedUp: boolean;
  readonly transports: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const shown = {
  id: true,
  name: true,
  deviceType: true,
  backedUp: true,
  transports: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

/** A passkey with the columns that a login needs. */
export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly credentialId: Uint8Array;
  /** COSE key. */
  readonly publicKey: Uint8Array;
  readonly counter: bigint;
}

/** A passkey's identifiers for authenticators. */
export interface CredentialName {
  readonly credentialId: Uint8Array;
  readonly transports: readonly string[];
}

/** Sortable fields of the list, in REST spelling. */
export const passkeySortFields = ['name', 'created_at', 'last_used_at'] as const;

/** The order of the list. */
export type PasskeySort = Sort<(typeof passkeySortFields)[number]>;

/** Reads one page of a user's passkeys, and their total number. */
export async function listPasskeys<Select extends Prisma.PasskeySelect>(
  db: Db,
  userId: string,
  { sort, page, select }: { sort: PasskeySort | null; page: PageRequest; select: Select },
): Promise<{ rows: Prisma.PasskeyGetPayload<{ select: Select }>[]; total: number }> {
  const where = { userId };
  const orderBy = [orderOf(sort), { id: 'desc' as const }];
  const [rows, total] = await Promise.all([
    db.passkey.findMany({ where, select, orderBy, skip: page.skip, take: page.take }),
    db.passkey.count({ where }),
  ]);
  return { rows, total };
}

function orderOf(sort: PasskeySort | null): Prisma.PasskeyOrderByWithRelationInput {
  if (!sort) return { createdAt: 'desc' };
  const { direction } = sort;
  return {
    name: { name: direction },
    created_at: { createdAt: direction },
    last_used_at: { lastUsedAt: { sort: direction, nulls: 'last' as const } },
  }[sort.field];
}

/** Identifiers of a user's passkeys for authenticators, oldest first. */
export function listCredentialNames(db: Db, userId: string): Promise<CredentialName[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  return db.passkey.findMany({ where: { userId }, select: { credentialId: true, transports: true }, orderBy });
}

/** The same by address; empty for an unknown one. */
export function listCredentialNamesOf(db: Db, email: string): Promise<CredentialName[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  return db.passkey.findMany({ where: { user: { email } }, select: { credentialId: true, transports: true }, orderBy });
}

/** Counts a user's passkeys. Locks the user until the transaction ends, so that concurrent registrations cannot
 *  exceed the limit. */
export async function lockAndCountPasskeys(db: Db, userId: string): Promise<number> {
  await db.$executeRaw`/* lockAndCountPasskeys */ SELECT id FROM users WHERE id = ${userId}::uuid FOR UPDATE`;
  return db.passkey.count({ where: { userId } });
}

/** Inserts a passkey. Null if the credential is already registered, by any user. */
export async function insertPasskey(
  db: Db,
  passkey: {
    userId: string;
    name: string;
    credentialId: Uint8Array<ArrayBuffer>;
    publicKey: Uint8Array<ArrayBuffer>;
    counter: bigint;
    transports: string[];
    deviceType: string;
    backedUp: boolean;
    createdAt: Date;
  },
): Promise<Passkey | null> {
  const [row] = await db.passkey.createManyAndReturn({ data: [passkey], select: shown, skipDuplicates: true });
  return row ?? null;
}

/** Finds a passkey by credential id, with its owner; null if it is not registered. */
export async function findPasskey(db: Db, credentialId: Uint8Array<ArrayBuffer>): Promise<StoredPasskey | null> {
  const row = await db.passkey.findUnique({
    where: { credentialId },
    select: {
      id: true,
      userId: true,
      credentialId: true,
      publicKey: true,
      counter: true,
      user: { select: { email: true } },
    },
  });
  if (!row) return null;
  const { user, ...passkey } = row;
  return { ...passkey, email: user.email };
}

/** Records a use. False if the passkey is gone, or the counter did not increase: then the authenticator was cloned,
 *  or another request sent the same response. Authenticators without a counter always report 0. */
export async function notePasskeyUse(
  db: Db,
  id: string,
  use: { counter: bigint; backedUp: boolean; now: Date },
): Promise<boolean> {
  const isForward = use.counter === 0n ? { counter: 0n } : { counter: { lt: use.counter } };
  const data = { counter: use.counter, backedUp: use.backedUp, lastUsedAt: use.now };
  return (await db.passkey.updateMany({ where: { id, ...isForward }, data })).count > 0;
}

/** Renames a user's passkey. Null if they have none with this id.
 *  @returns its former name, and the row */
export async function renamePasskey<Select extends Prisma.PasskeySelect>(
  db: Db,
  where: { id: string; userId: string },
  name: string,
  select: Select,
): Promise<{ before: string; after: Prisma.PasskeyGetPayload<{ select: Select }> } | null> {
  const found = await db.passkey.findFirst({ where, select: { name: true } });
  if (!found) return null;
  const [after] = await db.passkey.updateManyAndReturn({ where, data: { name }, select });
  return after ? { before: found.name, after } : null;
}

/** Deletes a user's passkey. Null if they have none with this id.
 *  @returns its name */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<string | null> {
  const rows = await db.$queryRaw<{ name: string }[]>`/* deletePasskey */
    DELETE FROM passkeys WHERE id = ${id}::uuid AND user_id = ${userId}::uuid RETURNING name`;
  return rows[0]?.name ?? null;
}
