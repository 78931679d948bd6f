import type { McpServer } from '@modelcontextprotocol/server';
import type { Session } from '../session.ts';

/** Adds every resource.
 *  @param session whose answers live ones are */
export function registerResources(_server: McpServer, _session: Session): void {}
