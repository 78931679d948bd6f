import { describe, expect, it } from 'vitest';
import { runJobs } from '../../support/jobs.ts';
import { aTeam, failure, forbidden, invalid } from '../../tenancy/team.ts';
import { fillInventory, type Owned } from './world.ts';

const unknown = '01933333-0000-7000-8000-000000000000';
const notFound = (id: string) => failure(404, 'NOT_FOUND', `Tag policy "${id}" not found`);
const rule = { key: 'team', required: true, allowed_values: [], pattern: null, case_sensitive: false };

/** A team with Eve, an Admin restricted to the first account. */
async function aRestrictedTeam() {
  const team = await aTeam();
  await team.join('eve', 'admin', [team.accounts.one]);
  const { one, two } = team.accounts;
  const owned: Owned[] = [
    { account: one, name: 'a', tags: {}, cost: '5' },
    { account: one, name: 'b', tags: { team: 'red' }, cost: '7' },
    { account: two, name: 'c', tags: {}, cost: '9' },
  ];
  await fillInventory(team.deps.pool, team.organizationId, owned);
  const policy = async (name: string, body: object = {}) =>
    (await team.rest(name, 'POST', '/tag-policies', { name: 'Teams', rules: [{ key: 'team' }], ...body })).body;
  const settle = () => runJobs(team.deps, team.jobs);
  return { ...team, policy, settle };
}

