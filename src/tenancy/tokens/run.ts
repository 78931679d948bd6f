import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, invalid, notFound, unauthorized } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { type Actor, writeAudit } from '../audit/store.ts';
import { parseName } from '../login/input.ts';
import type { Viewer } from '../auth/scope.ts';
import { type ApiToken, deleteToken, insertToken, lockAndCountTokens } from './store.ts';

/** Prefix of every API token, so that people and secret scanners recognize it. */
export const tokenPrefix = 'svc_';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretBytes = 24;
/** Lengths in base 62 of 24 bytes and of the 4 bytes of a CRC-32. */
const secretDigits = 33;
const checkDigits = 6;
const form = new RegExp(`^${tokenPrefix}[0-9A-Za-z]{${secretDigits + checkDigits}}$`);

/** Generates an API token: `svc_`, 192 random bits and a CRC-32, both in base 62. The checksum is not for security:
 *  it distinguishes a mistyped or truncated token, or a scanner's false positive, from a real one without a database
 *  query. */
export function newToken(): string {
  const secret = base62(BigInt(`0x${randomBytes(secretBytes).toString('hex')}`), secretDigits);
  return `${tokenPrefix}${secret}${checksum(secret)}`;
}

/** Whether a text is a well-formed token, including its checksum. Does not check whether it is valid. */
export function isToken(text: string): boolean {
  if (!form.test(text)) return false;
  const secret = text.slice(tokenPrefix.length, -checkDigits);
  return text.endsWith(checksum(secret));
}

/** Stored form of a token: SHA-256. The secret is random, so it does not need a slow hash; and a lookup by hash
 *  reveals nothing by its timing. */
export function tokenHash(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), checkDigits);
}

function base62(value: bigint, length: number): string {
  const step = (rest: bigint): string => (rest === 0n ? '' : step(rest / 62n) + digits.charAt(Number(rest % 62n)));
  return step(value).padStart(length, '0');
}

/** Maximum tokens per user and organization; more indicate a leak. */
const tokensPerMember = 100;

/** A new token, the only time it is readable. */
export type NewApiToken = ApiToken & { readonly token: string };

/** Creates a token that acts as the caller in this organization, until it expires, is revoked, or the membership
 *  ends.
 *  @throws {AppError} VALIDATION_ERROR naming the field; CONFLICT if the caller has too many; UNAUTHORIZED if they
 *  were removed concurrently */
export async function createToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  input: { name: string; expiresAt?: Date | null; readOnly?: boolean | null },
): Promise<NewApiToken> {
  const name = parseName(input.name, 'name');
  const createdAt = deps.clock.now();
  const expiresAt = input.expiresAt ?? null;
  if (expiresAt && expiresAt <= createdAt)
    throw invalid`${arg('expires_at', expiresAt.toISOString())} must be in the future${fix}leave it out for a token that never expires`;
  const readOnly = input.readOnly ?? false;
  const token = newToken();
  const row = await deps.db.$transaction(async (db) => {
    const count = await lockAndCountTokens(db, viewer);
    if (count === null) throw unauthorized`You are no longer a member of this organization`;
    if (count >= tokensPerMember) throw conflict`You have ${count} API tokens, the maximum${fix}revoke one first`;
    return keepToken(db, viewer, actor, { token, name, readOnly, createdAt, expiresAt });
  });
  return { ...row, token };
}

/** Stores a token of a user and audits it.
 *  @param db an open transaction */
export async function keepToken(
  db: Db,
  owner: Pick<Viewer, 'userId' | 'scope'>,
  actor: Actor,
  { token, ...shown }: Pick<ApiToken, 'name' | 'readOnly' | 'createdAt' | 'expiresAt'> & { readonly token: string },
): Promise<ApiToken> {
  const made = await insertToken(db, owner, { ...shown, tokenHash: tokenHash(token), lastFour: token.slice(-4) });
  const expires_at = shown.expiresAt?.toISOString() ?? null;
  const details = { name: shown.name, read_only: shown.readOnly, expires_at };
  await writeAudit(db, actor, { action: 'api_token_created', resourceType: 'api_token', resourceId: made.id, details });
  return made;
}

/** Revokes one of the caller's tokens, effective with its next request.
 *  @throws {AppError} NOT_FOUND */
export async function revokeToken(deps: Pick<Deps, 'db'>, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const token = isUuid(id) ? await deleteToken(db, viewer, id) : null;
    if (!token) throw notFound('API token', id);
    const details = { name: token.name };
    await writeAudit(db, actor, { action: 'api_token_revoked', resourceType: 'api_token', resourceId: id, details });
  });
}
