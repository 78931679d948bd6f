import { describe, expect, it } from 'vitest';
import { aTeam, conflict, failure, forbidden, invalid, start, type Team } from '../team.ts';

const week = 7 * 86_400_000;
const unknown = '01933333-0000-7000-8000-000000000000';

const invite = (team: Team, who: string, emails: unknown, rest: object = {}) =>
  team.rest(who, 'POST', '/org/invite', { emails, role: 'viewer', ...rest });

/** The outcome for each address, in order. */
const results = (answer: { body: { results: { email: string; status: string }[] } }) =>
  answer.body.results.map(({ email, status }) => `${email} ${status}`);

describe('inviting members', () => {
  it('returns one result per address, and mails each a link', async () => {
    const team = await aTeam({ PUBLIC_URL: 'https://costs.example.com' });
    const { one } = team.accounts;
    const { status, body } = await invite(team, 'ben', ['Eve@Example.com'], { role: 'member', account_access: [one] });
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('ben') } });
    expect([status, body]).toEqual([
      201,
      {
        results: [
          {
            email: 'eve@example.com',
            status: 'invited',
            invite: {
              id: expect.any(String),
              email: 'eve@example.com',
              role: 'member',
              account_access: [one],
              status: 'pending',
              invited_by: { id: userId, email: 'ben@example.com', name: 'ben' },
              created_at: start.toISOString(),
              sent_at: start.toISOString(),
              expires_at: new Date(start.getTime() + week).toISOString(),
              accepted_at: null,
              link: expect.stringMatching(/^https:\/\/costs\.example\.com\/invite\?token=[\w-]{43}$/),
            },
          },
        ],
      },
    ]);
    const [mail] = await team.mails();
    expect(mail?.to).toBe('eve@example.com');
    expect(mail?.text).toMatch(/https:\/\/costs\.example\.com\/invite\?token=[\w-]{43}\s/);
    expect(JSON.stringify(await team.db.invite.findMany())).not.toContain(
      /token=([\w-]{43})/.exec(mail?.text ?? '')?.[1],
    );
    expect((await team.recorded()).map(({ action, actorEmail, details }) => [action, actorEmail, details])).toEqual([
      ['invite_sent', 'ben@example.com', { email: 'eve@example.com', role: 'member', account_access: [one] }],
    ]);
  });

  it('shows each link once to pass on, only on a server that sends no emails', async () => {
    const team = await aTeam();
    const linksOf = (answer: { body: { results: { invite: { link: string | null } }[] } }) =>
      answer.body.results.map(({ invite: { link } }) => link);
    const [link] = linksOf(await invite(team, 'ben', 'eve@example.com'));
    const [mail] = await team.mails();
    expect(mail?.text).toContain(link);
    expect(linksOf(await invite(team, 'ben', 'eve@example.com'))).toEqual([null]);
    const listed = (await team.rest('ben', 'GET', '/org/invites')).body as { data: { id: string; link: null }[] };
    expect(listed.data.map((one) => one.link)).toEqual([null]);
    const resent = await team.rest('ben', 'POST', `/org/invites/${listed.data[0]?.id}/resend`);
    expect(resent.body).toMatchObject({ link: expect.stringContaining('/invite?token=') });
    expect((resent.body as { link: string }).link).not.toBe(link);
    const mailing = await aTeam({ SMTP_URL: 'smtp://127.0.0.1:2525' });
    expect(linksOf(await invite(mailing, 'ben', 'eve@example.com'))).toEqual([null]);
    expect((await mailing.rest('ben', 'GET', '/org')).body).toMatchObject({ mail_configured: true });
  });

  it('accepts lists, comma-separated text and a single address, in REST and GraphQL', async () => {
    const team = await aTeam();
    const several = await invite(team, 'ben', ['a@example.com, B@example.com', 'c@example.com,', 'a@example.com ']);
    expect(results(several)).toEqual(['a@example.com invited', 'b@example.com invited', 'c@example.com invited']);
    expect(results(await invite(team, 'ben', 'd@example.com,e@example.com'))).toHaveLength(2);
    const query =
      'mutation { inviteMembers(input: { emails: "f@example.com", role: ADMIN }) { results { status invite { role } } } }';
    expect((await team.gql('ben', query)).body.data.inviteMembers.results).toEqual([
      { status: 'INVITED', invite: { role: 'ADMIN' } },
    ]);
    expect(await team.mails()).toHaveLength(6);
  });

  it('skips members and addresses that are already invited', async () => {
    const team = await aTeam();
    const first = await invite(team, 'ben', 'x@example.com');
    const again = await invite(team, 'ana', ['cleo@example.com', 'x@example.com', 'y@example.com'], { role: 'admin' });
    expect(results(again)).toEqual([
      'cleo@example.com already_member',
      'x@example.com already_invited',
      'y@example.com invited',
    ]);
    expect(again.body.results[0].invite).toBeNull();
    expect(again.body.results[1].invite).toEqual({ ...first.body.results[0].invite, link: null });
    expect((await team.mails()).map((mail) => mail.to)).toEqual(['x@example.com', 'y@example.com']);
  });

  it('invites at most 50 addresses per request, and each once under concurrency', async () => {
    const team = await aTeam();
    const emails = Array.from({ length: 51 }, (_, n) => `p${n}@example.com`);
    expect(await invite(team, 'ben', emails)).toEqual(invalid(/^emails takes at most 50 addresses at once, not 51/));
    const both = await Promise.all([1, 2].map(() => invite(team, 'ben', emails.slice(1))));
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(await team.db.invite.count()).toBe(50);
    expect(await team.mails()).toHaveLength(50);
  });

  it('rejects the whole request when a value is invalid', async () => {
    const team = await aTeam();
    for (const [emails, message] of [
      [[], /^emails must contain at least one address/],
      [' , ', /^emails must contain at least one address/],
      [['a@example.com', 'nobody'], /^emails\[1\] "nobody" must be an address/],
      [['a@example.com', null], /^emails\[1\] must be a string, not null/],
      [7, /^emails must be a list/],
      [undefined, /^emails is required/],
    ] as const)
      expect(await invite(team, 'ben', emails)).toEqual(invalid(message));
    expect(await invite(team, 'ben', 'a@example.com', { role: 'super_admin' })).toEqual(
      invalid(/^role must be one of admin, member, viewer/),
    );
    expect(await invite(team, 'ben', 'a@example.com', { role: null })).toEqual(invalid(/^role/));
    expect(await invite(team, 'ben', 'a@example.com', { account_access: [unknown] })).toEqual(
      invalid(`^account_access\\[0\\] "${unknown}" is not an account`),
    );
    expect([await team.db.invite.count(), await team.mails(), await team.recorded()]).toEqual([0, [], []]);
  });

  it('is limited to Admins; restricted Admins grant only accounts they have access to', async () => {
    const team = await aTeam();
    const { one, two } = team.accounts;
    for (const name of ['cleo', 'dan'])
      expect(await invite(team, name, 'a@example.com')).toEqual(forbidden('does not allow this'));
    await team.join('eve', 'admin', [one]);
    expect(await invite(team, 'eve', 'a@example.com')).toEqual(forbidden('cannot grant access to all accounts'));
    expect(await invite(team, 'eve', 'a@example.com', { account_access: null })).toEqual(
      forbidden('cannot grant access to all'),
    );
    expect(await invite(team, 'eve', 'a@example.com', { account_access: [two] })).toEqual(
      invalid(`"${two}" is not an account`),
    );
    expect((await invite(team, 'eve', 'a@example.com', { role: 'admin', account_access: [one] })).status).toBe(201);
    await invite(team, 'ben', 'b@example.com', { account_access: [two] });
    const { body } = await team.rest('eve', 'GET', '/org/invites?sort_by=email');
    expect(body.data.map((each: { account_access: string[] }) => each.account_access)).toEqual([[one], []]);
    const log = await team.rest('eve', 'GET', '/audit-logs?action=invite_sent');
    expect(JSON.stringify([body, log.body])).not.toContain(two);
  });
});

