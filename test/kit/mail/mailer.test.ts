import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import PostalMime from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLog } from '../../../src/kit/log.ts';
import { MailRefusedError } from '../../../src/kit/mail/mail.ts';
import { openMailer } from '../../../src/kit/mail/mailer.ts';
import { anSmtpServer } from '../../support/smtp.ts';

const mail = {
  to: 'ana@example.com',
  subject: 'Grüße – your link',
  text: 'Open https://costs.example.com/reset-password?token=abc\n.\nlast line',
  html: '<p>Open <a href="https://costs.example.com/reset-password?token=abc">the link</a></p>',
};
const clock = { now: () => new Date('2026-11-21T10:00:00.000Z') };

function aMailer(smtpUrl: string | null, lines: string[] = []) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'costkeep-mail-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const config = { smtpUrl, mailFrom: 'Costkeep <billing@costs.example.com>', dataDir };
  const log = openLog('info', { write: (line) => void lines.push(line) });
  return { mailer: openMailer(config, { clock, log }), outbox: path.join(dataDir, 'outbox') };
}

describe('mailer with SMTP_URL', () => {
  it('sends text and HTML', async () => {
    const { port, taken } = await anSmtpServer();
    await aMailer(`smtp://127.0.0.1:${port}`).mailer.send(mail, 'reset 1');
    expect(taken).toMatchObject([{ from: 'billing@costs.example.com', to: ['ana@example.com'] }]);
    const parsed = await PostalMime.parse(taken[0]?.raw ?? '');
    expect(parsed).toMatchObject({
      from: { name: 'Costkeep', address: 'billing@costs.example.com' },
      to: [{ name: '', address: 'ana@example.com' }],
      subject: mail.subject,
      date: '2026-11-21T10:00:00.000Z',
    });
    expect(parsed.text?.trimEnd()).toBe(mail.text);
    expect(parsed.html?.trimEnd()).toBe(mail.html);
    expect(parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  });

  it('sends attachments byte for byte', async () => {
    const { port, taken } = await anSmtpServer();
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256));
    const attachments = [{ name: 'costs-2026-10.pdf', mediaType: 'application/pdf', bytes }];
    await aMailer(`smtp://127.0.0.1:${port}`).mailer.send({ ...mail, attachments }, 'report 1');
    const parsed = await PostalMime.parse(taken[0]?.raw ?? '');
    expect(parsed.attachments).toMatchObject([
      { filename: 'costs-2026-10.pdf', mimeType: 'application/pdf', disposition: 'attachment' },
    ]);
    const content = parsed.attachments[0]?.content;
    expect(content instanceof ArrayBuffer && Buffer.from(content).equals(bytes)).toBe(true);
    expect(parsed.text?.trimEnd()).toBe(mail.text);
  });

  it('does not decode a subject that looks encoded', async () => {
    const { port, taken } = await anSmtpServer();
    const subject = 'Budget =?utf-8?B?4oCuaGlkZGVu?= has reached 80%';
    await aMailer(`smtp://127.0.0.1:${port}`).mailer.send({ ...mail, subject }, 'budget 1');
    const parsed = await PostalMime.parse(taken[0]?.raw ?? '');
    expect(parsed.subject?.replaceAll('\u200b', '')).toBe(subject);
  });

  it('repeats the Message-ID when it sends the same mail again, and changes it for another mail', async () => {
    const { port, taken } = await anSmtpServer();
    const { mailer } = aMailer(`smtp://127.0.0.1:${port}`);
    for (const key of ['reset 1', 'reset 1', 'reset 2']) await mailer.send(mail, key);
    const ids = taken.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1]?.trim());
    expect(ids[0]).toMatch(/^<[0-9a-f]{32}@costs\.example\.com>$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('authenticates with the name and password of the URL', async () => {
    const seen: string[] = [];
    const { port, taken } = await anSmtpServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        seen.push(`${username}:${password}`);
        done(null, { user: username });
      },
    });
    await aMailer(`smtp://mailer:s%40fe@127.0.0.1:${port}`).mailer.send(mail, 'reset 1');
    expect(seen).toEqual(['mailer:s@fe']);
    expect(taken).toHaveLength(1);
  });

  it('reports a nonexistent recipient as a permanent failure', async () => {
    const refuse = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });
    const { port } = await anSmtpServer({ onRcptTo: (_to, _session, done) => done(refuse(550, 'No such user')) });
    const sent = aMailer(`smtp://127.0.0.1:${port}`).mailer.send(mail, 'reset 1');
    await expect(sent).rejects.toThrow(MailRefusedError);
  });

  it.each([
    ['a full mailbox', { onRcptTo: refuseFor(452) }],
    ['a rejected login', { onAuth: refuseLogin, authOptional: false, allowInsecureAuth: true }],
  ])('reports %s as a temporary failure', async (_what, options: SMTPServerOptions) => {
    const { port } = await anSmtpServer(options);
    const sent = aMailer(`smtp://a:b@127.0.0.1:${port}`).mailer.send(mail, 'reset 1');
    await expect(sent).rejects.toSatisfy((error) => error instanceof Error && !(error instanceof MailRefusedError));
  });

  it('sends to one address, whatever it contains', async () => {
    const { port, taken } = await anSmtpServer();
    const to = 'ana@example.com, mallory@example.com';
    await aMailer(`smtp://127.0.0.1:${port}`)
      .mailer.send({ ...mail, to }, 'reset 1')
      .catch(() => {});
    expect(taken.flatMap((one) => one.to)).not.toContain('mallory@example.com');
  });
});

describe('mailer without SMTP_URL', () => {
  it('writes mails to private files, and logs the file but no secret', async () => {
    const lines: string[] = [];
    const { mailer, outbox } = aMailer(null, lines);
    await mailer.send(mail, 'reset 1');
    const [name, ...others] = readdirSync(outbox);
    expect(name).toMatch(/^2026-11-21T10-00-00-[0-9a-f]{8}\.eml$/);
    expect(others).toEqual([]);
    const file = path.join(outbox, name ?? '');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(outbox).mode & 0o777).toBe(0o700);
    const parsed = await PostalMime.parse(readFileSync(file));
    expect(parsed).toMatchObject({ subject: mail.subject, to: [{ address: 'ana@example.com' }] });
    expect(parsed.text?.trimEnd()).toBe(mail.text);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ file, subject: mail.subject }]);
    expect(lines.join()).not.toContain('token');
  });

  it('writes several mails of the same second to several files', async () => {
    const { mailer, outbox } = aMailer(null);
    await Promise.all([mailer.send(mail, 'reset 1'), mailer.send(mail, 'reset 2')]);
    expect(readdirSync(outbox)).toHaveLength(2);
  });
});

function refuseFor(responseCode: number): SMTPServerOptions['onRcptTo'] {
  return (_to, _session, done) => done(Object.assign(new Error('Not now'), { responseCode }));
}

function refuseLogin(_auth: unknown, _session: unknown, done: (error: Error) => void): void {
  done(Object.assign(new Error('Who are you?'), { responseCode: 535 }));
}
