import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tools } from '../../src/mcp/tools/registry.ts';

interface Example {
  readonly mcpServers: {
    readonly costkeep: { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
  };
}

const root = path.resolve(import.meta.dirname, '../..');
const read = () => JSON.parse(readFileSync(path.join(root, '.mcp.json'), 'utf8')) as Example;

/** Expands `${NAME}` and `${NAME:-default}` like Claude Code. */
function filledIn(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, fallback = '') => env[name] ?? fallback);
}

async function connect(args: string[], cwd: string): Promise<Client> {
  const { command, env } = read().mcpServers.costkeep;
  const filled = Object.entries(env).map(([name, value]) => [name, filledIn(value, { SVC_API_TOKEN: 'svc_example' })]);
  const transport = new StdioClientTransport({
    command,
    args,
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(filled) },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

const names = tools.map(({ name }) => name);

it('starts the server with the .mcp.json of this repository', async () => {
  const client = await connect(read().mcpServers.costkeep.args, root);
  const listed = await client.listTools();
  expect(listed.tools.map(({ name }) => name)).toEqual(names);
});

it('starts the server from another folder with the command in docs/mcp.md', async () => {
  const page = readFileSync(path.join(root, 'docs/mcp.md'), 'utf8');
  const args = /"args": (\[.+\])/.exec(page)?.[1] ?? '[]';
  const client = await connect(JSON.parse(args.replace('/srv/costkeep', root)) as string[], path.parse(root).root);
  const listed = await client.listTools();
  expect(listed.tools.map(({ name }) => name)).toEqual(names);
});
