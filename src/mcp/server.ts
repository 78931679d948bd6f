import { McpServer, type CallToolResult, type ServerContext, type ToolAnnotations } from '@modelcontextprotocol/server';
import { failureOf, toolError } from './errors.ts';
import { registerPrompts } from './prompts/register.ts';
import { registerResources } from './resources/register.ts';
import type { Session } from './session.ts';
import { tools } from './tools/registry.ts';
import type { AnyTool, Effect } from './tools/tool.ts';
import { argumentsOf, onTheWire } from './tools/wire.ts';
import { version } from './version.ts';

/** How clients are told what a tool does. The world is closed: it is Costkeep's data. */
const hints: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  update: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
};

const instructions =
  "Costs, inventory, savings and anomalies of the organization's clouds. All amounts have a currency, days " +
  'are UTC and inclusive, and complete_through is the last day with complete costs: later days can still ' +
  'increase.';

/** A server with every tool, prompt and resource, for one session. */
export function createServer(session: Session): McpServer {
  const server = new McpServer({ name: 'costkeep', title: 'Costkeep', version }, { instructions });
  for (const tool of tools) registerTool(server, session, tool);
  registerPrompts(server, session);
  registerResources(server, session);
  return server;
}

function registerTool(server: McpServer, session: Session, tool: AnyTool): void {
  const { name, title, description, effect } = tool;
  const inputSchema = onTheWire(tool.input, 'input');
  const outputSchema = onTheWire(tool.output, 'output');
  server.registerTool(
    name,
    { title, description, inputSchema, outputSchema, annotations: hints[effect] },
    (args, ctx) => call(session, tool, args, ctx),
  );
}

async function call(session: Session, tool: AnyTool, given: unknown, ctx: ServerContext): Promise<CallToolResult> {
  const start = performance.now();
  const report = (outcome: string) =>
    session.onCall({ tool: tool.name, outcome, ms: Math.round(performance.now() - start) });
  try {
    const args = argumentsOf(tool.input, given);
    // They are what its schema makes of them.
    const answer = await tool.run(session.caller(ctx.mcpReq.signal), args as never);
    const structuredContent = tool.output.parse(answer);
    report('OK');
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'INTERNAL_ERROR' && failure.status === null)
      session.log.error({ err: error, tool: tool.name }, 'a tool failed');
    report(failure.code);
    return toolError(failure);
  }
}
