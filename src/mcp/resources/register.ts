import { ProtocolError, ProtocolErrorCode, type McpServer } from '@modelcontextprotocol/server';
import { failureOf } from '../errors.ts';
import type { Session } from '../session.ts';
import { resources } from './registry.ts';
import type { Resource } from './resource.ts';

/** Offers every resource, as the caller sees it. */
export function registerResources(server: McpServer, session: Session): void {
  for (const resource of resources) {
    const { uri, name, title, description, mimeType } = resource;
    server.registerResource(name, uri, { title, description, mimeType }, async (_, ctx) => ({
      contents: [{ uri, mimeType, text: await read(resource, session, ctx.mcpReq.signal) }],
    }));
  }
}

async function read(resource: Resource, session: Session, signal: AbortSignal): Promise<string> {
  try {
    return await resource.read(session.caller(signal));
  } catch (error) {
    const { code, status, message } = failureOf(error);
    if (code === 'INTERNAL_ERROR' && status === null)
      session.log.error({ err: error, resource: resource.uri }, 'a resource failed');
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`);
  }
}
