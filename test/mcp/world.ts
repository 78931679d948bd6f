import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { openLog } from '../../src/kit/log.ts';
import { addDays, type Day } from '../../src/kit/time/period.ts';
import { openApi } from '../../src/mcp/api/client.ts';
import { createServer } from '../../src/mcp/server.ts';
import { bill, type Charge } from '../support/bills.ts';
import { worldOfFile, type World } from '../support/world.ts';

/** The current time of every world. */
export const now = new Date('2026-11-21T10:00:00.000Z');

/** The answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** The text for the model; for an error of this server `{ error, hint }`. */
  readonly text: string;
  /** The structured content; null for an error. */
  readonly data: Record<string, unknown>;
}

/** A Costkeep server with an organization and sample costs, and an MCP server. */
export interface McpWorld extends World {
  readonly organizationId: string;
  /** Ids of its cloud accounts. */
  readonly accounts: { readonly prod: string; readonly lab: string };
  /** The access token of the Super Admin. */
  readonly accessToken: string;
  /** The API token of the MCP server. */
  readonly token: string;
  readonly client: Client;
  /** Calls a tool, and checks that its answer matches the output schema and the text.
   *  @throws {Error} with the tool's error text */
  callTool<Data = Record<string, unknown>>(name: string, args?: object): Promise<Data>;
  /** Calls a tool that may return an error. */
  tryTool(name: string, args?: object): Promise<ToolAnswer>;
}

/** Opens one world for all tests of a file; `fill` adds data before the first test. */
export function mcpWorld(fill?: (world: McpWorld) => Promise<void>): () => McpWorld {
  const world = worldOfFile({ clock: { now: () => now } });
  let opened: { world: McpWorld; close: () => Promise<void> } | undefined;
  beforeAll(async () => {
    opened = await open(world());
    await fill?.(opened.world);
  });
  afterAll(() => opened?.close());
  return () => {
    if (!opened) throw new Error('The world is not open yet; use it in a test');
    return opened.world;
  };
}

async function open(world: World) {
  const { token: accessToken } = await world.register();
  const { organizationId } = await world.deps.db.membership.findFirstOrThrow({ where: { role: 'super_admin' } });
  const accounts = { prod: randomUUID(), lab: randomUUID() };
  await billSample(world, organizationId, accounts);
  const made = await world.rest<{ token: string }>('POST', '/auth/tokens', {
    token: accessToken,
    body: { name: 'mcp' },
  });
  const { token } = made.body;
  const { client, close } = await connectTo(world.url, token);
  return {
    world: { ...world, organizationId, accounts, accessToken, token, client, ...(await callsOf(client)) },
    close,
  };
}

/** Opens an SDK client and an MCP server with this token, in this process. */
export async function connectTo(url: string, token: string) {
  const base = `${url}/api/v1`;
  const handler = createMcpHandler(() =>
    createServer({
      caller: (signal) => ({ api: openApi({ base, token, signal }), now }),
      log: openLog('silent'),
      onCall: () => {},
    }),
  );
  const transport = new StreamableHTTPClientTransport(new URL('http://mcp.test/mcp'), {
    fetch: (at, init) => handler.fetch(new Request(at, init)),
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  const close = async () => {
    await client.close();
    await handler.close();
  };
  return { client, close };
}

/** Functions to call tools through a client, checking each answer. */
export async function callsOf(client: Client): Promise<Pick<McpWorld, 'callTool' | 'tryTool'>> {
  const ajv = new AjvJsonSchemaValidator();
  const { tools } = await client.listTools();
  const validators = new Map(tools.map((tool) => [tool.name, ajv.getValidator(tool.outputSchema as object)]));
  const tryTool: McpWorld['tryTool'] = async (name, args = {}) => {
    const answer = await client.callTool({ name, arguments: { ...args } });
    const content = answer.content as { type: string; text: string }[];
    expect(content.map(({ type }) => type)).toEqual(['text']);
    const text = content[0]?.text ?? '';
    if (answer.isError === true) return { isError: true, text, data: {} };
    const fits = validators.get(name)?.(answer.structuredContent);
    expect(fits?.valid, `${name}: ${fits?.errorMessage ?? 'no such tool'}`).toBe(true);
    expect(JSON.parse(text)).toEqual(answer.structuredContent);
    expect(text.length, `characters of ${name}`).toBeLessThan(60_000);
    return { isError: false, text, data: answer.structuredContent as Record<string, unknown> };
  };
  const callTool = async <Data>(name: string, args?: object) => {
    const answer = await tryTool(name, args);
    if (answer.isError) throw new Error(`${name} returned an error: ${answer.text}`);
    return answer.data as Data;
  };
  return { callTool, tryTool };
}

const [firstDay, lastDay] = ['2026-08-01', '2026-11-19'] as const;

const machinesOnAzure = {
  cost: '20',
  provider: 'azure',
  service: 'Virtual Machines',
  region: 'westeurope',
  subAccount: 'lab-1',
  tags: { team: 'lab' },
};

/** The sample costs per day from August 1 to November 19, 2026: in `prod` EC2 100, S3 10.25 and Lambda 0.333333, in `lab`
 *  Virtual Machines 20. November 10 has another 250 of EC2 in `prod`. */
function sampleCharges(accounts: McpWorld['accounts']): Charge[] {
  const { prod, lab } = accounts;
  const charges: Charge[] = [];
  for (let date: Day = firstDay; date <= lastDay; date = addDays(date, 1)) {
    charges.push({ account: prod, date, cost: '100', tags: { team: 'web' } });
    charges.push({
      account: prod,
      date,
      cost: '10.25',
      service: 'Amazon S3',
      serviceCategory: 'Storage',
      region: 'us-east-1',
    });
    charges.push({ account: prod, date, cost: '0.333333', service: 'AWS Lambda', tags: { team: 'jobs' } });
    charges.push({ ...machinesOnAzure, account: lab, date });
  }
  charges.push({ account: prod, date: '2026-11-10', cost: '250', tags: { team: 'web' } });
  return charges;
}

async function billSample(world: World, organizationId: string, accounts: McpWorld['accounts']): Promise<void> {
  await bill(world.deps, organizationId, {
    charges: sampleCharges(accounts),
    completeThrough: { [accounts.prod]: lastDay, [accounts.lab]: lastDay },
  });
  for (const [name, id] of Object.entries(accounts))
    await world.deps.pool.query('UPDATE accounts SET name = $2 WHERE id = $1', [id, name]);
}
