import { z } from 'zod';
import { fix, invalid } from '../../kit/errors/errors.ts';
import { type Advice, followPages, networkFault, TryLater, withRetries } from '../faults.ts';
import type { CloudEndpoints } from '../spec.ts';
import { type AzureAsked, AzureRefusal, refusalOf, waitMsOf } from './faults.ts';
import { type AzureOperationName, azureOperations } from './operations.ts';
import type { ServicePrincipal } from './sign-in.ts';

/** Azure Resource Manager, as one service principal. */
export interface AzureManagement {
  readonly principal: ServicePrincipal;
  readonly endpoint: string;
}

/** A request, by operation name. */
export interface AzureRequest {
  readonly operation: AzureOperationName;
  readonly path: string;
  /** In addition to `api-version`. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const requestMs = 60_000;
const maxPages = 10_000;
const maxBytes = 64 * 1024 * 1024;

/** A failed attempt that may succeed later. */
class Passing extends Error {
  readonly advice: Advice;

  constructor(advice: Advice) {
    super(advice.reason);
    this.advice = advice;
  }
}

/** Opens the management plane; sends no request yet. */
export function azureManagement(principal: ServicePrincipal, endpoints: CloudEndpoints): AzureManagement {
  return { principal, endpoint: endpoints.azureManagementEndpoint };
}

/** Sends a request of `operations.ts`; any other is rejected before the network.
 *  @returns the response as JSON; null for "no content"
 *  @throws {AzureRefusal} VALIDATION_ERROR naming permission, role and scope
 *  @throws {TryLater} after several attempts, or at once when Azure requests a long wait */
export async function azureRequest(
  management: AzureManagement,
  request: AzureRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const url = new URL(management.endpoint + request.path);
  url.searchParams.set('api-version', azureOperations[request.operation].apiVersion);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  return send(management, { ...request, url }, signal);
}

/** Sends a request, follows the `nextLink` of its responses, and returns each response.
 *  @throws as `azureRequest`; VALIDATION_ERROR when a link leads to another host or path, or repeats */
export function azurePages(
  management: AzureManagement,
  request: AzureRequest,
  linkOf: (page: unknown) => string | null,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const ask = async (link?: string) =>
    link === undefined
      ? azureRequest(management, request, signal)
      : send(management, { ...request, url: nextUrl(management, link) }, signal);
  return followPages(
    ask,
    linkOf,
    maxPages,
    () => invalid`Azure returned the same page of "${request.path}" twice (endless paging)${fix}sync again`,
  );
}

/** Validates a link: a bearer token must not follow it to another host. */
function nextUrl({ endpoint }: AzureManagement, link: string): URL {
  const url = URL.canParse(link) ? new URL(link) : null;
  // Port and case may be written differently; the host may not.
  if (url === null || url.origin !== new URL(endpoint).origin)
    throw invalid`The next page of Azure's response is not on its management endpoint: it is not followed`;
  return url;
}

interface Sent extends AzureRequest {
  readonly url: URL;
}

async function send(management: AzureManagement, request: Sent, signal: AbortSignal): Promise<unknown> {
  const asked = checked(management, request);
  let hasFreshToken = false;
  return withRetries(
    signal,
    async () => {
      const answer = await attempt(management, request, asked, signal);
      if (answer.status !== 401 || hasFreshToken) return settled(answer, asked);
      // A token may expire during a long listing, by our clock or Azure's.
      hasFreshToken = true;
      management.principal.forget();
      return settled(await attempt(management, request, asked, signal), asked);
    },
    (error) => (error instanceof Passing ? error.advice : null),
  ).catch((error: unknown) => {
    // An attempt's error may contain its request.
    throw error instanceof TryLater ? new TryLater(error.message, { retryAfterMs: error.retryAfterMs }) : error;
  });
}

function checked({ principal, endpoint }: AzureManagement, { operation, url }: Sent): AzureAsked {
  const allowed = azureOperations[operation];
  const base = new URL(endpoint);
  const path = url.pathname.slice(base.pathname === '/' ? 0 : base.pathname.length);
  if (url.origin !== base.origin || !allowed.path.test(path))
    throw invalid`Refused "${allowed.method} ${path}": not on the list of allowed operations`;
  return { operation: allowed, path, clientId: principal.clientId };
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

async function attempt(
  { principal, endpoint }: AzureManagement,
  { url, body }: Sent,
  { operation }: AzureAsked,
  signal: AbortSignal,
): Promise<Answer> {
  const token = await principal.token(`${endpoint}/.default`, signal);
  const timeOut = AbortSignal.timeout(requestMs);
  try {
    const response = await fetch(url, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        // Cost Management counts unnamed clients against one quota.
        ClientType: 'Costkeep',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, timeOut]),
    });
    return { status: response.status, headers: response.headers, body: parsed(await textOf(response)) };
  } catch (error) {
    signal.throwIfAborted();
    if (timeOut.aborted) throw new Passing({ reason: 'Azure did not respond in time', waitMs: null });
    const fault = networkFault(error, 'Azure Resource Manager');
    if (fault instanceof TryLater) throw new Passing({ reason: fault.message, waitMs: null });
    throw fault ?? (error instanceof TypeError ? invalid`Azure Resource Manager cannot be reached` : error);
  }
}

async function textOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw invalid`Azure's response has more than ${maxBytes} bytes`;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return text === '' ? null : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function settled({ status, headers, body }: Answer, asked: AzureAsked): unknown {
  if (status === 204) return null;
  const waitMs = waitMsOf(headers, Date.now());
  if (status === 429) throw new Passing({ reason: 'Azure limits the request rate (429)', waitMs });
  if (status === 408 || status >= 500) throw new Passing({ reason: `Azure had an internal error (${status})`, waitMs });
  if (status !== 200) throw refusalOf(status, body, asked);
  if (body === undefined) throw new Passing({ reason: 'Azure’s response is not complete JSON', waitMs: null });
  return body;
}

/** Returns whether a permission is missing for the request. */
export function isDenied(error: unknown): error is AzureRefusal {
  return error instanceof AzureRefusal && error.isDenied;
}

const pageShape = z.object({
  value: z.array(z.object({ subscriptionId: z.string(), displayName: z.string().nullish() })),
  nextLink: z.string().nullish(),
});

/** Returns the names of the subscriptions that the service principal may see, by lower-case id.
 *  @throws as `azureRequest` */
export async function subscriptionNames(
  management: AzureManagement,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const request = { operation: 'subscriptions', path: '/subscriptions' } as const;
  for await (const page of azurePages(management, request, nextPageOf, signal))
    for (const { subscriptionId, displayName } of pageShape.safeParse(page).data?.value ?? [])
      names.set(subscriptionId.toLowerCase(), displayName ?? '');
  return names;
}

function nextPageOf(page: unknown): string | null {
  return pageShape.safeParse(page).data?.nextLink || null;
}
