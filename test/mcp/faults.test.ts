import { describe, expect, it } from 'vitest';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { openLog } from '../../src/kit/log.ts';
import { createServer } from '../../src/mcp/server.ts';
import { aFakeApi, json, refusing, type FakeApi } from './fake-api.ts';
import { aServedMcp, toolCall } from './serving.ts';

interface ToolError {
  readonly error: { code: string; message: string; status: number | null; retry_after_s?: number; request_id?: string };
  readonly hint: string;
}

const token = 'svc_faultysecret';

/** The error of a tool as shown to the model, for an API with the given behaviour. */
async function errorOf(api: Pick<FakeApi, 'base'>, tool = 'list_budgets', args: object = {}): Promise<ToolError> {
  const mcp = await aServedMcp({ SVC_API_TOKEN: token, SVC_API_URL: api.base });
  const client = await mcp.client();
  const answer = await client.callTool({ name: tool, arguments: { ...args } });
  expect(answer).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  expect(answer.structuredContent).toBeUndefined();
  const [content] = answer.content as { text: string }[];
  expect(content?.text).not.toContain(token);
  expect(mcp.logged()).not.toContain(token);
  return JSON.parse(content?.text ?? '') as ToolError;
}

describe('a tool call', () => {
  it('states the remedy when the API is unreachable', async () => {
    const { error, hint } = await errorOf({ base: 'http://127.0.0.1:9/api/v1' });
    expect(error).toMatchObject({ code: 'API_UNREACHABLE', status: null });
    expect(error.message).toMatch(/127\.0\.0\.1:9\/api\/v1 cannot be reached .* correct SVC_API_URL/);
    expect(hint).toMatch(/Tell the user/);
  });

  it.each([
    [401, 'UNAUTHORIZED', /must create a new one/],
    [403, 'FORBIDDEN', /does not allow this/],
    [403, 'TWO_FACTOR_SETUP_REQUIRED', /second factor/],
    [404, 'NOT_FOUND', /new list call/],
    [409, 'CONFLICT', /Read the current state/],
    [500, 'INTERNAL_ERROR', /include the request id/],
    [503, 'SERVICE_UNAVAILABLE', /retry in 30 s/],
  ])('passes on %i %s with a hint', async (status, code, hinted) => {
    const { error, hint } = await errorOf(await aFakeApi(refusing(status, code, 'In its words')));
    expect(error).toEqual({ code, message: 'In its words', status, request_id: 'req-12345678' });
    expect(hint).toMatch(hinted);
  });

  it('states when to retry after 429', async () => {
    const api = await aFakeApi(refusing(429, 'RATE_LIMITED', 'Too many', { 'retry-after': '23' }));
    const { error, hint } = await errorOf(api);
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retry_after_s: 23 });
    expect(hint).toContain('Wait 23 s');
  });

  it('reports a server other than Costkeep', async () => {
    const page = await aFakeApi((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    expect((await errorOf(page)).error.code).toBe('API_UNEXPECTED_ANSWER');
    const other = await aFakeApi(json(200, { data: 'no list' }));
    expect((await errorOf(other)).error.code).toBe('API_UNEXPECTED_ANSWER');
  });

  it.each([
    [400, /^Tell the user; an immediate retry/],
    [401, /^Tell the user; an immediate retry/],
    [404, /^Tell the user; an immediate retry/],
    [502, /is starting or unavailable: retry in 30 s/],
    [504, /is starting or unavailable: retry in 30 s/],
  ])('does not treat %i of a server other than Costkeep as an API error', async (status, hinted) => {
    const api = await aFakeApi((_req, res) => res.writeHead(status, { 'content-type': 'text/html' }).end('<html>'));
    expect((await errorOf(api)).hint).toMatch(hinted);
  });

  it('warns that a change may have been made when the connection breaks', async () => {
    const api = await aFakeApi((req) => void req.socket.destroy());
    const { error } = await errorOf(api, 'create_budget', { name: 'Cloud', amount: 5 });
    expect(error.message).toContain('It is unknown whether the change was made');
    expect(api.asked).toHaveLength(1);
  });

  it('logs an internal error without revealing it', async () => {
    let logged = '';
    const log = openLog('error', { write: (line) => void (logged += line) });
    const outcomes: string[] = [];
    const session = {
      caller: () => {
        throw new Error('a defect with innards');
      },
      log,
      onCall: ({ outcome }: { outcome: string }) => void outcomes.push(outcome),
    };
    const handler = createMcpHandler(() => createServer(session));
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = toolCall('list_budgets');
    const answer = await handler.fetch(new Request('http://x/mcp', { method: 'POST', headers, body }));
    const text = await answer.text();
    expect(text).toContain('INTERNAL_ERROR');
    expect(text).not.toContain('innards');
    expect(logged).toContain('a defect with innards');
    expect(outcomes).toEqual(['INTERNAL_ERROR']);
  });
});

it('cancels the API request when the client disconnects', async () => {
  const gone = Promise.withResolvers<void>();
  const api = await aFakeApi((_req, res) => void res.once('close', () => gone.resolve()));
  const mcp = await aServedMcp({ SVC_API_TOKEN: token, SVC_API_URL: api.base });
  const client = await mcp.client();
  const caller = new AbortController();
  const call = client.callTool({ name: 'list_budgets', arguments: {} }, { signal: caller.signal });
  while (api.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  caller.abort();
  await expect(call).rejects.toThrow(/abort/i);
  await gone.promise;
});
