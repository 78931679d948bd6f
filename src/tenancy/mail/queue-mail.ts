import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Mail } from '../../kit/mail/mail.ts';

const secretBytes = 32;

/** A new secret for the link in a mail: 256 random bits, spelled so that no address needs escaping. */
export function newLinkToken(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** What the database keeps of it: SHA-256. The secret is random, so it needs no slow hash. */
export function linkTokenHash(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}

/** A mail that an act sends. */
export interface Letter extends Mail {
  /** When what it leads to ends: it is not sent any more after that. Absent: it is always worth sending. */
  readonly goodUntil?: Date;
}

/** Hands a mail to the workers, inside the transaction of the act: it goes out if, and only when, the act is committed.
 *  The queue keeps it encrypted, because links carry secrets; tries follow each other for about four days.
 *  @param dedupeKey names the mail for ever, such as `invite ID TOKENHASH`: queued again while it waits it is replaced, and
 *  each copy of it carries the same Message-ID */
export async function queueMail(
  db: Db,
  deps: Pick<Deps, 'queue' | 'secrets'>,
  letter: Letter,
  dedupeKey: string,
): Promise<void> {
  const { goodUntil, ...mail } = letter;
  const sealed = deps.secrets.encrypt(JSON.stringify(mail), dedupeKey);
  const payload = {
    key: dedupeKey,
    sealed: Buffer.from(sealed).toString('base64'),
    goodUntil: goodUntil?.toISOString() ?? null,
  };
  await deps.queue.add('send_mail', payload, { within: db });
}
