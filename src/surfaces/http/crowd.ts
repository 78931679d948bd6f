import type http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { AppError, fix, message } from '../../kit/errors/errors.ts';
import type { ConnectionLimits } from '../../kit/process/open-files.ts';

/** Connections above the limit. */
const excess = new WeakSet<Socket>();

/** Time that a connection above the limit may stay idle, in milliseconds. */
const excessMs = 2_000;
const retryAfterSeconds = 5;

/** Limits the connections of clients, so that file descriptors remain for the database: idle ones are closed first, and further
 *  ones are answered with 503. */
export function limitConnections(server: http.Server, { served, accepted }: ConnectionLimits): void {
  if (accepted === Infinity) return;
  server.maxConnections = accepted;
  const open = new Set<Socket>();
  server.on(server instanceof https.Server ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size <= served) return;
    server.closeIdleConnections();
    excess.add(socket);
    socket.setTimeout(excessMs, () => socket.destroy());
  });
}

/** Responds with 503 on a connection above the limit, and closes it. */
export const refuseCrowd: RequestHandler = (req, res, next) => {
  if (!excess.has(req.socket)) return next();
  res.setHeader('Connection', 'close').setHeader('Retry-After', retryAfterSeconds);
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    message`Too many clients are connected${fix}try again in ${retryAfterSeconds} seconds`,
  );
};
