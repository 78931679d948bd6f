import { createHash } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import type { Mailer } from './mail.ts';
import { openOutbox } from './outbox.ts';
import { openSmtp } from './smtp.ts';

/** Creates the mailer: via `SMTP_URL`, otherwise files in the outbox of the data folder. */
export function openMailer(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  deps: { readonly clock: Clock; readonly log: Log },
): Mailer {
  const { smtpUrl, mailFrom } = config;
  const deliver = smtpUrl ? openSmtp(smtpUrl, mailFrom) : openOutbox(config, deps.log);
  return {
    onlySaves: !smtpUrl,
    send: (mail, key) => deliver({ ...mail, messageId: messageId(key, mailFrom), date: deps.clock.now() }),
  };
}

function messageId(key: string, from: string): string {
  const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
  const domain = /@([^\s<>@]+)/.exec(from)?.[1] ?? 'localhost';
  return `<${name}@${domain}>`;
}
