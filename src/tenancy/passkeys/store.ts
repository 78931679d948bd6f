import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { type Listed, pageOfModel, type Rows } from '../../kit/page.ts';
import { parseSort } from '../../kit/sort.ts';

const shown = {
  id: true,
  name: true,
  deviceType: true,
  backedUp: true,
  transports: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

/** A newly registered passkey. */
export type Passkey = Prisma.PasskeyGetPayload<{ select: typeof shown }>;

/** A passkey's identifiers for authenticators. */
export interface CredentialName {
  readonly credentialId: Uint8Array;
  readonly transports: readonly string[];
}

/** Sortable fields of the list, in REST spelling. */
export const passkeySortFields = ['name', 'created_at', 'last_used_at'] as const;

/** Returns a page of the caller's own passkeys, newest first. */
export function pagePasskeys(
  { db }: { readonly db: Db },
  { userId }: { readonly userId: string },
  { sortBy, ...page }: Listed<typeof passkeySortFields, { id: true }>,
): Rows {
  const sort = parseSort(sortBy, passkeySortFields);
  return pageOfModel(db.passkey, { userId }, sort, { ...page, nullable: ['last_used_at'] });
}

/** Identifiers of a user's passkeys for authenticators, oldest first; empty for an unknown user. */
export function listCredentialNames(db: Db, user: { id: string } | { email: string }): Promise<CredentialName[]> {
  return db.passkey.findMany({
    where: { user },
    select: { credentialId: true, transports: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Counts a user's passkeys. Locks the user until the transaction ends, so that concurrent registrations cannot
 *  exceed the limit. */
export async function lockAndCountPasskeys(db: Db, userId: string): Promise<number> {
  await db.$executeRaw`/* lockAndCountPasskeys */ SELECT id FROM users WHERE id = ${userId}::uuid FOR UPDATE`;
  return db.passkey.count({ where: { userId } });
}

/** Inserts a passkey. Null if the credential is already registered, by any user. */
export async function insertPasskey(db: Db, passkey: Prisma.PasskeyCreateManyInput): Promise<Passkey | null> {
  const [row] = await db.passkey.createManyAndReturn({ data: [passkey], select: shown, skipDuplicates: true });
  return row ?? null;
}

/** Finds a passkey by credential id, with its COSE key and its owner; null if it is not registered. */
export async function findPasskey(db: Db, credentialId: Uint8Array<ArrayBuffer>) {
  const select = { id: true, userId: true, publicKey: true, user: { select: { email: true } } };
  const row = await db.passkey.findUnique({ where: { credentialId }, select });
  return row && { id: row.id, userId: row.userId, publicKey: row.publicKey, email: row.user.email };
}

/** A registered passkey, with the columns that a login needs. */
export type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

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
) {
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