describe('tag policy', () => {
  it('is returned with all fields, and applies to everything by default', async () => {
    const team = await aRestrictedTeam();
    const made = await team.rest('ben', 'POST', '/tag-policies', { name: ' Teams ', rules: [{ key: 'team' }] });
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('ben') } });
    expect(made).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Teams',
        rules: [rule],
        provider: null,
        account_id: null,
        resource_types: [],
        enabled: true,
        violation_count: 0,
        evaluating: true,
        created_by: userId,
        created_at: '2026-11-21T10:00:00.000Z',
        updated_at: '2026-11-21T10:00:00.000Z',
      },
    });
    await team.settle();
    const { body } = await team.rest('dan', 'GET', '/tag-policies');
    expect(body.data).toEqual([{ ...made.body, violation_count: 2, evaluating: false }]);
  });

  it('updates the given fields; null clears optional ones', async () => {
    const team = await aRestrictedTeam();
    const { one } = team.accounts;
    const { id } = await team.policy('ben', {
      provider: 'AWS',
      account_id: one,
      resource_types: ['Instance', 'instance'],
    });
    const strict = { key: 'Env', required: false, allowed_values: ['a', 'a'], pattern: 'a+', case_sensitive: true };
    const changed = await team.rest('ben', 'PATCH', `/tag-policies/${id}`, { rules: [strict], provider: null });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        name: 'Teams',
        rules: [{ ...strict, allowed_values: ['a'] }],
        provider: null,
        account_id: one,
        resource_types: ['instance'],
      },
    });
    const cleared = { account_id: null, resource_types: null, enabled: false, name: 'Any' };
    expect((await team.rest('ben', 'PATCH', `/tag-policies/${id}`, cleared)).body).toMatchObject({
      ...cleared,
      resource_types: [],
    });
  });

  it('rejects invalid values, and names them', async () => {
    const team = await aRestrictedTeam();
    const attempt = (body: object) =>
      team.rest('ben', 'POST', '/tag-policies', { name: 'P', rules: [{ key: 'team' }], ...body });
    const rules = (...given: object[]) => attempt({ rules: given });
    expect(await attempt({ name: ' ' })).toEqual(invalid('name must have 1 to 100 characters'));
    expect(await rules()).toEqual(invalid('rules must contain at least one rule'));
    expect(await rules(...Array.from({ length: 21 }, (_, index) => ({ key: `k${index}` })))).toEqual(
      invalid('rules takes at most 20 rules, not 21'),
    );
    expect(await rules({ key: '' })).toEqual(invalid(/rules\[0\]\.key must have 1 to 256 characters/));
    expect(await rules({ key: ' ' })).toEqual(
      invalid(/^rules\[0\].key " " is blank; give a name as used by the provider$/),
    );
    expect(await rules({ key: 'x'.repeat(257) })).toEqual(invalid(/rules\[0\]\.key must have 1 to 256/));
    expect(await rules({ key: 'team' }, { key: 'Team' })).toEqual(invalid(/rules\[1\]\.key "Team" already has a rule/));
    expect(await rules({ key: 'team', required: false })).toEqual(invalid(/rules\[0\] has no condition/));
    expect(await rules({ key: 'team', pattern: '(' })).toEqual(
      invalid(/rules\[0\]\.pattern "\(" is not a valid RE2 pattern: .*missing closing \)/),
    );
    expect(await rules({ key: 'team', pattern: '(a)\\1' })).toEqual(invalid(/is not a valid RE2 pattern/));
    expect(await rules({ key: 'team', pattern: '((a{100}){100}){100}' })).toEqual(
      invalid(/needs \d+ steps per character|is not a valid RE2 pattern/),
    );
    expect(await rules({ key: 'team', pattern: '(a?){1000}' })).toEqual(
      invalid(
        /rules\[0\]\.pattern "\(a\?\)\{1000\}" needs 4002 steps per character; at most 1000 are allowed; use fewer repetitions/,
      ),
    );
    expect(await rules({ key: 'team', allowed_values: ['x'.repeat(513)] })).toEqual(
      invalid(/rules\[0\]\.allowed_values\[0\] has 513 characters; at most 512/),
    );
    expect(await rules({ key: 'team', colour: 'red' })).toEqual(invalid(/colour/));
    expect(await attempt({ provider: '' })).toEqual(invalid('provider "" is not a provider'));
    expect(await attempt({ provider: ' AWS ' })).toEqual(
      invalid('provider " AWS " is not a provider; use one slug such as aws, azure, gcp or oracle'),
    );
    expect(await attempt({ account_id: unknown })).toEqual(invalid(`account_id "${unknown}" is not an account`));
    expect(await attempt({ account_id: 'x' })).toEqual(invalid('account_id "x" is not an account'));
    expect(await attempt({ resource_types: [' '] })).toEqual(invalid(/^resource_types\[0\] " " is blank/));
    expect((await team.rest('ben', 'GET', '/tag-policies')).body.data).toEqual([]);
    expect(team.jobs).toEqual([]);
  });

  it('rejects an empty update, null for required fields, and unknown ids', async () => {
    const team = await aRestrictedTeam();
    const { id } = await team.policy('ben');
    const change = (body: object, of = id) => team.rest('ben', 'PATCH', `/tag-policies/${of}`, body);
    expect(await change({})).toEqual(invalid(/./));
    expect(await change({ name: null })).toEqual(invalid('name cannot be null'));
    expect(await change({ rules: null })).toEqual(invalid('rules cannot be null'));
    expect(await change({ enabled: null })).toEqual(invalid('enabled cannot be null'));
    expect(await change({ name: 'x' }, unknown)).toEqual(notFound(unknown));
    expect(await change({ name: 'x' }, 'nonsense')).toEqual(notFound('nonsense'));
    expect((await team.rest('ben', 'DELETE', `/tag-policies/${id}`)).status).toBe(204);
    expect(await team.rest('ben', 'DELETE', `/tag-policies/${id}`)).toEqual(notFound(id));
  });

  it('is deleted once by concurrent requests', async () => {
    const team = await aRestrictedTeam();
    const { id } = await team.policy('ben');
    const all = await Promise.all([1, 2, 3].map(() => team.rest('ben', 'DELETE', `/tag-policies/${id}`)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
  });

  it('is audited under its previous and current account', async () => {
    const team = await aRestrictedTeam();
    const { one, two } = team.accounts;
    const { id } = await team.policy('ben', { account_id: one });
    await team.rest('ben', 'PATCH', `/tag-policies/${id}`, { account_id: two, resource_types: ['Disk'] });
    await team.rest('ben', 'DELETE', `/tag-policies/${id}`);
    const details = { name: 'Teams', enabled: true, keys: ['team'] };
    const changed = { ...details, changed: ['account_id', 'resource_types'] };
    const entries = await team.db.auditEntry.findMany({
      where: { action: { startsWith: 'tag_policy' } },
      orderBy: { id: 'asc' },
    });
    expect(entries.map((entry) => [entry.action, entry.accountId, entry.details])).toEqual([
      ['tag_policy_created', one, details],
      ['tag_policy_updated', one, changed],
      ['tag_policy_updated', two, changed],
      ['tag_policy_deleted', two, details],
    ]);
    expect(new Set(entries.map((entry) => entry.resourceId))).toEqual(new Set([id]));
  });

  it('passes to the Super Admin when its creator is removed, and is deleted with its account', async () => {
    const team = await aRestrictedTeam();
    await team.policy('ben', { account_id: team.accounts.one });
    await team.rest('ana', 'DELETE', `/org/members/${team.id('ben')}`);
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('ana') } });
    expect((await team.rest('ana', 'GET', '/tag-policies')).body.data).toMatchObject([{ created_by: userId }]);
    await team.rest('ana', 'DELETE', `/accounts/${team.accounts.one}?purge=true`);
    expect((await team.rest('ana', 'GET', '/tag-policies')).body.data).toEqual([]);
  });

  it('is listed newest first by default, and can be sorted and filtered', async () => {
    const team = await aRestrictedTeam();
    for (const name of ['b', 'A', 'C']) await team.policy('ben', { name, enabled: name !== 'C' });
    const names = async (query: string) =>
      (await team.rest('dan', 'GET', `/tag-policies?${query}`)).body.data?.map(({ name }: { name: string }) => name);
    expect(await names('sort_by=name')).toEqual(['A', 'b', 'C']);
    expect(await names('sort_by=-name&per_page=2')).toEqual(['C', 'b']);
    expect(await names('sort_by=name&enabled=true')).toEqual(['A', 'b']);
    expect(await names('enabled=false')).toEqual(['C']);
    expect(await team.rest('dan', 'GET', '/tag-policies?sort_by=rules')).toEqual(invalid(/sort_by/));
  });
});

