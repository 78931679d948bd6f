import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A message as received by the chat server. */
export interface TakenMessage {
  readonly path: string;
  readonly body: { readonly text: string; readonly blocks: readonly unknown[] };
  /** The body as received. */
  readonly raw: string;
  readonly headers: IncomingMessage['headers'];
}

/** How the server handles one request; `null` accepts the message, as Slack does. */
export type Behaviour = ((request: IncomingMessage, response: ServerResponse) => void) | null;

/** Starts a chat server on this machine over plain HTTP. Each behaviour applies to one request, in order; later requests
 *  are accepted. */
export async function aChatServer(...behaviours: Behaviour[]) {
  const taken: TakenMessage[] = [];
  const asked: { path: string; at: number }[] = [];
  const listen: RequestListener = (request, response) => {
    const path = request.url ?? '';
    asked.push({ path, at: Date.now() });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const behave = behaviours.shift() ?? null;
      if (behave) return behave(request, response);
      const raw = Buffer.concat(chunks).toString();
      taken.push({ path, body: JSON.parse(raw), raw, headers: request.headers });
      response.end('ok');
    });
  };
  const server = createServer(listen);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks`, port, taken, asked };
}

/** Responds with a status. */
export function answers(status: number, text = '', headers: Record<string, string> = {}): Behaviour {
  return (_request, response) => void response.writeHead(status, headers).end(text);
}

/** Never responds. */
export const hangs: Behaviour = () => {};

/** Closes the connection. */
export const breaks: Behaviour = (request) => void request.socket.destroy();
