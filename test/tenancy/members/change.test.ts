import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aLine, writeFocus } from '../../support/focus.ts';
import { aTeam, failure, forbidden, invalid } from '../team.ts';

const unknown = '01933333-0000-7000-8000-000000000000';

describe('changing a member', () => {
  it('takes effect on their next request', async () => {
    const team = await aTeam();
    const { one } = team.accounts;
    const at = `/org/members/${team.id('cleo')}`;
    const raised = await team.rest('ben', 'PATCH', at, { role: 'admin' });
    expect([raised.status, raised.body]).toEqual([
      200,
      expect.objectContaining({ role: 'admin', account_access: null }),
    ]);
    expect((await team.rest('cleo', 'PATCH', '/org', { name: 'Pear' })).status).toBe(200);
    await team.rest('ben', 'PATCH', at, { account_access: [one, one] });
    expect((await team.rest('cleo', 'GET', '/auth/me')).body).toMatchObject({ role: 'admin', account_access: [one] });
    expect((await team.rest('cleo', 'GET', '/org')).body.account_count).toBe(1);
    await team.rest('ben', 'PATCH', at, { role: 'viewer', account_access: [] });
    expect((await team.rest('cleo', 'GET', '/auth/me')).body).toMatchObject({ role: 'viewer', account_access: [] });
    await team.rest('ben', 'PATCH', at, { account_access: null });
    expect((await team.rest('cleo', 'GET', '/auth/me')).body).toMatchObject({ role: 'viewer', account_access: null });
  });

  it('is rejected if the role has changed since the client read it', async () => {
    const team = await aTeam();
    const at = `/org/members/${team.id('cleo')}`;
    const { role } = (await team.rest('ana', 'GET', at)).body;
    const send = (body: object) => team.rest('ben', 'PATCH', at, body);
    expect((await send({ role: 'admin', if_role: role })).body).toMatchObject({ role: 'admin' });
    expect(await send({ role: 'viewer', if_role: role })).toEqual(
      failure(
        409,
        'CONFLICT',
        'if_role is not the current role of the member; reload it, then apply your change again',
      ),
    );
    expect((await team.rest('ana', 'GET', at)).body.role).toBe('admin');
    expect((await send({ if_role: 'admin' })).status).toBe(400);
  });

  it('is rejected if the access has changed since the client read it', async () => {
    const team = await aTeam();
    const { one, two } = team.accounts;
    await team.join('eve', 'admin', [one]);
    const at = `/org/members/${team.id('cleo')}`;
    const send = (who: string, read: readonly string[] | null, access: readonly string[] | null) =>
      team.rest(who, 'PATCH', at, { account_access: access, if_account_access: read });
    const accessNow = async (who = 'ana') => (await team.rest(who, 'GET', at)).body.account_access;
    expect((await send('ana', null, [two, one])).status).toBe(200);
    for (const read of [null, [], [one], [one, two, unknown]])
      expect(await send('ben', read, null)).toEqual(
        failure(
          409,
          'CONFLICT',
          'if_account_access is not the current access of the member; reload it, then apply your change again',
        ),
      );
    expect(await accessNow()).toEqual([one, two].toSorted());
    // Callers with access to some accounts have read these only.
    expect(await accessNow('eve')).toEqual([one]);
    expect((await send('eve', [one], [])).status).toBe(200);
    expect((await send('eve', [one], [one])).status).toBe(409);
    expect(await accessNow()).toEqual([two]);
    expect((await send('ben', [two], null)).body).toMatchObject({ account_access: null });
    expect((await send('ben', [two], [one])).status).toBe(409);
    expect((await send('ben', null, [])).body).toMatchObject({ account_access: [] });
  });

  it('revokes pending invitations that the member may no longer send', async () => {
    const team = await aTeam();
    const { one, two } = team.accounts;
    const at = `/org/members/${team.id('ben')}`;
    const invite = async (emails: string, access: readonly string[] | null) =>
      team.rest('ben', 'POST', '/org/invite', { emails, role: 'viewer', account_access: access });
    await invite('all@example.com', null);
    await invite('both@example.com', [one, two]);
    await invite('one@example.com', [one]);
    const pending = async () => {
      const { body } = await team.rest('ana', 'GET', '/org/invites?status=pending&sort_by=email');
      return body.data.map(({ email }: { email: string }) => email);
    };
    await team.rest('ana', 'PATCH', at, { account_access: [one] });
    expect(await pending()).toEqual(['one@example.com']);
    await team.rest('ana', 'PATCH', at, { role: 'member' });
    expect(await pending()).toEqual([]);
  });

  it('is audited with one entry for the role and one per account', async () => {
    const team = await aTeam();
    const { one, two } = team.accounts;
    const at = `/org/members/${team.id('cleo')}`;
    await team.rest('ben', 'PATCH', at, { role: 'viewer', account_access: [one] });
    await team.rest('ben', 'PATCH', at, { role: 'viewer', account_access: [two] });
    await team.rest('ben', 'PATCH', at, { account_access: [two] });
    const email = 'cleo@example.com';
    expect((await team.recorded()).map(({ action, actorEmail, details }) => [action, actorEmail, details])).toEqual([
      ['role_changed', 'ben@example.com', { email, role: { from: 'member', to: 'viewer' } }],
      ['account_access_changed', 'ben@example.com', { email, sees: { from: 'all', to: 'listed' } }],
      ['account_access_changed', 'ben@example.com', { email, account_id: one, granted: true }],
      ['account_access_changed', 'ben@example.com', { email, account_id: two, granted: true }],
      ['account_access_changed', 'ben@example.com', { email, account_id: one, granted: false }],
    ]);
    const entries = await team.db.auditEntry.findMany({ where: { accountId: { not: null } }, orderBy: { id: 'asc' } });
    expect(entries.map((entry) => entry.accountId)).toEqual([one, two, one]);
  });

  it('is limited to Admins, who may demote or remove themselves', async () => {
    const team = await aTeam();
    for (const name of ['cleo', 'dan']) {
      const refused = forbidden(/The role (member|viewer) does not allow this/);
      expect(await team.rest(name, 'PATCH', `/org/members/${team.id(name)}`, { role: 'admin' })).toEqual(refused);
      expect(await team.rest(name, 'DELETE', `/org/members/${team.id(name)}`)).toEqual(refused);
      expect(await team.rest(name, 'POST', `/org/members/${team.id(name)}/unlock`)).toEqual(refused);
    }
    await team.join('eve', 'admin');
    expect((await team.rest('eve', 'PATCH', `/org/members/${team.id('eve')}`, { role: 'member' })).status).toBe(200);
    expect((await team.rest('eve', 'PATCH', `/org/members/${team.id('eve')}`, { role: 'admin' })).status).toBe(403);
    expect((await team.rest('ben', 'DELETE', `/org/members/${team.id('ben')}`)).status).toBe(204);
    expect((await team.rest('ben', 'GET', '/org')).status).toBe(401);
  });

  it('cannot change or remove the Super Admin, nor create another one', async () => {
    const team = await aTeam();
    for (const name of ['ana', 'ben']) {
      const owner = `/org/members/${team.id('ana')}`;
      expect(await team.rest(name, 'PATCH', owner, { role: 'viewer' })).toEqual(
        forbidden('The Super Admin cannot be changed'),
      );
      expect(await team.rest(name, 'PATCH', owner, { account_access: [] })).toEqual(
        forbidden('The Super Admin cannot be changed'),
      );
      expect(await team.rest(name, 'DELETE', owner)).toEqual(forbidden('The Super Admin cannot be removed'));
      const other = `/org/members/${team.id('cleo')}`;
      expect(await team.rest(name, 'PATCH', other, { role: 'super_admin' })).toEqual(
        forbidden('^role cannot be super_admin'),
      );
    }
    const { body } = await team.rest('ana', 'GET', '/org/members?role=super_admin');
    expect(body.data.map((member: { id: string }) => member.id)).toEqual([team.id('ana')]);
  });

  it('rejects invalid values, and changes nothing', async () => {
    const team = await aTeam();
    const at = `/org/members/${team.id('cleo')}`;
    expect(await team.rest('ben', 'PATCH', at, {})).toEqual(
      invalid(/^The body has nothing to change; send at least one of role, account_access$/),
    );
    expect(await team.rest('ben', 'PATCH', at, { role: null })).toEqual(invalid(/^role cannot be null/));
    expect(await team.rest('ben', 'PATCH', at, { role: 'boss' })).toEqual(invalid(/^role must be one of/));
    expect(await team.rest('ben', 'PATCH', at, { account_access: 'all' })).toEqual(
      invalid(/^account_access must be a list/),
    );
    for (const id of [unknown, 'nope', '']) {
      const sent = { role: 'viewer', account_access: [team.accounts.one, id] };
      expect(await team.rest('ben', 'PATCH', at, sent)).toEqual(
        invalid(`account_access\\[1\\] "${id}" is not an account`),
      );
    }
    expect(await team.rest('ben', 'PATCH', `/org/members/${unknown}`, { role: 'viewer' })).toEqual(
      failure(404, 'NOT_FOUND', unknown),
    );
    expect(await team.rest('ben', 'PATCH', '/org/members/nope', { role: 'viewer' })).toEqual(
      failure(404, 'NOT_FOUND', 'nope'),
    );
    const { body } = await team.gql('ben', `mutation { updateMember(id: "${team.id('cleo')}", input: {}) { role } }`);
    expect(body.errors[0]).toMatchObject({
      message: 'input has no changes; send at least one of input.role, input.accountAccess',
      extensions: { code: 'VALIDATION_ERROR', status: 400, field: 'input' },
    });
    expect(await team.recorded()).toEqual([]);
  });
});

