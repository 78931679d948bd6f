import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** A request that the protocol is not asked about. */
export interface Refusal {
  readonly status: number;
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a refusal in the protocol's form of errors, whose id is not known as the body is not read. */
export function refuse(res: ServerResponse, { status, message, headers = {} }: Refusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } });
  // What the client still sends would be read as its next request.
  res.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  res.end(body);
}

/** The token that a request brings; null without one, or in another form than `Bearer`. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
