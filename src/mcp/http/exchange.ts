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

/** Protocol versions of early 2025 allow batches of messages. */
const mostMessages = 8;

/** The method of a request body; the SDK validates it. */
function messagesOf(text: string): { readonly method: string | null; readonly isTooMany: boolean } {
  const body = jsonOf(text);
  if (Array.isArray(body)) return { method: 'batch', isTooMany: body.length > mostMessages };
  const read = rpcMessage.safeParse(body);
  return { method: read.success ? read.data.method : null, isTooMany: false };
}

/** Maximum body size in bytes; tool arguments take a few kilobytes. */
const maxBodyBytes = 256 * 1024;

/** Dependencies shared by all requests; none are specific to a caller. */
export interface ExchangeDeps {
  readonly apiUrl: string;
  readonly queue: Limiter;
  readonly log: Log;
  /** Registers a notification stream and how to end it.
   *  @returns a function to call when it has ended; null if there are too many */
  readonly openStream: (owner: string, end: () => void) => (() => void) | null;
}

/** Log fields of a request, without its content. */
export interface RequestRecord {
  readonly requestId: string;
  rpc: string | null;
  readonly calls: CallOutcome[];
}

/** Answers one request. Its token is kept only for the duration of the request. */
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
