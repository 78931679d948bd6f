import type { McpServer } from '@modelcontextprotocol/server';
import type { Caller } from '../tools/tool.ts';
import { resources } from './registry.ts';

/** Offers every resource, as the caller sees it.
 *  @param callerOf made anew for each question, so that it holds the time of it */
export function registerResources(server: McpServer, callerOf: () => Caller): void {
  for (const { uri, name, title, description, mimeType, read } of resources)
    server.registerResource(name, uri, { title, description, mimeType }, async () => ({
      contents: [{ uri, mimeType, text: await read(callerOf()) }],
    }));
}
