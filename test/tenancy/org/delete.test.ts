import { describe, expect, it } from 'vitest';
import { anAccounting } from '../../ingest/accounts/world.ts';
import { aTeam, failure, forbidden, invalid, password } from '../team.ts';

const unauthorized = failure(401, 'UNAUTHORIZED');

describe('deleting the organization', () => {
  it('leaves none of its data in any table or the queue, and affects nothing else', async () => {
    const { deps, call, connect, work, until, token, register, rest } = await anAccounting();
    const [may, june] = [await connect('may'), await connect('june')];
    const stop = await work();
    await until(may.id, 'succeeded');
    await until(june.id, 'succeeded');
    await stop();
    await call('POST', `/accounts/${may.id}/sync`);
    await call('POST', '/org/invite', { emails: 'x@example.com', role: 'viewer' });
    await call('POST', '/auth/tokens', { name: 'CI' });
    await call('PUT', '/org/exchange-rates', { rates: [{ month: '2026-06', from: 'EUR', to: 'USD', rate: 1.1 }] });
    const other = await register();
    const { body } = await call<{ id: string }>('GET', '/org');
    const rows = () =>
      deps.db.$queryRaw<{ at: string; rows: number }[]>`
        SELECT table_name AS at, (xpath('/row/c/text()', query_to_xml(format(
          'select count(*) as c from %I where organization_id = %L', table_name, ${body.id}::text), false, true, '')))[1]::text::int AS rows
        FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'organization_id'`;
    const jobs = async () => (await deps.pool.query('select key from graphile_worker.jobs')).rows.length;
    expect(
      (await rows())
        .filter((table) => table.rows > 0)
        .map(({ at }) => at)
        .sort(),
    ).toEqual(
      expect.arrayContaining([
        'accounts',
        'api_tokens',
        'audit_entries',
        'billing_periods',
        'cost_rollups',
        'invites',
        'services',
      ]),
    );
    // The sync and the mail; evaluations queued by the worker may remain, too.
    expect(await jobs()).toBeGreaterThanOrEqual(2);

    const deleted = await rest('DELETE', '/org', { token, body: { password } });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(deleted.headers.get('set-cookie')).toMatch(/^costkeep_refresh=;/);
    expect((await rows()).filter((table) => table.rows > 0)).toEqual([]);
    expect([await jobs(), await deps.db.organization.count(), await deps.db.user.count()]).toEqual([0, 1, 2]);
    expect((await rest('GET', '/org', { token })).status).toBe(401);
    expect((await rest('GET', '/org', { token: other.token })).status).toBe(200);
  });

  it('is retried after a deadlock', async () => {
    const { deps, token, rest } = await anAccounting();
    const isWaiting = async () => {
      const { rows } = await deps.pool.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%emptyTable%'`,
      );
      return rows.length > 0;
    };
    const deleted = await deps.db.$transaction(async (tx) => {
      // The deletion detects the deadlock first.
      await tx.$executeRaw`SET LOCAL deadlock_timeout = '10min'`;
      await tx.$executeRaw`SELECT FROM memberships FOR UPDATE`;
      const answer = rest('DELETE', '/org', { token, body: { password } });
      await expect.poll(isWaiting, { timeout: 30_000 }).toBe(true);
      await tx.$executeRaw`SELECT FROM organizations FOR UPDATE`;
      return { answer };
    });
    expect((await deleted.answer).status).toBe(204);
    expect(await deps.db.organization.count()).toBe(0);
  });

  it('ends a running sync', async () => {
    const { deps, connect, work, token, rest } = await anAccounting();
    await connect('may');
    await work();
    expect((await rest('DELETE', '/org', { token, body: { password } })).status).toBe(204);
    const left = async (table: string) => (await deps.pool.query(`select 1 from ${table}`)).rows;
    await expect.poll(() => left('graphile_worker.jobs')).toEqual([]);
    expect([await left('cost_rollups'), await left('billing_periods'), await left('services')]).toEqual([[], [], []]);
  });

  it('is limited to the Super Admin, and requires the password', async () => {
    const team = await aTeam();
    for (const name of ['ben', 'cleo', 'dan'])
      expect(await team.rest(name, 'DELETE', '/org', { password })).toEqual(forbidden('does not allow this'));
    expect(await team.rest('ana', 'DELETE', '/org')).toEqual(invalid(/^password is required/));
    expect(await team.rest('ana', 'DELETE', `/org?password=${encodeURIComponent(password)}`)).toEqual(
      invalid(/^password is not a known parameter/),
    );
    expect(await team.rest('ana', 'DELETE', '/org', { password: 'wrong password' })).toEqual(
      forbidden('password is wrong'),
    );
    expect((await team.recorded()).at(-1)).toMatchObject({ action: 'failed_login', actorEmail: 'ana@example.com' });
    expect(await team.db.organization.count()).toBe(1);
    const { body } = await team.gql('ana', `mutation { deleteOrganization(password: "${password}") }`);
    expect(body).toEqual({ data: { deleteOrganization: true } });
    for (const name of ['ana', 'ben']) expect(await team.rest(name, 'GET', '/org')).toEqual(unauthorized);
  });

  it('keeps the users, who can use other organizations or register again', async () => {
    const team = await aTeam({ REGISTRATION: 'first' });
    const { deps } = team;
    await team.rest('ana', 'DELETE', '/org', { password });
    const login = await team.ask('POST', '/api/v1/auth/login', { email: 'ana@example.com', password });
    expect(login).toMatchObject(forbidden('no longer belongs to an organization'));
    // No organization exists now, so the next registration is the first again.
    const person = { email: 'ana@example.com', password, name: 'Ana', organization_name: 'New Inc' };
    const { status, body } = await team.ask('POST', '/api/v1/auth/register', person);
    expect([status, body.organization.name]).toEqual([201, 'New Inc']);
    expect(await deps.db.user.count()).toBe(4);
  });

  it('causes no server errors for concurrent requests', async () => {
    const team = await aTeam();
    await team.join('eve', 'admin');
    const login = (name: string) => team.ask('POST', '/api/v1/auth/login', { email: `${name}@example.com`, password });
    const others = () => [
      login('cleo'),
      login('dan'),
      team.rest('cleo', 'POST', '/auth/tokens', { name: 'CI' }),
      team.rest('dan', 'POST', '/auth/change-password', { password, new_password: 'orbit kite plum' }),
      team.rest('ben', 'DELETE', `/org/members/${team.id('eve')}`),
      team.rest('ben', 'POST', '/org/invite', { emails: 'x@example.com,y@example.com', role: 'viewer' }),
      team.rest('ben', 'PATCH', '/org', { currency: 'EUR' }),
      team.rest('ben', 'POST', `/accounts/${team.accounts.one}/sync`),
      team.rest('ben', 'DELETE', `/accounts/${team.accounts.two}?purge=true`),
      team.rest('cleo', 'POST', '/auth/switch-organization', { organization_id: team.organizationId }),
    ];
    const answers = await Promise.all([...others(), team.rest('ana', 'DELETE', '/org', { password }), ...others()]);
    const failed = answers.filter(({ status }) => status >= 500);
    expect(failed).toEqual([]);
    expect(answers[10]?.status).toBe(204);
    expect(await team.db.organization.count()).toBe(0);
  });

  it('delete and transfer at the same time: exactly one wins', async () => {
    const team = await aTeam();
    const answers = await Promise.all([
      team.rest('ana', 'DELETE', '/org', { password }),
      team.rest('ana', 'POST', '/org/transfer-ownership', { member_id: team.id('ben'), password }),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect([
      [204, 401],
      [204, 400],
      [403, 200],
    ]).toContainEqual(statuses);
    expect(await team.db.organization.count()).toBe(statuses[0] === 204 ? 0 : 1);
  });
});
