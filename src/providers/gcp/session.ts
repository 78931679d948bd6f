import { BigQuery } from '@google-cloud/bigquery';
import { gaxios, JWT } from 'google-auth-library';
import { fix, invalid } from '../../kit/errors/errors.ts';
import { followPages, withRetries } from '../faults.ts';
import type { GcpCredentials } from '../spec.ts';
import { adviceFor, faultOf, GoogleFault, type ServiceAccount } from './faults.ts';
import { assertAllowed, assertReading } from './operations.ts';

/** Google clients that share a token. */
interface GoogleClients {
  readonly jwt: JWT;
  readonly bigquery: BigQuery;
}

/** A service account session, signed in once for all clients. */
export interface GoogleSession extends ServiceAccount {
  /** Runs work with the clients: retries temporary failures, signs in again when the token expires, and strips requests from
   *  errors.
   *  @throws {GoogleFault} Google's error
   *  @throws {TryLater} */
  use<T>(signal: AbortSignal, work: (clients: GoogleClients) => Promise<T>): Promise<T>;
}

// Queries need the first scope, because `bigquery.readonly` may not create jobs. Roles limit what the account may do.
const scopes = ['https://www.googleapis.com/auth/bigquery', 'https://www.googleapis.com/auth/cloud-platform'];
/** Time limit of a response in milliseconds; queries are polled every ten seconds. */
const answerTimeoutMs = 90_000;

/** Opens a session. Sends no request yet.
 *  @param endpoint replaces each `https://*.googleapis.com`; null: Google's own */
export function openSession(
  credentials: GcpCredentials,
  billingProject: string,
  endpoint: string | null,
): GoogleSession {
  const open = () => clientsOf(credentials, billingProject, endpoint);
  let clients = open();
  return {
    clientEmail: credentials.clientEmail,
    billingProject,
    async use(signal, work) {
      let renewals = 0;
      const attempt = async () => {
        try {
          return await bounded(work(clients), signal);
        } catch (error) {
          throw faultOf(error, Date.now());
        }
      };
      return withRetries(
        signal,
        async () => {
          try {
            return await attempt();
          } catch (error) {
            // A token can expire midway or be revoked; renew it once.
            if (!(error instanceof GoogleFault) || error.status !== 401 || renewals++ > 0) throw error;
            clients = open();
            return attempt();
          }
        },
        adviceFor,
      );
    },
  };
}

/** Rejects on abort or timeout. The libraries do not support signals, so their pending work is abandoned. */
async function bounded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const end = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]);
  let give = () => {};
  const ended = new Promise<never>((_, reject) => {
    give = () => reject(end.reason);
    end.addEventListener('abort', give, { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    end.removeEventListener('abort', give);
    work.catch(() => {});
  }
}

function clientsOf(credentials: GcpCredentials, projectId: string, endpoint: string | null): GoogleClients {
  const jwt = new JWT({
    email: credentials.clientEmail,
    key: credentials.privateKey,
    scopes,
    transporter: transporterTo(endpoint),
  });
  const bigquery = new BigQuery({
    projectId,
    authClient: jwt,
    apiEndpoint: endpoint ?? 'https://bigquery.googleapis.com',
    // `withRetries` retries, and honors Google's waits.
    autoRetry: false,
  });
  bigquery.interceptors.push({
    request: (options) => {
      if (!('uri' in options)) throw new Error('Refused a request without an address');
      look(options, bigquery.baseUrl);
      return options;
    },
  });
  return { jwt, bigquery };
}

/** Returns the transport for sign-in and everything except BigQuery. */
function transporterTo(endpoint: string | null): gaxios.Gaxios {
  const transporter = new gaxios.Gaxios({ timeout: 60_000, retry: false });
  transporter.interceptors.request.add({
    resolved: async (options) => {
      const url = new URL(String(options.url));
      assertAllowed(options.method ?? 'GET', url);
      // Disables the library's own sign-in retries; `withRetries` handles them.
      options.retryConfig = { retry: 0, noResponseRetries: 0 };
      // The signed request, or a token, must not follow a redirect to an address that was not checked.
      options.redirect = 'error';
      if (endpoint !== null) options.url = new URL(`${endpoint}${url.pathname}${url.search}`);
      return options;
    },
  });
  return transporter;
}

interface BigQueryRequest {
  uri: string;
  method?: string;
  json?: unknown;
}

/** Checks a request of the BigQuery library before it is sent. */
function look({ uri, method = 'GET', json }: BigQueryRequest, baseUrl: string): void {
  const { pathname } = new URL(uri);
  const isOurs = uri.startsWith(`${baseUrl}/`);
  const path = isOurs ? `/bigquery/v2${pathname.slice(new URL(baseUrl).pathname.length)}` : pathname;
  assertAllowed(method, new URL(path, isOurs ? 'https://bigquery.googleapis.com' : uri));
  if (method === 'POST') assertReading(json);
}

/** Requests a page of JSON from a Google service.
 *  @param url with Google's host, `https://cloudasset.googleapis.com/…`; must be allowed by `operations.ts`
 *  @throws {GoogleFault} Google's error
 *  @throws {TryLater} */
export async function getJson<T>(session: GoogleSession, url: URL, signal: AbortSignal): Promise<T> {
  return session.use(signal, async ({ jwt }) => {
    const { data } = await jwt.request<T>({ url, method: 'GET', responseType: 'json', signal });
    return data;
  });
}

/** Maximum pages of a listing or result: one with more counts as endless. */
export const maxPages = 20_000;

/** Returns every page of a listing in order.
 *  @throws {AppError} VALIDATION_ERROR when paging never ends; and as `getJson` */
export function pagesOf<T extends { nextPageToken?: string }>(
  session: GoogleSession,
  url: URL,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const ask = (token?: string) => {
    const page = new URL(url);
    if (token !== undefined) page.searchParams.set('pageToken', token);
    return getJson<T>(session, page, signal);
  };
  const endless = () =>
    invalid`Google Cloud returned pages of ${url.hostname}${url.pathname} without end (endless paging)${fix}sync again`;
  return followPages(ask, ({ nextPageToken }) => nextPageToken || null, maxPages, endless);
}
