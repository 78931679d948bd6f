import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { PayloadOf } from '../../jobs/kinds.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { MailRefusedError, type Mail } from '../../kit/mail/mail.ts';

const secretBytes = 32;

/** Generates a secret for the link in an email: 256 random bits, URL-safe. */
export function newLinkToken(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Stored form of a link's secret: SHA-256. It is random, so it does not need a slow hash. */
export function linkTokenHash(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}

/** An email sent by an action. */
export interface Letter extends Mail {
  /** When its content expires: it is not sent after that. Absent: never. */
  readonly goodUntil?: Date;
}

/** Queues an email inside the transaction of its action: it is sent if and only if the action is committed. It is
 *  stored encrypted, because links contain secrets; retries span about four days.
 *  @param dedupeKey permanent identity of the email, such as `invite ID TOKENHASH`: queueing it again replaces a
 *  waiting email, and all copies have the same Message-ID */
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

const content = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() });

/** Sends a queued email, unless its content has expired.
 *  @throws the error of a mail server that may accept it later */
export async function sendQueuedMail(
  { secrets, mailer, clock, log }: Pick<Deps, 'secrets' | 'mailer' | 'clock' | 'log'>,
  { key, sealed, goodUntil }: PayloadOf<'send_mail'>,
): Promise<void> {
  if (goodUntil !== null && new Date(goodUntil) <= clock.now()) {
    log.warn({ key, goodUntil }, 'An email was not sent: its link has expired');
    return;
  }
  const mail = content.parse(JSON.parse(secrets.decrypt(Buffer.from(sealed, 'base64'), key)));
  try {
    await mailer.send(mail, key);
    log.info({ key }, 'An email was sent');
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    log.error({ key, err: error }, 'An email will not be sent: the mail server rejected it');
  }
}
