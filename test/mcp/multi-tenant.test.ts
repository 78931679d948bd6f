import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { bill } from '../support/bills.ts';
import { aServedMcp, toolCall } from './serving.ts';
import { mcpWorld } from './world.ts';

const world = mcpWorld();

/** A user of another organization, with an API token and a cloud account. */
async function anotherUser(email: string) {
  const { deps, register, rest } = world();
  const { token: accessToken } = await register({ email });
  const made = await rest<{ token: string }>('POST', '/auth/tokens', { token: accessToken, body: { name: 'x' } });
  const { organizationId } = await deps.db.membership.findFirstOrThrow({ where: { user: { email } } });
  const account = randomUUID();
  await bill(deps, organizationId, { charges: [], completeThrough: { [account]: null } });
  return { token: made.body.token, account };
}

interface Answer {
  readonly result: { readonly structuredContent: { readonly data: { readonly id: string }[] } };
}

it('isolates two users over 1,000 concurrent calls', async () => {
  const users = [await anotherUser('red@example.com'), await anotherUser('blue@example.com')];
  const mcp = await aServedMcp({ MCP_MODE: 'multi-tenant', SVC_API_URL: world().url });
  const call = async ({ token, account }: (typeof users)[number]) => {
    const { text } = await mcp.raw({
      body: toolCall('list_accounts'),
      headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    });
    const answer = JSON.parse(text.replace(/^event: message\ndata: /, '')) as Answer;
    return { account, seen: answer.result.structuredContent.data.map(({ id }) => id) };
  };
  const calls = Array.from({ length: 500 }, () => users.map(call)).flat();
  const answers = await Promise.all(calls);
  expect(answers).toHaveLength(1_000);
  for (const { account, seen } of answers) expect(seen).toEqual([account]);
  for (const { token } of users) expect(mcp.logged()).not.toContain(token);
  expect(mcp.log.filter(({ outcome }) => outcome === 'OK')).toHaveLength(1_000);
}, 60_000);

it('rejects a token after it is revoked', async () => {
  const { token: accessToken } = await world().register({ email: 'gone@example.com' });
  const made = await world().rest<{ id: string; token: string }>('POST', '/auth/tokens', {
    token: accessToken,
    body: { name: 'x' },
  });
  const mcp = await aServedMcp({ MCP_MODE: 'multi-tenant', SVC_API_URL: world().url });
  const client = await mcp.client(made.body.token);
  const before = await client.callTool({ name: 'list_budgets', arguments: {} });
  expect(before.isError).toBeUndefined();
  await world().rest('DELETE', `/auth/tokens/${made.body.id}`, { token: accessToken });
  const after = await client.callTool({ name: 'list_budgets', arguments: {} });
  expect(JSON.stringify(after.content)).toContain('UNAUTHORIZED');
});

it('returns FORBIDDEN when a read-only token calls a tool that changes something', async () => {
  const made = await world().rest<{ token: string }>('POST', '/auth/tokens', {
    token: world().accessToken,
    body: { name: 'reader', read_only: true },
  });
  const mcp = await aServedMcp({ MCP_MODE: 'multi-tenant', SVC_API_URL: world().url });
  const client = await mcp.client(made.body.token);
  const answer = await client.callTool({ name: 'create_budget', arguments: { name: 'Cloud', amount: 5 } });
  expect(answer.isError).toBe(true);
  expect(JSON.stringify(answer.content)).toContain('FORBIDDEN');
});
