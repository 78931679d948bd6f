import { z } from 'zod';
import { defineTask } from '../../jobs/task.ts';
import { MailRefusedError } from '../../kit/mail/mail.ts';

const content = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() });

/** Sends a queued mail. */
export const sendMailTask = defineTask('send_mail', async (deps, { key, sealed, goodUntil }) => {
  if (goodUntil !== null && new Date(goodUntil) <= deps.clock.now()) {
    deps.log.warn({ key, goodUntil }, 'A mail was not sent: what it leads to has ended');
    return;
  }
  const mail = content.parse(JSON.parse(deps.secrets.decrypt(Buffer.from(sealed, 'base64'), key)));
  try {
    await deps.mailer.send(mail, key);
    deps.log.info({ key }, 'A mail was sent');
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    deps.log.error({ key, err: error }, 'A mail will not be sent: its receiver refuses it');
  }
});