describe('restricted user', () => {
  it('sees only evaluations of their accounts', async () => {
    const team = await aRestrictedTeam();
    const { id } = await team.policy('ben');
    const isEvaluating = async (name: string) => (await team.rest(name, 'GET', `/tag-policies/${id}`)).body.evaluating;
    expect([await isEvaluating('ben'), await isEvaluating('eve')]).toEqual([true, true]);
    await team.settle();
    expect([await isEvaluating('ben'), await isEvaluating('eve')]).toEqual([false, false]);
    await team.policy('ben', { account_id: team.accounts.two });
    expect([await isEvaluating('ben'), await isEvaluating('eve')]).toEqual([true, false]);
    await team.rest('ben', 'PATCH', `/tag-policies/${id}`, { enabled: false });
    expect(await isEvaluating('ben')).toBe(false);
  });

  it('sees organization-wide policies with violations of their accounts, and no policies of other accounts', async () => {
    const team = await aRestrictedTeam();
    const everywhere = await team.policy('ben', { name: 'Everywhere' });
    const there = await team.policy('ben', { name: 'There', account_id: team.accounts.two });
    await team.settle();
    const counts = async (name: string) =>
      (await team.rest(name, 'GET', '/tag-policies?sort_by=name')).body.data.map(
        (policy: { name: string; violation_count: number }) => [policy.name, policy.violation_count],
      );
    expect(await counts('ben')).toEqual([
      ['Everywhere', 2],
      ['There', 1],
    ]);
    expect(await counts('eve')).toEqual([['Everywhere', 1]]);
    expect((await team.rest('ben', 'GET', `/tag-policies/${there.id}`)).body).toMatchObject({ violation_count: 1 });
    expect((await team.rest('eve', 'GET', `/tag-policies/${everywhere.id}`)).body).toMatchObject({
      name: 'Everywhere',
      violation_count: 1,
    });
    expect(await team.rest('eve', 'GET', `/tag-policies/${there.id}`)).toEqual(notFound(there.id));
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Mine' } : undefined;
      expect(await team.rest('eve', method, `/tag-policies/${there.id}`, body)).toEqual(notFound(there.id));
      expect(await team.rest('eve', method, `/tag-policies/${everywhere.id}`, body)).toEqual(
        forbidden('applies to all accounts, and you have access to some only'),
      );
    }
  });

  it('creates and changes only policies of their accounts', async () => {
    const team = await aRestrictedTeam();
    const { one, two } = team.accounts;
    const body = { name: 'P', rules: [{ key: 'team' }] };
    expect(await team.rest('eve', 'POST', '/tag-policies', body)).toEqual(
      forbidden('you have access to some accounts only; set it to one of them'),
    );
    expect(await team.rest('eve', 'POST', '/tag-policies', { ...body, account_id: two })).toEqual(
      invalid(`account_id "${two}" is not an account of the organization`),
    );
    const { id } = await team.policy('eve', { account_id: one });
    const change = (changes: object) => team.rest('eve', 'PATCH', `/tag-policies/${id}`, changes);
    expect(await change({ account_id: null })).toEqual(
      forbidden('you have access to some accounts only; set it to one of them'),
    );
    expect(await change({ account_id: two })).toEqual(invalid('is not an account'));
    expect((await change({ name: 'Q' })).body).toMatchObject({ name: 'Q', account_id: one });
    expect(team.jobs.map(({ payload }) => payload['accountId'])).toEqual([one, one]);
  });
});

describe('violations', () => {
  it('are updated when the policy is created, changed, moved, disabled or deleted', async () => {
    const team = await aRestrictedTeam();
    const { one, two } = team.accounts;
    const found = async () => {
      await team.settle();
      const { body } = await team.rest('dan', 'GET', '/tags/violations');
      expect(body.pagination.total).toBe(body.data.length);
      return body.data.map((each: { resource: { name: string }; key: string; problem: string }) =>
        [each.resource.name, each.key, each.problem].join(' '),
      );
    };
    const { id } = await team.policy('ben');
    const change = (body: object) => team.rest('ben', 'PATCH', `/tag-policies/${id}`, body);
    expect(await found()).toEqual(['c team missing', 'a team missing']);
    await change({ rules: [{ key: 'team', allowed_values: ['blue'] }] });
    expect(await found()).toEqual(['c team missing', 'b team value_not_allowed', 'a team missing']);
    await change({ account_id: one });
    expect(await found()).toEqual(['b team value_not_allowed', 'a team missing']);
    await change({ account_id: two });
    expect(await found()).toEqual(['c team missing']);
    await change({ enabled: false });
    // Immediately, before the job has run.
    expect((await team.rest('dan', 'GET', '/tags/violations')).body.data).toEqual([]);
    expect(await found()).toEqual([]);
    await change({ enabled: true });
    expect(await found()).toEqual(['c team missing']);
    await team.rest('ben', 'DELETE', `/tag-policies/${id}`);
    expect((await team.rest('dan', 'GET', '/tags/violations')).body.pagination.total).toBe(0);
    await team.settle();
    expect(await team.db.tagViolation.count()).toBe(0);
    expect(await team.db.tagViolationCount.count()).toBe(0);
  });
});
