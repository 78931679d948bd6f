import PostalMime from 'postal-mime';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tasks } from '../../../src/tasks.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { openMailer } from '../../../src/kit/mail/mailer.ts';
import { anSmtpServer } from '../../support/smtp.ts';
import { aWorld } from '../../support/world.ts';

/** A server with a worker and an SMTP server. */
async function aMailingWorld() {
  const { port, taken } = await anSmtpServer();
  const publicUrl = 'https://costs.example.com';
  const mailFrom = 'Costkeep <mail@costs.example.com>';
  const world = await aWorld({ hasQueue: true, config: { publicUrl, syncCron: null } });
  const { deps } = world;
  const mailer = openMailer({ ...deps.config, smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom }, deps);
  const worker = await startWorker({ ...deps, mailer }, tasks);
  onTestFinished(() => worker.stop());
  return { world, taken, port };
}

it('handles a forgotten password end to end: request, job, SMTP, link, new password, confirmation', async () => {
  const { world, taken } = await aMailingWorld();
  const { email } = await world.register({ name: 'Ana <b>O’Neill</b>' });
  await world.rest('POST', '/auth/forgot-password', { body: { email } });
  await vi.waitFor(() => expect(taken).toHaveLength(1), { timeout: 10_000 });
  const mail = await PostalMime.parse(taken[0]?.raw ?? '');
  expect(mail).toMatchObject({
    from: { name: 'Costkeep', address: 'mail@costs.example.com' },
    to: [{ address: email }],
    subject: 'Choose a new password',
  });
  const url = /https:\/\/costs\.example\.com\/reset-password\?token=[\w-]+/.exec(mail.text ?? '')?.[0] ?? '';
  expect(mail.html).toContain(`href="${url}"`);
  expect(mail.html).toContain('Hello Ana &lt;b&gt;O’Neill&lt;');
  const body = { token: new URL(url).searchParams.get('token'), password: 'brine lantern quill' };
  expect((await world.rest('POST', '/auth/reset-password', { body })).status).toBe(204);
  await vi.waitFor(() => expect(taken).toHaveLength(2), { timeout: 10_000 });
  const word = await PostalMime.parse(taken[1]?.raw ?? '');
  expect(word.subject).toBe('Your password was changed');
  const login = await world.rest('POST', '/auth/login', { body: { email, password: body.password } });
  expect(login.status).toBe(200);
});
