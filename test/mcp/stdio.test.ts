import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { tools } from '../../src/mcp/tools/registry.ts';
import { aFakeApi, json } from './fake-api.ts';
import { eras, initialize, toolCall } from './serving.ts';

const main = path.resolve(import.meta.dirname, '../../src/mcp/main.ts');
const token = 'svc_stdiosecret';
const list = { data: [], pagination: { page: 1, per_page: 20, total: 0, total_pages: 0 } };

/** Starts the MCP server as a separate process. */
function spawnMcp(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...env, NODE_COMPILE_CACHE: inject('codeCache') },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return { child, said, exited };
}

async function saidLine(child: ChildProcess, said: { out: string }, what: RegExp): Promise<string> {
  for (;;) {
    const found = what.exec(said.out);
    if (found) return found[1] ?? found[0];
    if (child.exitCode !== null) throw new Error(`It ended: ${JSON.stringify(said)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the server over stdio', () => {
  it.each(['2025', '2026'] as const)('supports %s clients', async (era) => {
    const api = await aFakeApi(json(200, list));
    const env = { SVC_API_TOKEN: token, SVC_API_URL: api.base, LOG_LEVEL: 'info' };
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, '--stdio'],
      env,
      stderr: 'pipe',
    });
    let logged = '';
    transport.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: eras[era] });
    await client.connect(transport);
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const answer = await client.callTool({ name: 'list_budgets', arguments: {} });
    expect(answer.isError).toBeUndefined();
    expect(api.asked[0]?.headers.authorization).toBe(`Bearer ${token}`);
    await client.close();
    expect(JSON.parse(logged)).toMatchObject({ tool: 'list_budgets', outcome: 'OK' });
    expect(logged).not.toContain(token);
  });

  it('writes only protocol messages, and exits at the end of its input', async () => {
    const api = await aFakeApi(json(200, list));
    const { child, said, exited } = spawnMcp(['--stdio'], { SVC_API_TOKEN: token, SVC_API_URL: api.base });
    child.stdin.write(`${initialize}\n${toolCall('list_budgets')}\nnot json\n`);
    await saidLine(child, said, /"id":2/);
    child.stdin.end();
    expect(await exited).toBe(0);
    for (const line of said.out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it('exits on a signal', async () => {
    const { child, said, exited } = spawnMcp(['--stdio'], { SVC_API_TOKEN: token });
    child.stdin.write(`${initialize}\n`);
    await saidLine(child, said, /"id":1/);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});

describe('the command', () => {
  it('serves HTTP until a signal, and prints its address', async () => {
    const { child, said, exited } = spawnMcp([], { SVC_API_TOKEN: token, PORT: '0' });
    const address = await saidLine(child, said, /listens on (http:\/\/127\.0\.0\.1:\d+)\/mcp/);
    const answer = await fetch(`${address}/health`);
    expect(await answer.json()).toMatchObject({ status: 'degraded', tools: tools.length });
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(said.out + said.err).not.toContain(token);
  });

  it('warns when one token serves everyone on the network', async () => {
    const { child, said } = spawnMcp([], { SVC_API_TOKEN: token, PORT: '0', MCP_HOST: '0.0.0.0' });
    await saidLine(child, said, /listens on http:\/\/localhost:\d+/);
    // The warning comes through another pipe, maybe later.
    await vi.waitFor(() => expect(said.err).toMatch(/Everyone who can reach it acts as the user of SVC_API_TOKEN/));
  });

  it.each([
    [[], {}, /^SVC_API_TOKEN: set it to a Costkeep API token[^\n]*\n$/],
    [['--stdio'], { MCP_MODE: 'multi-tenant' }, /^MCP_MODE: stdio serves[^\n]*\n$/],
    [
      [],
      { SVC_API_TOKEN: token, MCP_HOST: '203.0.113.1' },
      /^Cannot listen on 203\.0\.113\.1 port 3005[^\n]*MCP_HOST or PORT\n$/,
    ],
  ])('with %o and %o exits with an error message of one line', async (args, env, message) => {
    const { said, exited } = spawnMcp(args, env);
    expect(await exited).toBe(1);
    expect(said).toEqual({ out: '', err: expect.stringMatching(message) as unknown });
  });

  it('prints its usage, and rejects other arguments', async () => {
    const help = spawnMcp(['--help'], {});
    expect(await help.exited).toBe(0);
    expect(help.said.out).toMatch(/^Usage: npm run mcp/);
    const wrong = spawnMcp(['--sdtio'], { SVC_API_TOKEN: token });
    expect(await wrong.exited).toBe(2);
    expect(wrong.said).toEqual({
      out: '',
      err: expect.stringMatching(/^"--sdtio" is not an argument\n\nUsage: npm run mcp/) as unknown,
    });
  });
});
