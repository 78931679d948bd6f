import type { RequestListener } from 'node:http';

/** Time after which a client that neither sends its request nor reads the response is disconnected, in milliseconds. */
const idleMs = 60_000;

/** Time limit of a request's body, in milliseconds: Node's default. */
const bodyMs = 300_000;

const uploads = /^\/api\/v1\/accounts\/[^/]+\/files(\?|$)/;

/** Ends requests whose body takes too long. Uploads have their own limits until they are answered: after that, for example after
 *  a 401, a client must not hold the connection by sending more.
 *  @param ms 5 minutes by default */
export function limitBody(ms = bodyMs): RequestListener {
  return (req, res) => {
    const hasBody = req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined;
    if (!hasBody) return;
    const limit = () => {
      if (req.complete) return;
      const timer = setTimeout(() => req.destroy(), ms);
      req.once('close', () => clearTimeout(timer));
    };
    if (uploads.test(req.url ?? '')) res.once('finish', limit);
    else limit();
  };
}

/** Disconnects clients that stopped sending the request or reading the response, to release their resources, such as the file of
 *  an export. A response that is not ready yet has no limit.
 *  @param ms 1 minute by default; up to twice that if Node.js counts the last write as progress */
export function limitIdle(ms = idleMs): RequestListener {
  return (req, res) => {
    res.setTimeout(ms, () => {
      if (!req.complete || res.writableLength > 0) req.destroy();
    });
  };
}
