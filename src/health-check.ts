import http from 'node:http';
import https from 'node:https';
import type { Environment } from './kit/config/config.ts';

/** Less than the time limit of the image's HEALTHCHECK. */
const timeoutMs = 4_000;

/** `costkeep health`: checks whether the server on this machine is ready. Its certificate is for other names, so it is not
 *  checked.
 *  @returns the response of `/ready`
 *  @throws {Error} if the server does not respond or is not ready, with its response */
export async function checkHealth(env: Environment): Promise<string> {
  // The server itself checks these variables.
  const { HOST: host = '', PORT: port = '', TLS_CERT: certificate } = env;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const hostname = host === '::' ? '::1' : host === '0.0.0.0' || host === '' ? '127.0.0.1' : host;
  const options = { hostname, port: port || '3000', path: '/ready', timeout: timeoutMs, rejectUnauthorized: false };
  const request = (certificate ? https : http).get(options, (response) => {
    let body = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    response.on('end', () => (response.statusCode === 200 ? resolve(body) : reject(new Error(body))));
  });
  request.on('timeout', () => request.destroy(new Error(`no response within ${timeoutMs / 1000} seconds`)));
  request.on('error', (error) => reject(new Error(`${hostname}:${options.port} is not ready: ${error.message}`)));
  return promise;
}
