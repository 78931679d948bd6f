import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Mail } from '../../kit/mail/mail.ts';

const secretBytes = 32;

/** Generates a secret for the link in a mail: 256 random bits, URL-safe. */
export function newLinkToken(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Stored form of a link's secret: SHA-256. It is random, so it does not need a slow hash. */
export function linkTokenHash(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}

/** A mail sent by an action. */
export interface Letter extends Mail {
  /** When its content expires: it is not sent after that. Absent: never. */
  readonly goodUntil?: Date;
}

/** Queues a mail inside the transaction of its action: it is sent if and only if the action is committed. It is
 *  stored encrypted, because links contain secrets; retries span about four days.
 *  @param dedupeKey permanent identity of the mail, such as `invite ID TOKENHASH`: queueing it again replaces a
 *  waiting mail, and all copies have the same Message-ID */
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
