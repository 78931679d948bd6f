import { fix, invalid } from '../kit/errors.ts';
import { TryLater } from './faults.ts';

// What Node, undici and TLS say when no answer came, by `code` or `name`.
const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EPROTO',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_CONSTANT',
  'HPE_INVALID_EOF_STATE',
  'REQUEST_SEND_ERROR',
  'PARSE_ERROR',
  'TimeoutError',
]);
const certificate = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;

/** What the network's fault is called: `ECONNREFUSED`; null of an error that is none.
 *  @param error as an SDK or Node throws it, with causes */
export function networkCode(error: unknown): string | null {
  for (const each of chainOf(error)) {
    const names = [codeOf(each), each.name];
    const found = names.find((name) => passing.has(name) || certificate.test(name) || name.startsWith('UND_ERR_'));
    if (found) return found;
  }
  return null;
}

/** A fault of the network for the account's owner; null of an error that is none.
 *  @param who the provider, as a sentence begins with it: `Amazon S3` */
export function networkFault(error: unknown, who: string): Error | null {
  const code = networkCode(error);
  if (code === null) return null;
  if (!certificate.test(code)) return new TryLater(`${who} cannot be reached (${code})`, { networkCode: code });
  return invalid`${who} has a certificate that is not trusted (${code})${fix}ask the server's operator to add its certificate authority to NODE_EXTRA_CA_CERTS`;
}

function chainOf(error: unknown): Error[] {
  const found: Error[] = [];
  const next: unknown[] = [error];
  while (next.length > 0 && found.length < 20) {
    const each = next.shift();
    if (!(each instanceof Error) || found.includes(each)) continue;
    found.push(each);
    next.push(each.cause, ...(each instanceof AggregateError ? each.errors : []));
  }
  return found;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
