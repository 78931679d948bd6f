import { randomUUID } from 'node:crypto';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../kit/log.ts';
import { openApi } from './api/client.ts';
import { createServer, type Session } from './server.ts';
import type { Settings } from './settings.ts';

/** Serves MCP to the parent process until it closes our standard input.
 *  @param log must not write to standard output, which carries the protocol
 *  @returns a function that stops it */
export function serveStdio({ apiUrl, token }: Settings, log: Log): () => Promise<void> {
  if (token === null) throw new Error('stdio serves one user: set SVC_API_TOKEN');
  const session: Session = {
    caller: (signal) => ({
      api: openApi({ base: apiUrl, token, signal, requestId: randomUUID() }),
      now: new Date(),
    }),
    log,
    onCall: (call) => log.info(call, 'call'),
  };
  const handle = serve(() => createServer(session), {
    maxSubscriptions: 16,
    onerror: (error) => log.debug({ reason: error.message }, 'refused'),
  });
  return () => handle.close();
}
