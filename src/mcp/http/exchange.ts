import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { jsonOf } from '../api/failure.ts';
import type { Log } from '../../kit/log.ts';
import { openApi } from '../api/client.ts';
import type { Limiter } from '../../kit/process/limiter.ts';
import { type CallOutcome, createServer, type Session } from '../server.ts';

const rpcMessage = z.object({ method: z.string().max(100) });

/** Protocols of early 2025 may send several messages at once. */
const mostMessages = 8;

/** What a body asks for; whether it may is the SDK's to say. */
function messagesOf(text: string): { readonly method: string | null; readonly isTooMany: boolean } {
  const body = jsonOf(text);
  if (Array.isArray(body)) return { method: 'batch', isTooMany: body.length > mostMessages };
  const read = rpcMessage.safeParse(body);
  return { method: read.success ? read.data.method : null, isTooMany: false };
}

/** Arguments of the tools take a few kilobytes. */
const maxBodyBytes = 256 * 1024;

/** What requests work with; none of it is anybody's. */
export interface ExchangeDeps {
  readonly apiUrl: string;
  readonly queue: Limiter;
  readonly log: Log;
  /** Says when a stream of notifications opens, and how to end it.
   *  @returns called when it has ended; null: there are too many */
  readonly openStream: (owner: string, end: () => void) => (() => void) | null;
}

/** What the log tells about a request: nothing of what was said in it. */
export interface RequestRecord {
  readonly requestId: string;
  rpc: string | null;
  readonly calls: CallOutcome[];
}

/** Answers one request. Its token lives here, for as long as it takes. */
export async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  { token, record, deps }: { token: string; record: RequestRecord; deps: ExchangeDeps },
): Promise<void> {
  const report = (error: Error) => deps.log.debug({ requestId: record.requestId, reason: error.message }, 'refused');
  const handler = createMcpHandler(() => createServer(sessionOf(token, record, deps)), { onerror: report });
  const reply = async (request: Request): Promise<Response> => {
    const text = await request.text();
    const messages = messagesOf(text);
    record.rpc = messages.method;
    if (messages.isTooMany)
      return rpcError(400, -32_600, `A batch can contain at most ${mostMessages} messages: send fewer at a time`);
    const isStream = messages.method === 'subscriptions/listen';
    const ended = isStream ? deps.openStream(token, () => void handler.close()) : () => {};
    if (!ended) return rpcError(503, -32_603, 'Too many notification streams are open: close one first');
    res.once('close', ended);
    const { url, method, headers, signal } = request;
    return handler.fetch(new Request(url, { method, headers, signal, body: text }));
  };
  await toNodeHandler({ fetch: reply }, { onerror: report, maxRequestBodySize: maxBodyBytes })(req, res);
}

function sessionOf(token: string, record: RequestRecord, { apiUrl, queue, log }: ExchangeDeps): Session {
  const { requestId } = record;
  return {
    caller: (signal) => ({ api: openApi({ base: apiUrl, token, requestId, signal, queue }), now: new Date() }),
    log: log.child({ requestId }),
    onCall: (call) => void record.calls.push(call),
  };
}

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
