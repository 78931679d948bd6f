import { describe, expect, it } from 'vitest';
import { evaluateTags } from '../../src/facts/tags/evaluation/evaluate.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';
import { ruleText, shownPolicy, shownViolation } from '../../src/mcp/tools/tags.ts';
import { fillInventory } from '../facts/tags/world.ts';
import { mcpWorld, type McpWorld } from './world.ts';

interface Answer {
  readonly keys?: { readonly key: string }[];
  readonly policies?: { readonly id: string; readonly name: string }[];
  readonly violations?: { readonly resource_name: string; readonly key: string; readonly problem: string }[];
}

const policies: readonly object[] = [
  { name: 'Owners', rules: [{ key: 'owner', required: true }] },
  {
    name: 'Stages',
    rules: [{ key: 'stage', required: false, allowed_values: ['prod', 'test'], case_sensitive: true }],
    resource_types: ['Instance'],
  },
];

const longName = 'n'.repeat(3000);

async function evaluate({ deps, organizationId, accounts }: McpWorld): Promise<void> {
  const scope = orgScope(organizationId, null);
  for (const id of [accounts.prod, accounts.lab]) await evaluateTags(deps, scope, id);
}

const world = mcpWorld(async (opened) => {
  const { deps, organizationId, accounts, accessToken: token } = opened;
  await fillInventory(deps.pool, organizationId, [
    { account: accounts.prod, name: 'web', tags: { owner: 'ana', stage: 'Prod' }, cost: '30' },
    { account: accounts.prod, name: 'batch', tags: { stage: 'live' }, cost: '20' },
    { account: accounts.lab, name: longName, tags: { stage: 'test' }, cost: '10', provider: 'azure' },
  ]);
  for (const body of policies) await opened.rest('POST', '/tag-policies', { token, body });
  await evaluate(opened);
});

const ask = (args: object = {}) => world().callTool<Answer>('get_tag_compliance', args);
const broken = ({ violations = [] }: Answer) =>
  violations.map(({ resource_name: name, key, problem }) => `${name.slice(0, 5)} ${key} ${problem}`);

describe('get_tag_compliance', () => {
  it('returns tag keys, policies and violations', async () => {
    const answer = await ask();
    expect(answer.keys?.map(({ key }) => key).sort()).toEqual(['owner', 'stage', 'team']);
    // 30 days at 120.333333 and 250 once. Charges have no resource, so coverage is unknown.
    expect(answer.keys).toContainEqual({
      key: 'team',
      value_count: 3,
      resource_count: 0,
      cost_last_30_days: 3859.99999,
      currency: 'USD',
      coverage_percent: null,
    });
    expect(answer.policies).toMatchObject([
      { name: 'Stages', violation_count: 2, rules: ['stage: optional; one of "prod", "test"; case-sensitive'] },
      { name: 'Owners', violation_count: 2, rules: ['owner: required'], resource_types: [] },
    ]);
    expect(broken(answer)).toEqual([
      'web stage wrong_case',
      'batch owner missing',
      'batch stage value_not_allowed',
      'nnnnn owner missing',
    ]);
    expect(answer).toMatchObject({ totals: { keys: 3, policies: 2, violations: 4 } });
    expect(answer).not.toHaveProperty('pagination');
    expect(answer).not.toHaveProperty('truncated');
  });

  it('filters violations', async () => {
    const only = { include: ['violations'] };
    expect(broken(await ask({ ...only, tag_key: 'owner' }))).toEqual(['batch owner missing', 'nnnnn owner missing']);
    expect(broken(await ask({ ...only, problem: ['wrong_case'] }))).toEqual(['web stage wrong_case']);
    expect(broken(await ask({ ...only, account_id: [world().accounts.lab] }))).toEqual(['nnnnn owner missing']);
    const { policies: all = [] } = await ask({ include: ['policies'] });
    const stages = all.flatMap(({ id, name }) => (name === 'Stages' ? [id] : []));
    expect(broken(await ask({ ...only, policy_id: stages }))).toHaveLength(2);
  });

  it('searches keys', async () => {
    const answer = await ask({ include: ['keys'], tag_key: 'TE' });
    expect(answer).toMatchObject({ keys: [{ key: 'team' }], totals: { keys: 1 }, pagination: { total: 1 } });
    expect(answer).not.toHaveProperty('violations');
  });

  it('pages through a single section', async () => {
    const answer = await ask({ include: ['violations'], page: 2, per_page: 3 });
    expect(answer).toMatchObject({ pagination: { page: 2, per_page: 3, total: 4, total_pages: 2 } });
    expect(broken(answer)).toEqual(['nnnnn owner missing']);
    expect(await world().tryTool('get_tag_compliance', { page: 2 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('page 2 requires a single section in include: keys, policies, violations'),
    });
  });

  it('gives a hint when nothing is found', async () => {
    const violations = await ask({ include: ['violations'], tag_key: 'none' });
    expect(violations).toMatchObject({ violations: [], hint: expect.stringContaining('fewer filters') });
    expect(await ask({ include: ['keys'], tag_key: 'none' })).toMatchObject({
      keys: [],
      hint: expect.stringContaining('list_accounts'),
    });
  });

  it('gives a hint when there are no policies', async () => {
    const { accessToken: token } = world();
    const { policies: all = [] } = await ask({ include: ['policies'] });
    for (const { id } of all) await world().rest('DELETE', `/tag-policies/${id}`, { token });
    expect(await ask()).toMatchObject({ violations: [], hint: expect.stringContaining('no tag policies') });
  });
});

describe('texts of policies and violations', () => {
  const rule = { key: 'env', required: true, allowed_values: [], pattern: null, case_sensitive: false };

  it('describe a rule in words', () => {
    expect(ruleText(rule)).toBe('env: required');
    expect(ruleText({ ...rule, required: false, pattern: 'CC-\\d+', case_sensitive: true })).toBe(
      'env: optional; matches CC-\\d+; case-sensitive',
    );
  });

  it('are truncated when long', () => {
    const policy = {
      id: '1',
      name: 'Long',
      enabled: true,
      violation_count: 0,
      evaluating: false,
      provider: null,
      account_id: null,
      resource_types: ['a', 'b', 'c'],
      rules: [{ ...rule, allowed_values: ['prod'.repeat(9)] }],
    };
    expect(shownPolicy(policy, { text: 8, entries: 2 })).toMatchObject({
      resource_types: ['a', 'b', '… 1 more'],
      rules: ['env: required; …'],
    });
    const resource = { id: '1', name: longName, native_id: longName, resource_type: 'Instance', account_id: '2' };
    const costs = { cost_last_30_days: 1, currency: 'USD', other_costs: [] };
    const violation = { policy_name: 'P', key: 'k', problem: 'missing', value: null, ...costs } as const;
    const shown = shownViolation({ ...violation, resource }, { text: 60, entries: 4 });
    expect(shown).toMatchObject({ resource_name: `${'n'.repeat(59)}…`, native_id: `${'n'.repeat(59)}…`, value: null });
  });
});