describe('an invitation', () => {
  it('is pending for 7 days, then expired; or revoked', async () => {
    const team = await aTeam();
    const { id } = (await invite(team, 'ben', 'a@example.com')).body.results[0].invite;
    team.passMs(1000);
    await invite(team, 'ben', 'b@example.com');
    const listed = async (query = '') => {
      const { body } = await team.rest('dan', 'GET', `/org/invites?${query}`);
      return body.data.map((each: { email: string; status: string }) => `${each.email} ${each.status}`);
    };
    team.passMs(week - 1001);
    await team.loginAgain('dan', 'ben');
    expect(await listed()).toEqual(['b@example.com pending', 'a@example.com pending']);
    team.passMs(1);
    expect(await listed()).toEqual(['b@example.com pending', 'a@example.com expired']);
    expect(await listed('status=expired,revoked')).toEqual(['a@example.com expired']);
    expect(await team.rest('ben', 'DELETE', `/org/invites/${id}`)).toEqual({ status: 204, body: null });
    expect(await listed('sort_by=email')).toEqual(['a@example.com revoked', 'b@example.com pending']);
    expect(await team.rest('ben', 'DELETE', `/org/invites/${id}`)).toEqual(conflict('was revoked'));
    expect(await team.rest('ben', 'POST', `/org/invites/${id}/resend`)).toEqual(conflict('was revoked'));
  });

  it('can be resent with a new link for another 7 days, even after it expired', async () => {
    const team = await aTeam();
    const { id } = (await invite(team, 'ben', 'a@example.com')).body.results[0].invite;
    team.passMs(8 * 86_400_000);
    await team.loginAgain('ben');
    const { status, body } = await team.rest('ben', 'POST', `/org/invites/${id}/resend`);
    const now = start.getTime() + 8 * 86_400_000;
    expect([status, body]).toMatchObject([
      200,
      { id, status: 'pending', sent_at: new Date(now).toISOString(), expires_at: new Date(now + week).toISOString() },
    ]);
    const sent = (await team.mails()).map((mail) => /token=([\w-]{43})/.exec(mail.text)?.[1]);
    // The first mail was not sent, because its link had expired.
    expect(sent).toHaveLength(1);
    expect((await team.recorded()).map(({ action }) => action)).toEqual(['invite_sent', 'invite_resent']);
  });

  it('with more access than a restricted Admin cannot be resent or revoked by them', async () => {
    const team = await aTeam();
    const { one, two } = team.accounts;
    await team.join('eve', 'admin', [one]);
    const idOf = async (email: string, access: string[] | null) =>
      (await invite(team, 'ben', email, { account_access: access })).body.results[0].invite.id;
    const refused = forbidden(
      '^The invitation has access to more accounts than you; ask an Admin with access to all accounts$',
    );
    for (const id of [await idOf('a@example.com', null), await idOf('b@example.com', [one, two])]) {
      expect(await team.rest('eve', 'POST', `/org/invites/${id}/resend`)).toEqual(refused);
      expect(await team.rest('eve', 'DELETE', `/org/invites/${id}`)).toEqual(refused);
    }
    const own = await idOf('c@example.com', [one]);
    expect((await team.rest('eve', 'POST', `/org/invites/${own}/resend`)).status).toBe(200);
    expect((await team.rest('eve', 'DELETE', `/org/invites/${own}`)).status).toBe(204);
  });

  it('can be changed only by Admins of its organization', async () => {
    const team = await aTeam();
    const { id } = (await invite(team, 'ben', 'a@example.com')).body.results[0].invite;
    team.tokens['zoe'] = (await team.register('zoe')).accessToken;
    for (const [method, path] of [
      ['POST', `/org/invites/${id}/resend`],
      ['DELETE', `/org/invites/${id}`],
    ] as const) {
      for (const name of ['cleo', 'dan'])
        expect(await team.rest(name, method, path)).toEqual(forbidden('does not allow this'));
      expect(await team.rest('zoe', method, path)).toEqual(failure(404, 'NOT_FOUND', id));
    }
    expect((await team.rest('zoe', 'GET', '/org/invites')).body.data).toEqual([]);
    expect(await team.rest('ben', 'DELETE', '/org/invites/nope')).toEqual(failure(404, 'NOT_FOUND', 'nope'));
  });
});