/** Eve is an Admin with access to account `one` only. */
async function restricted() {
  const team = await aTeam();
  const { one, two } = team.accounts;
  await team.join('eve', 'admin', [one]);
  const stored = async (name: string) => {
    const row = await team.db.membership.findUniqueOrThrow({ where: { id: team.id(name) } });
    return row.restricted ? row.accountAccess : null;
  };
  const patch = (name: string, body: object) => team.rest('eve', 'PATCH', `/org/members/${team.id(name)}`, body);
  return { team, one, two, stored, patch };
}

describe('a restricted Admin', () => {
  it('can grant only accounts they have access to', async () => {
    const { team, one, two, stored, patch } = await restricted();
    await team.join('fay', 'viewer', []);
    expect(await patch('fay', { account_access: null })).toEqual(forbidden('cannot grant access to all accounts'));
    expect(await patch('fay', { account_access: [two] })).toEqual(invalid(`"${two}" is not an account`));
    expect(await patch('eve', { account_access: [one, two] })).toEqual(invalid(`"${two}" is not an account`));
    expect(await patch('eve', { account_access: null })).toEqual(forbidden('cannot grant access to all accounts'));
    expect(await stored('eve')).toEqual([one]);
    expect((await patch('fay', { role: 'admin', account_access: [one] })).body).toMatchObject({
      role: 'admin',
      account_access: [one],
    });
    expect(await stored('fay')).toEqual([one]);
  });

  it('cannot change or remove a member with more access, whatever their role', async () => {
    const { team, one, two, stored, patch } = await restricted();
    await team.join('fay', 'viewer', [one, two]);
    const refused = forbidden(
      '^The member has access to more accounts than you; ask an Admin with access to all accounts$',
    );
    for (const name of ['ben', 'cleo', 'fay']) {
      for (const change of [{ role: 'viewer' }, { role: 'admin' }, { role: 'member', account_access: [] }])
        expect(await patch(name, change), name).toEqual(refused);
      expect(await team.rest('eve', 'DELETE', `/org/members/${team.id(name)}`)).toEqual(refused);
    }
    for (const access of [[], [one]]) expect(await patch('cleo', { account_access: access })).toEqual(refused);
    expect([await stored('ben'), await stored('cleo')]).toEqual([null, null]);
    expect(await stored('fay')).toEqual([one, two]);
    expect(await team.recorded()).toEqual([]);
  });

  it("does not change a member's access to accounts outside their scope", async () => {
    const { team, one, two, stored, patch } = await restricted();
    await team.join('fay', 'member', [one, two]);
    expect((await patch('fay', { account_access: [] })).body).toMatchObject({ account_access: [] });
    expect(await stored('fay')).toEqual([two]);
    expect((await patch('fay', { account_access: [one] })).body).toMatchObject({ account_access: [one] });
    expect([...((await stored('fay')) ?? [])].sort()).toEqual([one, two].sort());
    const log = await team.rest('eve', 'GET', '/audit-logs?action=account_access_changed');
    expect(log.body.data).toHaveLength(2);
    expect(JSON.stringify(log.body)).not.toContain(two);
  });

  it('can change and remove members with the same access or less', async () => {
    const { team, one, patch } = await restricted();
    await team.join('fay', 'admin', [one]);
    await team.join('gil', 'member', []);
    expect((await patch('fay', { role: 'viewer', account_access: [] })).status).toBe(200);
    for (const name of ['fay', 'gil'])
      expect((await team.rest('eve', 'DELETE', `/org/members/${team.id(name)}`)).status).toBe(204);
    expect((await patch('eve', { role: 'viewer' })).status).toBe(200);
  });

  it('can grant accounts that they connected, which are added to their own', async () => {
    const { team, one, stored, patch } = await restricted();
    const root = mkdtempSync(path.join(tmpdir(), 'costkeep-members-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    await writeFocus(path.join(root, 'may/a.csv'), [aLine({ day: '2026-05-03', cost: '7' })]);
    Object.assign(team.deps.config, { focusRoot: root });
    const body = { name: 'May', provider: 'focus', settings: { path: 'may' } };
    const { id: three } = (await team.rest('eve', 'POST', '/accounts', body)).body;
    expect((await team.rest('eve', 'GET', '/auth/me')).body.account_access).toEqual([one, three]);
    expect((await team.rest('eve', 'GET', '/org')).body.account_count).toBe(2);
    await team.join('fay', 'viewer', []);
    expect((await patch('fay', { account_access: [three] })).status).toBe(200);
    expect(await stored('fay')).toEqual([three]);
  });
});
