import type { McpServer } from '@modelcontextprotocol/server';
import type { Session } from '../session.ts';

/** Adds every prompt.
 *  @param session for completions that ask the API */
export function registerPrompts(_server: McpServer, _session: Session): void {}
