import { describe, expect, it } from 'vitest';
import { runJobs } from '../../support/jobs.ts';
import { aWorld, worldOfFile, type World } from '../../support/world.ts';

const opened = worldOfFile();
const chosen = 'brine lantern quill';

/** Runs all jobs, and returns the token in the last mail to an address. */
async function mailedToken(world: World, email: string): Promise<string | null> {
  await runJobs(world.deps, world.jobs);
  const mail = world.mails.findLast(({ to, text }) => to === email && text.includes('reset-password'));
  return /token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? null;
}

const forgot = (world: World, email: unknown) => world.rest('POST', '/auth/forgot-password', { body: { email } });
const enter = (world: World, email: string, password: string) =>
  world.rest('POST', '/auth/login', { body: { email, password } });

describe('POST /auth/forgot-password and /auth/reset-password', () => {
  it('set a new password, invalidate the old one, and end all sessions', async () => {
    const world = opened();
    const { email, token, refreshToken, password } = await world.register();
    expect(await forgot(world, email.toUpperCase())).toMatchObject({ status: 202, body: { accepted: true } });
    const body = { token: await mailedToken(world, email), password: chosen };
    expect(await world.rest('POST', '/auth/reset-password', { body })).toMatchObject({ status: 204, text: '' });
    expect((await world.rest('GET', '/auth/me', { token })).status).toBe(401);
    const refreshed = await world.rest('POST', '/auth/refresh', { body: { refresh_token: refreshToken } });
    expect(refreshed.status).toBe(401);
    expect((await enter(world, email, password)).status).toBe(401);
    expect((await enter(world, email, chosen)).status).toBe(200);
    const again = await world.rest('POST', '/auth/reset-password', { body });
    expect(again).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  });

  it('work in GraphQL', async () => {
    const world = opened();
    const { email } = await world.register();
    const asked = await world.gql('mutation ($email: String!) { forgotPassword(email: $email) { accepted } }', {
      email,
    });
    expect(asked.body).toEqual({ data: { forgotPassword: { accepted: true } } });
    const token = await mailedToken(world, email);
    const reset =
      'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }';
    const { body } = await world.gql(reset, { token, password: chosen });
    expect(body).toEqual({ data: { resetPassword: true } });
    expect((await enter(world, email, chosen)).status).toBe(200);
  });

  it('return the same response for an unknown email', async () => {
    const world = opened();
    const { email } = await world.register();
    const [known, unknown] = [await forgot(world, email), await forgot(world, 'nobody@example.com')];
    expect(unknown.status).toBe(202);
    expect(unknown.text).toBe(known.text);
    const names = (headers: Headers) => [...headers.keys()].sort();
    expect(names(unknown.headers)).toEqual(names(known.headers));
    expect(await mailedToken(world, 'nobody@example.com')).toBeNull();
  });

  it('take the same time for an unknown email', async () => {
    const world = opened();
    const { email } = await world.register();
    const times: Record<string, number[]> = { [email]: [], 'nobody@example.com': [] };
    // Sequentially, so that other load on the machine affects both alike.
    for (let i = 0; i < 42; i += 1) {
      const address = i % 2 === 0 ? email : 'nobody@example.com';
      const before = performance.now();
      await forgot(world, address);
      times[address]?.push(performance.now() - before);
    }
    const [known = 0, unknown = 0] = Object.values(times).map((all) => all.sort((a, b) => a - b)[10]);
    expect(Math.abs(known - unknown)).toBeLessThan(Math.max(known, unknown) * 0.5 + 5);
    world.jobs.length = 0;
  });

  it('validate their input without repeating the token', async () => {
    const world = opened();
    expect(await forgot(world, 'not an address')).toMatchObject({ status: 400 });
    expect(await forgot(world, 7)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    const { status, text } = await world.rest('POST', '/auth/reset-password', { body: { token: 'secret-token' } });
    expect(status).toBe(400);
    expect(text).not.toContain('secret-token');
  });
});

it('verifies 5 of 20 concurrent wrong passwords, and rejects 15 with the time of the next attempt', async () => {
  const world = await aWorld();
  const { email } = await world.register();
  for (const address of [email, 'nobody@example.com']) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(world, address, 'wrong')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(423)]);
    const locked = answers.find(({ status }) => status === 423);
    expect(locked?.headers.get('retry-after')).toMatch(/^(60|5\d)$/);
    expect(locked?.body).toMatchObject({ error: { code: 'ACCOUNT_LOCKED', status: 423 } });
  }
  const counts = await world.deps.db.loginLock.findMany({ select: { failedLogins: true } });
  expect(counts).toEqual([{ failedLogins: 5 }, { failedLogins: 5 }]);
});

describe('POST /auth/change-password', () => {
  const change = (world: World, token: string, body: object) =>
    world.rest('POST', '/auth/change-password', { token, body });

  it('ends all other sessions', async () => {
    const world = opened();
    const { email, token, password } = await world.register();
    const other = await world.rest<{ access_token: string }>('POST', '/auth/login', { body: { email, password } });
    expect(await change(world, token, { password, new_password: chosen })).toMatchObject({ status: 204, text: '' });
    expect((await world.rest('GET', '/auth/me', { token })).status).toBe(200);
    expect((await world.rest('GET', '/auth/me', { token: other.body.access_token })).status).toBe(401);
    expect((await enter(world, email, chosen)).status).toBe(200);
  });

  it('returns 403 for a wrong password, and 401 without a session', async () => {
    const world = opened();
    const { token } = await world.register();
    const wrong = await change(world, token, { password: 'wrong', new_password: chosen });
    expect(wrong).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect((await world.rest('POST', '/auth/change-password', { body: {} })).status).toBe(401);
    const common = await change(world, token, { password: 'plum kite orbit', new_password: 'password1' });
    expect(common).toMatchObject({ status: 400, body: { error: { message: /^new_password / } } });
  });

  it('rejects API tokens', async () => {
    const world = opened();
    const { token, password } = await world.register();
    const made = await world.rest<{ token: string }>('POST', '/auth/tokens', { token, body: { name: 'ci' } });
    const refused = await change(world, made.body.token, { password, new_password: chosen });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  });
});
