import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { mapConcurrently } from '../../src/kit/limiter.ts';
import { prompts } from '../../src/mcp/prompts/registry.ts';
import { tools } from '../../src/mcp/tools/registry.ts';
import { aServedMcp } from './serving.ts';
import { mcpWorld } from './world.ts';

// The MCP Inspector, as somebody who looks at our server starts it.

const world = mcpWorld();
const root = path.resolve(import.meta.dirname, '../..');
const inspector = path.join(root, 'node_modules/.bin/mcp-inspector');
const home = mkdtempSync(path.join(tmpdir(), 'costkeep-inspector-'));
afterAll(() => rmSync(home, { recursive: true }));

interface Inspected {
  readonly exit: number;
  readonly out: Record<string, unknown>;
  readonly err: string;
}

function inspect(target: readonly string[], ...more: readonly string[]): Promise<Inspected> {
  const { promise, resolve } = Promise.withResolvers<Inspected>();
  const env = { HOME: home, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };
  execFile(inspector, ['--cli', ...target, ...more], { env, cwd: root }, (error, stdout, err) => {
    const exit = error === null ? 0 : Number(error.code);
    resolve({ exit, out: JSON.parse(stdout || '{}') as Inspected['out'], err });
  });
  return promise;
}

/** How to reach a server with the world behind it, in both ways. */
async function targets() {
  const env = { SVC_API_TOKEN: world().token, SVC_API_URL: world().url };
  const mcp = await aServedMcp({ MCP_MODE: 'multi-tenant', SVC_API_URL: world().url });
  const set = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return {
    http: [`${mcp.url}/mcp`, '--header', `Authorization: Bearer ${env.SVC_API_TOKEN}`],
    stdio: ['node', 'src/mcp/main.ts', '--stdio', ...set],
  };
}

const unknown = '01933333-0000-7000-8000-000000000000';

/** Arguments of tools that need some, and the code of the error that they then answer. */
const needed: Readonly<Record<string, { readonly args: readonly string[]; readonly code?: string }>> = {
  get_cost_breakdown: { args: ['group_by=["service"]', 'service=["Amazon S3"]'] },
  get_recommendation: { args: [`recommendation_id=${unknown}`], code: 'NOT_FOUND' },
  update_recommendation: { args: [`recommendation_id=${unknown}`, 'snooze_days=7'], code: 'NOT_FOUND' },
  get_anomaly: { args: [`anomaly_id=${unknown}`], code: 'NOT_FOUND' },
  update_anomaly: { args: [`anomaly_id=${unknown}`, 'status=acknowledged'], code: 'NOT_FOUND' },
  create_budget: { args: ['name=Cloud', 'amount=100'] },
  generate_report: { args: ['type=budgets', 'format=csv'] },
};

// A report is made by a worker, which there is none of here: the tool waits for it in vain.
const called = tools.map(({ name }) => name).filter((name) => name !== 'generate_report');

it('lists everything over both transports, and has no error to report about a schema', async () => {
  const { http, stdio } = await targets();
  for (const target of [http, stdio]) {
    const listed = await inspect(target, '--method', 'tools/list', '--strict');
    expect(listed.exit).toBe(0);
    expect((listed.out['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    // Of what models are told to send, it has not even a warning.
    expect(listed.err).not.toContain('Path: inputSchema');
  }
  expect((await inspect(http, '--method', 'prompts/list')).out['prompts']).toHaveLength(prompts.length);
  const resource = await inspect(stdio, '--method', 'resources/read', '--uri', 'costkeep://glossary');
  expect(JSON.stringify(resource.out)).toContain('text/markdown');
}, 60_000);

it('calls every tool, over one transport or the other', async () => {
  const { http, stdio } = await targets();
  const calls = called.map((name, index) => ({ name, target: index % 2 === 0 ? http : stdio }));
  await mapConcurrently(calls, 2, async ({ name, target }) => {
    const { args = [], code } = needed[name] ?? {};
    const given = args.length === 0 ? [] : ['--tool-arg', ...args];
    const { out } = await inspect(target, '--method', 'tools/call', '--tool-name', name, ...given);
    if (code === undefined)
      expect(out, name).toMatchObject({ structuredContent: { as_of: expect.any(String) as unknown } });
    else expect(JSON.stringify(out), name).toContain(`\\"code\\":\\"${code}\\"`);
  });
}, 120_000);
