import { describe, expect, it } from 'vitest';
import { prompts } from '../../src/mcp/prompts.ts';
import { tools } from '../../src/mcp/tools/registry.ts';
import { mcpWorld } from './world.ts';

const world = mcpWorld();

async function messageOf(name: string, args: Record<string, string> = {}): Promise<string> {
  const { messages } = await world().client.getPrompt({ name, arguments: args });
  expect(messages).toHaveLength(1);
  expect(messages[0]?.role).toBe('user');
  const content = messages[0]?.content;
  return content?.type === 'text' ? content.text : '';
}

async function suggestionsOf(name: string, argument: string, value: string): Promise<readonly string[]> {
  const ref = { type: 'ref/prompt', name } as const;
  return (await world().client.complete({ ref, argument: { name: argument, value } })).completion.values;
}

describe('prompts', () => {
  it('are listed with their optional arguments', async () => {
    const listed = (await world().client.listPrompts()).prompts;
    expect(listed.map(({ name, arguments: args }) => [name, args?.map((each) => each.name) ?? []])).toEqual([
      ['monthly_cost_review', ['month', 'account']],
      ['explain_cost_spike', ['date', 'service', 'account']],
      ['find_savings', ['account', 'goal']],
      ['check_budgets', []],
    ]);
    for (const { title, description, arguments: args } of listed) {
      expect([title, description].every((each) => (each ?? '') !== '')).toBe(true);
      expect(args?.every((each) => !each.required && (each.description ?? '') !== '') ?? true).toBe(true);
    }
  });

  it('mention only existing tools, arguments and values', () => {
    const words = new Set(prompts.flatMap((prompt) => wordsOf(prompt)));
    const schemas = JSON.stringify(tools.map((tool) => [tool.input.toJSONSchema(), tool.output.toJSONSchema()]));
    const known = new Set([...tools.map(({ name }) => name), ...(schemas.match(/\w+/g) ?? [])]);
    expect([...words].filter((word) => !known.has(word))).toEqual([]);
    expect(tools.filter(({ name }) => words.has(name)).length).toBeGreaterThan(12);
  });

  it('review the requested month, or the last complete one', async () => {
    expect(await messageOf('monthly_cost_review')).toContain('start_date 2026-10-01 and end_date 2026-10-31');
    const asked = await messageOf('monthly_cost_review', { month: '2026-02', account: 'prod' });
    expect(asked).toContain('costs for February 2026 in the account "prod"');
    expect(asked).toContain('start_date 2026-02-01 and end_date 2026-02-28');
    // Clients send blank arguments.
    expect(await messageOf('monthly_cost_review', { month: ' ' })).toContain('October 2026');
  });

  it('cover the days around a spike, but not beyond today', async () => {
    expect(await messageOf('explain_cost_spike')).toContain('list_anomalies with period last_30_days');
    const asked = await messageOf('explain_cost_spike', { date: '2026-11-18', service: 'Amazon S3' });
    expect(asked).toContain('around 2026-11-18 for "Amazon S3"');
    expect(asked).toContain('start_date 2026-11-04 and end_date 2026-11-21');
    expect(asked).toContain('service ["Amazon S3"]');
  });

  it('include goal and account', async () => {
    expect(await messageOf('find_savings', { goal: '500 USD' })).toContain('by "500 USD"');
    expect(await messageOf('find_savings', { account: 'lab' })).toContain('Take the id of the account');
    expect(await messageOf('check_budgets')).toContain('list_budgets');
  });

  it.each([
    ['monthly_cost_review', { month: 'October' }, 'use YYYY-MM'],
    ['monthly_cost_review', { month: '2027-01' }, 'has not begun'],
    ['explain_cost_spike', { date: '2026-02-30' }, 'is not a valid date'],
    ['explain_cost_spike', { service: 'x'.repeat(301) }, '300'],
  ])('%s rejects %j', async (name, args, remedy) => {
    await expect(messageOf(name, args as Record<string, string>)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(remedy),
    });
  });

  it('suggest months, days, services and accounts', async () => {
    expect(await suggestionsOf('monthly_cost_review', 'month', '')).toHaveLength(12);
    expect(await suggestionsOf('monthly_cost_review', 'month', '2026-1')).toEqual(['2026-10']);
    expect(await suggestionsOf('explain_cost_spike', 'date', '2026-11-2')).toEqual(['2026-11-21', '2026-11-20']);
    expect(await suggestionsOf('explain_cost_spike', 'service', 'amazon')).toEqual([
      'Amazon Elastic Compute Cloud',
      'Amazon S3',
    ]);
    expect(await suggestionsOf('find_savings', 'account', 'PRO')).toEqual(['prod']);
    expect(await suggestionsOf('find_savings', 'goal', '5')).toEqual([]);
  });
});

/** Words that look like names of tools, arguments or values. */
function wordsOf(prompt: (typeof prompts)[number]): string[] {
  const now = new Date('2026-11-21T10:00:00Z');
  const args = Object.fromEntries(Object.keys(prompt.args).map((name) => [name, 'x']));
  const given = {
    ...args,
    ...('month' in args && { month: '2026-10' }),
    ...('date' in args && { date: '2026-11-10' }),
  };
  const texts = [prompt.message({}, now), prompt.message(given, now)];
  return texts.flatMap((text) => text.match(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g) ?? []);
}
