import fs from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { holdMember } from '../../../src/tenancy/people/store.ts';
import { aTeam, failure, forbidden, password, type Team } from '../team.ts';

const unauthorized = failure(401, 'UNAUTHORIZED');

describe('removing a member', () => {
  it('ends all their sessions and tokens with the next request', async () => {
    const team = await aTeam();
    const session = await team.login('cleo');
    const token = (await team.rest('cleo', 'POST', '/auth/tokens', { name: 'CI' })).body.token;
    expect(await team.rest('ben', 'DELETE', `/org/members/${team.id('cleo')}`)).toEqual({ status: 204, body: null });
    for (const bearer of [team.tokens['cleo'] ?? '', session.accessToken, token]) {
      expect(await team.rest(bearer, 'GET', '/org')).toEqual(unauthorized);
      expect((await team.gql(bearer, '{ me { role } }')).status).toBe(401);
    }
    const refresh = await team.ask('POST', '/api/v1/auth/refresh', { refresh_token: session.refreshToken });
    expect(refresh.status).toBe(401);
    const login = await team.ask('POST', '/api/v1/auth/login', { email: 'cleo@example.com', password });
    expect(login).toMatchObject(forbidden('no longer belongs to an organization'));
    expect(await team.rest('ben', 'DELETE', `/org/members/${team.id('cleo')}`)).toEqual(failure(404, 'NOT_FOUND'));
  });

  it('transfers their resources to the Super Admin', async () => {
    const team = await aTeam();
    const userOf = async (name: string) =>
      (await team.db.user.findUniqueOrThrow({ where: { email: `${name}@example.com` } })).id;
    const [ana, ben, cleo] = [await userOf('ana'), await userOf('ben'), await userOf('cleo')];
    await team.db.account.update({ where: { id: team.accounts.one }, data: { createdBy: ben } });
    await team.db.account.update({ where: { id: team.accounts.two }, data: { createdBy: cleo } });
    await team.rest('ben', 'POST', '/org/invite', { emails: 'x@example.com', role: 'viewer' });
    await team.rest('ana', 'DELETE', `/org/members/${team.id('ben')}`);
    const makers = await team.db.account.findMany({ orderBy: { name: 'asc' }, select: { createdBy: true } });
    expect(makers).toEqual([{ createdBy: ana }, { createdBy: cleo }]);
    expect((await team.db.invite.findFirstOrThrow()).invitedBy).toBe(ana);
    expect((await team.recorded()).at(-1)).toEqual({
      action: 'user_removed',
      actorEmail: 'ana@example.com',
      resourceType: 'member',
      details: { email: 'ben@example.com', role: 'admin', passed_to: 'ana@example.com' },
    });
  });

  it('revokes their pending invitations', async () => {
    const team = await aTeam();
    await team.rest('ana', 'POST', '/org/invite', { emails: 'y@example.com', role: 'viewer' });
    await team.rest('ben', 'POST', '/org/invite', { emails: 'x@example.com', role: 'admin' });
    await team.rest('ana', 'DELETE', `/org/members/${team.id('ben')}`);
    const invites = await team.rest('ana', 'GET', '/org/invites?sort_by=email');
    expect(invites.body.data).toMatchObject([
      { email: 'x@example.com', status: 'revoked' },
      { email: 'y@example.com', status: 'pending' },
    ]);
    const entries = (await team.recorded()).filter(({ action }) => action === 'invite_revoked');
    expect(entries.map(({ details }) => details)).toEqual([{ email: 'x@example.com' }]);
  });

  it('removes their address, case-insensitively, from all notifications of the organization', async () => {
    const team = await aTeam();
    const emails = ['Cleo@Example.com', 'books@example.com', 'cleo@example.com'];
    const of = { name: 'Told', emails };
    await team.rest('ana', 'POST', '/budgets', { ...of, emails: emails.slice(1), amount: 100 });
    await team.rest('ana', 'POST', '/alert-rules', {
      ...of,
      emails: emails.slice(0, 2),
      metric: 'daily_cost',
      operator: 'gt',
      threshold: 1,
    });
    const schedule = {
      name: 'Told',
      type: 'inventory',
      format: 'csv',
      frequency: 'daily',
      recipients: emails.slice(0, 2),
    };
    expect((await team.rest('ana', 'POST', '/reports/schedules', schedule)).status).toBe(201);
    await team.rest('ana', 'PATCH', '/notifications/preferences', { additional_emails: emails.slice(1) });
    await team.rest('ana', 'DELETE', `/org/members/${team.id('cleo')}`);
    expect((await team.rest('ana', 'GET', '/budgets')).body.data[0].emails).toEqual(['books@example.com']);
    expect((await team.rest('ana', 'GET', '/alert-rules')).body.data[0].emails).toEqual(['books@example.com']);
    expect((await team.rest('ana', 'GET', '/reports/schedules')).body.data[0].recipients).toEqual([
      'books@example.com',
    ]);
    const preferences = await team.rest('ana', 'GET', '/notifications/preferences');
    expect(preferences.body.additional_emails).toEqual(['books@example.com']);
  });

  it('covers every column with the creator of a record', async () => {
    const team = await aTeam();
    const columns = await team.db.$queryRaw<{ at: string }[]>`
      SELECT table_name || '.' || column_name AS at FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name IN ('created_by', 'created_by_id', 'invited_by', 'owner_id') ORDER BY 1`;
    // Add new columns to inherit-store.ts, then here.
    expect(columns.map(({ at }) => at)).toEqual([
      'accounts.created_by',
      'alert_rules.created_by_id',
      'annotations.created_by_id',
      'budgets.created_by_id',
      'channels.created_by_id',
      'dashboards.created_by_id',
      'invites.invited_by',
      'report_schedules.created_by_id',
      'reports.created_by_id',
      'saved_views.created_by_id',
      'tag_policies.created_by_id',
      'unit_metrics.created_by_id',
      'uploaded_files.created_by_id',
      'virtual_tags.created_by_id',
    ]);
  });

  it('keeps their other organizations', async () => {
    const team = await aTeam();
    const zoe = await team.register('zoe');
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('cleo') } });
    await team.db.membership.create({
      data: { organizationId: zoe.viewer.scope.organizationId, userId, role: 'viewer' },
    });
    await team.rest('ben', 'DELETE', `/org/members/${team.id('cleo')}`);
    expect((await team.login('cleo')).viewer).toMatchObject({ role: 'viewer', scope: { ...zoe.viewer.scope, userId } });
  });

  it('either completes or rejects their concurrent requests', async () => {
    const team = await aTeam();
    await team.join('eve', 'admin');
    const answers = await Promise.all([
      team.rest('ana', 'DELETE', `/org/members/${team.id('eve')}`),
      ...['one', 'two', 'three', 'four'].map((name) =>
        team.rest('eve', 'POST', '/org/invite', { emails: `${name}@example.com`, role: 'viewer' }),
      ),
    ]);
    expect(answers[0]?.status).toBe(204);
    const invited = answers.slice(1).filter(({ status }) => status === 201).length;
    for (const { status } of answers.slice(1)) expect([201, 401]).toContain(status);
    expect(await team.db.invite.count()).toBe(invited);
    expect((await team.recorded()).filter(({ action }) => action === 'invite_sent')).toHaveLength(invited);
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('ana') } });
    expect(await team.db.invite.count({ where: { invitedBy: userId } })).toBe(invited);
  });

  /** Resolves when a query waits for a lock, or the request has ended. */
  const blocked = (team: Team, ended: Promise<unknown>) =>
    Promise.race([
      ended,
      vi.waitFor(async () => {
        const waiting = await team.db.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(waiting).not.toEqual([]);
      }, 30_000),
    ]);

  it('waits for the records that they are adding, and passes these on or deletes them', async () => {
    const team = await aTeam();
    const made = await team.rest('cleo', 'POST', '/views', { name: 'First', page: 'costs' });
    const where = { id: team.id('cleo') };
    const { userId, organizationId } = await team.db.membership.findUniqueOrThrow({ where });
    const removed = await team.db.$transaction(async (db) => {
      await holdMember(db, orgScope(organizationId, null), userId);
      await db.$executeRaw`
        INSERT INTO saved_views SELECT (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'name', 'Late'))).*
        FROM saved_views v WHERE id = ${made.body.id}::uuid`;
      const answer = team.rest('ana', 'DELETE', `/org/members/${team.id('cleo')}`);
      await blocked(team, answer);
      return [answer];
    });
    expect((await removed[0])?.status).toBe(204);
    expect(await team.db.savedView.count()).toBe(0);
  });

  it('rejects a record that they add while the removal is under way', async () => {
    const team = await aTeam();
    const where = { id: team.id('cleo') };
    const added = await team.db.$transaction(async (db) => {
      await db.membership.delete({ where });
      const answer = team.rest('cleo', 'POST', '/views', { name: 'Late', page: 'costs' });
      await blocked(team, answer);
      return [answer];
    });
    expect((await added[0])?.status).toBe(401);
    expect(await team.db.savedView.count()).toBe(0);
  });

  it('cleans up by migration what earlier versions left without an owner', async () => {
    const team = await aTeam();
    const add = (path: string, body: object) => team.rest('cleo', 'POST', path, body);
    await add('/views', { name: 'Own', page: 'costs' });
    await add('/views', { name: 'Shared', page: 'costs', visibility: 'organization' });
    await add('/budgets', { name: 'Left', amount: 100 });
    await team.rest('ben', 'POST', '/budgets', { name: 'Kept', amount: 100 });
    await team.db.membership.delete({ where: { id: team.id('cleo') } });
    const sql = fs.readFileSync('prisma/migrations/20261129185700_records_of_former_members/migration.sql', 'utf8');
    for (const statement of sql.split(/;\n/).filter((text) => text.trim() !== ''))
      await team.db.$executeRawUnsafe(statement);
    const ownerOf = async (name: string) =>
      (await team.db.membership.findUniqueOrThrow({ where: { id: team.id(name) } })).userId;
    const [ana, ben] = [await ownerOf('ana'), await ownerOf('ben')];
    const views = await team.db.savedView.findMany({ select: { name: true, createdById: true } });
    expect(views).toEqual([{ name: 'Shared', createdById: ana }]);
    const select = { name: true, createdById: true, isInherited: true, inheritedScope: true };
    expect(await team.db.budget.findMany({ select, orderBy: { name: 'asc' } })).toEqual([
      { name: 'Kept', createdById: ben, isInherited: false, inheritedScope: [] },
      { name: 'Left', createdById: ana, isInherited: true, inheritedScope: [] },
    ]);
  });

  it('removes one of two Admins who remove each other concurrently', async () => {
    const team = await aTeam();
    await team.join('eve', 'admin');
    const answers = await Promise.all([
      team.rest('ben', 'DELETE', `/org/members/${team.id('eve')}`),
      team.rest('eve', 'DELETE', `/org/members/${team.id('ben')}`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    expect(await team.db.membership.count({ where: { role: 'admin' } })).toBe(1);
  });
});

describe('unlocking a member', () => {
  it('lifts the lock and resets the count', async () => {
    const team = await aTeam();
    const wrong = () =>
      team.ask('POST', '/api/v1/auth/login', { email: 'dan@example.com', password: 'wrong password' });
    for (let n = 0; n < 5; n += 1) await wrong();
    expect((await wrong()).status).toBe(423);
    const { status, body } = await team.rest('ben', 'POST', `/org/members/${team.id('dan')}/unlock`);
    expect([status, body.locked_until]).toEqual([200, null]);
    expect((await wrong()).status).toBe(401);
    expect((await team.login('dan')).viewer.email).toBe('dan@example.com');
    const { action, details } = (await team.recorded()).find((entry) => entry.action === 'user_unlocked') ?? {};
    expect([action, details]).toEqual(['user_unlocked', { email: 'dan@example.com' }]);
  });
});
