import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, fix, invalid, message } from '../../kit/errors/errors.ts';
import { envelopeOf } from '../errors.ts';
import { essentialHeaders } from './headers.ts';

/** Answers requests that Node could not parse, and CONNECT requests, in the same format as other errors: they never reach the
 *  application. Ignores unknown expectations, which Node would reject without a body. */
export function answerUnreadable(server: Server, publicUrl: string): void {
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('connect', (_req, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const refusal = invalid`The method CONNECT is not supported, because this server is not a proxy${fix}send requests to it directly`;
    socket.end(responseOf(refusal, essentialHeaders(publicUrl)));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // The client is gone, or a response was already sent: a second one would be taken for the response to the next
    // request.
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    socket.end(responseOf(refusalOf(error.code), essentialHeaders(publicUrl)));
  });
  // Without a TLS connection, the response could never be sent, and the socket would stay open.
  server.on('tlsClientError', (_error: Error, socket: Duplex) => void socket.destroy());
}

function refusalOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('PAYLOAD_TOO_LARGE', message`The URL and the headers exceed 16 KiB in total`);
  const reason = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'did not arrive in time' : 'is not valid HTTP';
  return invalid`The request ${reason}`;
}

function responseOf(error: AppError, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify(envelopeOf(error));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
