import { describe, expect, it } from 'vitest';
import { mcpWorld } from './world.ts';

const world = mcpWorld();

const changing = { update_recommendation: true, update_anomaly: true, create_budget: false, generate_report: false };

describe('the list of tools', () => {
  it('has the 21 tools with title, description, schemas and annotations', async () => {
    const { tools } = await world().client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'get_cost_summary',
      'get_cost_breakdown',
      'get_daily_costs',
      'get_cost_trend',
      'list_resources',
      'get_inventory_summary',
      'list_recommendations',
      'get_recommendation',
      'get_recommendations_summary',
      'update_recommendation',
      'list_anomalies',
      'get_anomaly',
      'update_anomaly',
      'list_budgets',
      'create_budget',
      'get_forecast',
      'get_coverage',
      'get_commitment_plan',
      'get_tag_compliance',
      'generate_report',
      'list_accounts',
    ]);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      const idempotent = Object.entries(changing).find(([tool]) => tool === name)?.[1];
      expect(annotations, name).toEqual({
        readOnlyHint: idempotent === undefined,
        destructiveHint: false,
        idempotentHint: idempotent ?? true,
        openWorldHint: false,
      });
      expect(title, name).toMatch(/^[A-Z][\w -]{3,40}$/);
      expect(description?.length, name).toBeGreaterThan(60);
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema, name).toMatchObject({ type: 'object', properties: { as_of: { type: 'string' } } });
    }
  });

  it('takes less than 12,000 tokens', async () => {
    const { tools } = await world().client.listTools();
    // Tokenizers need one token per 4.0 to 4.4 characters of this text.
    expect(JSON.stringify(tools).length).toBeLessThan(48_000);
  });

  it('mentions only existing tools', async () => {
    const { tools } = await world().client.listTools();
    const names = new Set(tools.map(({ name }) => name));
    const named = JSON.stringify(tools).matchAll(/\b(?:get|list|update|create|generate)_[a-z_]*[a-z]\b/g);
    expect([...named].map(([name]) => name).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('a tool call', () => {
  it.each([
    [{ perion: 'last_month' }, /^"perion" is not a known argument: use .*period/],
    [{ period: 'yesterday' }, /^period must be one of last_7_days, .*, not "yesterday"$/],
    [{ start_date: '2026-02-30' }, /^start_date must be a date as YYYY-MM-DD, not "2026-02-30"$/],
    [{ service: 'Amazon S3' }, /^service must be a list, not "Amazon S3"$/],
    [{ period: 'last_month', start_date: '2026-01-01' }, /period "last_month" cannot be combined with start_date/],
  ])('with invalid arguments such as %o results in an error with the remedy', async (args, message) => {
    const answer = await world().tryTool('get_cost_summary', args);
    expect(answer.isError).toBe(true);
    const { error, hint } = JSON.parse(answer.text) as { error: { code: string; message: string }; hint: string };
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) as unknown });
    expect(hint).toBe(`Correct ${Object.keys(args)[0]}`);
  });

  it('does not repeat long arguments in the error', async () => {
    const answer = await world().tryTool('get_cost_trend', { end_month: '9'.repeat(10_000) });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('end_month') });
    expect(answer.text.length).toBeLessThan(1500);
  });

  it('of an unknown tool is a protocol error', async () => {
    await expect(world().client.callTool({ name: 'delete_account', arguments: {} })).rejects.toThrow(/delete_account/);
  });

  it('passes on code, message and request id of an API error', async () => {
    const answer = await world().tryTool('get_anomaly', { anomaly_id: '01933333-0000-7000-8000-000000000000' });
    expect(JSON.parse(answer.text)).toEqual({
      error: {
        code: 'NOT_FOUND',
        message: expect.stringContaining('not found') as unknown,
        status: 404,
        request_id: expect.any(String) as unknown,
      },
      hint: 'Use an id from a new list call',
    });
  });
});
