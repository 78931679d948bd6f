import { z } from 'zod';
import type { PayloadOf } from '../../jobs/kinds.ts';
import type { Deps } from '../../kit/deps.ts';
import { newId } from '../../kit/ids.ts';
import { writeAudit } from '../audit/store.ts';
import { parseEmail } from '../login/input.ts';
import type { Origin } from '../sessions/open.ts';
import { listOrganizationIds } from '../login/store.ts';
import { passwordResetLetter } from '../mail/letters.ts';
import { linkTokenHash, newLinkToken, queueMail } from '../mail/queue-mail.ts';
import { countResets, insertReset, lockOwner } from './store.ts';

/** Lifetime of a link in milliseconds. */
const resetMs = 3_600_000;

/** Maximum links per user per hour, so that the feature cannot be abused to flood a mailbox. */
const resetsPerHour = 5;

const sealedRequest = z.object({ email: z.string(), ipAddress: z.string(), userAgent: z.string() });

/** Accepts a request for a password reset. A job looks up the user, so that neither the response nor its timing
 *  reveals whether they exist.
 *  @throws {AppError} VALIDATION_ERROR if the address is invalid */
export async function requestReset(
  deps: Pick<Deps, 'queue' | 'secrets' | 'clock'>,
  origin: Origin,
  input: { email: string },
): Promise<void> {
  const { ipAddress, userAgent } = origin;
  const id = newId(deps.clock.now());
  const sealed = deps.secrets.encrypt(JSON.stringify({ email: parseEmail(input.email), ipAddress, userAgent }), id);
  await deps.queue.add('forgot_password', { id, sealed: Buffer.from(sealed).toString('base64') });
}

/** Creates the reset link and queues its email; does nothing for an unknown address. Earlier links stay valid,
 *  because emails may arrive out of order. */
export async function sendReset(
  deps: Pick<Deps, 'db' | 'queue' | 'secrets' | 'clock' | 'config' | 'log'>,
  { id, sealed }: PayloadOf<'forgot_password'>,
): Promise<void> {
  const request = sealedRequest.parse(JSON.parse(deps.secrets.decrypt(Buffer.from(sealed, 'base64'), id)));
  const createdAt = deps.clock.now();
  const expiresAt = new Date(createdAt.getTime() + resetMs);
  const token = newLinkToken();
  await deps.db.$transaction(async (db) => {
    const owner = await lockOwner(db, { email: request.email });
    if (!owner) return;
    if ((await countResets(db, owner.userId, new Date(createdAt.getTime() - resetMs))) >= resetsPerHour) {
      deps.log.warn({ user: owner.userId }, 'A password reset was not sent: the limit per hour is reached');
      return;
    }
    const { userId, email, name } = owner;
    if (!(await insertReset(db, { id, userId, tokenHash: linkTokenHash(token), createdAt, expiresAt }))) return;
    for (const organizationId of await listOrganizationIds(db, userId)) {
      // The requester is not authenticated.
      const actor = { ...request, organizationId, userId: null, clock: deps.clock };
      await writeAudit(db, actor, { action: 'password_reset_requested', resourceType: 'user', resourceId: userId });
    }
    const letter = passwordResetLetter(deps.config, { to: email, name, token, expiresAt });
    await queueMail(db, deps, letter, `password reset ${id}`);
  });
}
