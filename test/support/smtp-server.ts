import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as received by the server. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, RFC 5322. */
  readonly raw: string;
}

/** Starts a mail server on this machine.
 *  @param port 0: any free one */
export async function startSmtpServer(
  onMail: (mail: TakenMail) => void,
  { port = 0, ...options }: SMTPServerOptions & { readonly port?: number } = {},
): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        onMail({ from, to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
    ...options,
  });
  // Tests include clients that disconnect.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.server.address() as AddressInfo;
  return { port: address.port, close: () => new Promise<void>((resolve) => void server.close(() => resolve())) };
}
