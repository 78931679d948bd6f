import { createTransport } from 'nodemailer';
import { MailRefusedError, type Envelope } from './mail.ts';
import { message } from './message.ts';

/** A server that is silent for as long is taken for dead; the job tries again later. */
const timeoutsMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

/** Sends through the SMTP server of an address such as `smtp://user:password@host:587`: STARTTLS where the server has it
 *  (`?requireTLS=true` demands it), TLS from the start with `smtps://`. */
export function openSmtp(url: string, from: string): (envelope: Envelope) => Promise<void> {
  const transport = createTransport({ url, ...timeoutsMs });
  return async (envelope) => {
    try {
      await transport.sendMail(message(envelope, from));
    } catch (error) {
      throw isForGood(error) ? new MailRefusedError(`The mail server refused a mail: ${reason(error)}`, error) : error;
    }
  };
}

/** RFC 5321, section 4.2.1: 5yz to the envelope or the message is the server's last word. A login that it refuses is the
 *  operator's to mend, and worth another try. */
function isForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false;
  const isOfMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  return isOfMail && typeof error.responseCode === 'number' && error.responseCode >= 500;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
