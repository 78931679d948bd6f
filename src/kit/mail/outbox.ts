import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config/config.ts';
import { makeDataDir } from '../secrets/keys.ts';
import type { Log } from '../log.ts';
import type { Envelope } from './mail.ts';
import { message } from './message.ts';

/** Writes each email as `.eml` to `outbox` in the data folder, readable only by the server's user, because links contain
 *  secrets. The log has its path and subject, but not its content. */
export function openOutbox(
  { dataDir, mailFrom }: Pick<Config, 'dataDir' | 'mailFrom'>,
  log: Log,
): (envelope: Envelope) => Promise<void> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const folder = path.join(dataDir, 'outbox');
  return async (envelope) => {
    const { message: bytes } = await transport.sendMail(message(envelope, mailFrom));
    if (!Buffer.isBuffer(bytes)) throw new Error('The email was not written to a single buffer');
    makeDataDir(dataDir);
    await fs.mkdir(folder, { mode: 0o700 }).catch(ifNotThere);
    const file = path.join(folder, fileName(envelope));
    await fs.writeFile(`${file}.part`, bytes, { mode: 0o600 });
    await fs.rename(`${file}.part`, file);
    log.info({ file, subject: envelope.subject }, 'No SMTP_URL is set: an email was written to the outbox');
  };
}

/** File name such as `2026-11-21T10-00-00-0b1e6f6d.eml`; names sort by time. */
function fileName({ date, messageId }: Envelope): string {
  return `${date.toISOString().slice(0, 19).replaceAll(':', '-')}-${messageId.slice(1, 9)}.eml`;
}

function ifNotThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
