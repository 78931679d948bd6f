import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';

/** A passkey that was just registered. */
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

/** A passkey as a login needs it. */
export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly credentialId: Uint8Array;
  /** COSE key. */
  readonly publicKey: Uint8Array;
  readonly counter: bigint;
}

/** How to name a passkey to an authenticator. */
export interface CredentialName {
  readonly credentialId: Uint8Array;
  readonly transports: readonly string[];
}

/** Fields that the list can be sorted by, as REST spells them. */
export const passkeySortFields = ['name', 'created_at', 'last_used_at'] as const;

/** The order of the list. */
export type PasskeySort = Sort<(typeof passkeySortFields)[number]>;

/** One page of a user's passkeys, and their total number. */
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

/** How to name each of a user's passkeys to an authenticator, oldest first. */
export function listCredentialNames(db: Db, userId: string): Promise<CredentialName[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  return db.passkey.findMany({ where: { userId }, select: { credentialId: true, transports: true }, orderBy });
}

/** The same for an address; none for one that nobody has. */
export function listCredentialNamesOf(db: Db, email: string): Promise<CredentialName[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  return db.passkey.findMany({ where: { user: { email } }, select: { credentialId: true, transports: true }, orderBy });
}

/** How many passkeys a user has. Locks the user until the transaction ends, so that two at once count right. */
export async function lockAndCountPasskeys(db: Db, userId: string): Promise<number> {
  await db.$executeRaw`/* lockAndCountPasskeys */ SELECT id FROM users WHERE id = ${userId}::uuid FOR UPDATE`;
  return db.passkey.count({ where: { userId } });
}

/** Keeps a new passkey. Null where the credential is registered already, by whomever. */
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

/** The passkey of a credential id, with its owner; null when nobody has registered it. */
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

/** Notes a use. False where the passkey is gone, or the counter does not go forward: then somebody has a copy of it, or
 *  another request brought the same answer. Authenticators without a counter always say 0. */
export async function notePasskeyUse(
  db: Db,
  id: string,
  use: { counter: bigint; backedUp: boolean; now: Date },
): Promise<boolean> {
  const isForward = use.counter === 0n ? { counter: 0n } : { counter: { lt: use.counter } };
  const data = { counter: use.counter, backedUp: use.backedUp, lastUsedAt: use.now };
  return (await db.passkey.updateMany({ where: { id, ...isForward }, data })).count > 0;
}

/** Renames a passkey of a user. Null when they have none with this id.
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

/** Takes a passkey of a user away. Null where they have none of this id.
 *  @returns what it was called */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<string | null> {
  const rows = await db.$queryRaw<{ name: string }[]>`/* deletePasskey */
    DELETE FROM passkeys WHERE id = ${id}::uuid AND user_id = ${userId}::uuid RETURNING name`;
  return rows[0]?.name ?? null;
}
