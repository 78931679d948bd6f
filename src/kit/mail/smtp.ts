import { createTransport } from 'nodemailer';
import { MailRefusedError, type Envelope } from './mail.ts';
import { message } from './message.ts';

/** Timeouts after which the server is considered dead; the job is retried later. */
const timeoutsMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

/** Sends through an SMTP server with a URL such as `smtp://user:password@host:587`: STARTTLS if the server supports
 *  it (`?requireTLS=true` enforces it), implicit TLS with `smtps://`. */
export function openSmtp(url: string, from: string): (envelope: Envelope) => Promise<void> {
  const transport = createTransport({ url, ...timeoutsMs });
  return async (envelope) => {
    try {
      await transport.sendMail(message(envelope, from));
    } catch (error) {
      throw isForGood(error)
        ? new MailRefusedError(`The mail server rejected an email: ${reason(error)}`, error)
        : error;
    }
  };
}

/** RFC 5321, section 4.2.1: a 5yz reply to the envelope or message is permanent. A rejected login is a configuration
 *  problem and worth a retry. */
function isForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false;
  const isOfMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  return isOfMail && typeof error.responseCode === 'number' && error.responseCode >= 500;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
