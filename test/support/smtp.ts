import type { SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { startSmtpServer, type TakenMail } from './smtp-server.ts';

/** A mail server on this machine with its received mails. It ends with the test. */
export async function anSmtpServer(options: SMTPServerOptions = {}) {
  const taken: TakenMail[] = [];
  const server = await startSmtpServer((mail) => taken.push(mail), options);
  onTestFinished(() => server.close());
  return { port: server.port, taken };
}
