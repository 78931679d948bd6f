import { randomInt } from 'node:crypto';
import type { Secrets } from '../../kit/crypto.ts';

/** How many there are at a time. */
const recoveryCodeCount = 10;

/** Crockford's base 32: no I, L, O or U, so that nothing is mistaken on paper. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 3;
const groupLength = 4;
const form = new RegExp(`^[${alphabet}]{${groups * groupLength}}$`);

/** Makes ten codes such as `7K3D-9QXM-2HTV`, of 60 random bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    Array.from({ length: groups }, () => randomText(groupLength)).join('-'),
  );
}

/** Reads a code as people type it: in any case, with or without hyphens and spaces, with the letters that Crockford takes
 *  for digits. Null where it cannot be one. */
export function parseRecoveryCode(text: string): string | null {
  const bare = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return form.test(bare) ? bare : null;
}

/** What the database keeps of a code: its HMAC, bound to the user, by each configured key, the current one first.
 *  @param code as `parseRecoveryCode` gives it */
export function recoveryCodeHashes(secrets: Pick<Secrets, 'hmacs'>, userId: string, code: string) {
  return secrets.hmacs('recovery code', `${userId} ${code}`);
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
