import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { openLog } from '../../src/kit/log.ts';
import { addDays, type Day } from '../../src/kit/period.ts';
import { openApi } from '../../src/mcp/api/client.ts';
import { createServer } from '../../src/mcp/server.ts';
import { bill, type Charge } from '../support/bills.ts';
import { worldOfFile, type World } from '../support/world.ts';

/** What the clock of every world here says. */
export const now = new Date('2026-11-21T10:00:00.000Z');

/** An answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** What the model reads: of an error, `{ error, hint }` where the server made it. */
  readonly text: string;
  /** The structured answer; null for an error. */
  readonly data: Record<string, unknown>;
}

/** A Costkeep with an organization and its sample costs, and an MCP server in front of it. */
export interface McpWorld extends World {
  readonly organizationId: string;
  /** Ids of its cloud accounts. */
  readonly accounts: { readonly prod: string; readonly lab: string };
  /** The Super Admin's. */
  readonly accessToken: string;
  /** The API token that the MCP server has. */
  readonly token: string;
  readonly client: Client;
  /** Calls a tool as a client does, and checks that its answer fits its output schema and is the same as text.
   *  @throws {Error} with what the tool said, when it is an error */
  callTool<Data = Record<string, unknown>>(name: string, args?: object): Promise<Data>;
  /** Calls a tool that may answer an error. */
  tryTool(name: string, args?: object): Promise<ToolAnswer>;
}

/** One for all tests of a file; `fill` adds to it before the first. */
export function mcpWorld(fill?: (world: McpWorld) => Promise<void>): () => McpWorld {
  const world = worldOfFile({ clock: { now: () => now } });
  let opened: { world: McpWorld; close: () => Promise<void> } | undefined;
  beforeAll(async () => {
    opened = await open(world());
    await fill?.(opened.world);
  });
  afterAll(() => opened?.close());
  return () => {
    if (!opened) throw new Error('The world opens before the first test');
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

/** A client of the SDK and an MCP server with this token, in this process. */
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

/** Calls through a client, each answer checked. */
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
    if (answer.isError) throw new Error(`${name} answered an error: ${answer.text}`);
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

/** What the sample costs: each day of `prod` 100 for machines, 10.25 for storage and 0.333333 for functions, and of `lab` 20
 *  for machines on Azure, from 1 August to 19 November 2026. 10 November has 250 more of machines in `prod`. */
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
