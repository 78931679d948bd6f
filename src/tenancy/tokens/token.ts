import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What every API token begins with, so that people and scanners of leaked secrets recognize one. */
export const tokenPrefix = 'svc_';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretBytes = 24;
/** What 24 bytes and the 4 bytes of a CRC-32 take in base 62. */
const secretDigits = 33;
const checkDigits = 6;
const form = new RegExp(`^${tokenPrefix}[0-9A-Za-z]{${secretDigits + checkDigits}}$`);

/** Makes an API token: `svc_`, 192 random bits and a CRC-32, both in base 62. The checksum keeps nobody out: it tells a
 *  mistyped or cut token, and a scanner's find, from a real one without asking the database. */
export function newToken(): string {
  const secret = base62(BigInt(`0x${randomBytes(secretBytes).toString('hex')}`), secretDigits);
  return `${tokenPrefix}${secret}${checksum(secret)}`;
}

/** Whether a text is formed as our tokens are, checksum included. Says nothing about whether it is good. */
export function isToken(text: string): boolean {
  if (!form.test(text)) return false;
  const secret = text.slice(tokenPrefix.length, -checkDigits);
  return text.endsWith(checksum(secret));
}

/** What the database keeps of a token: SHA-256. The secret is random, so it needs no slow hash; and looking it up by its
 *  hash tells nothing by the time it takes. */
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
