import { Refusal, refusalOfResponse, serverAway } from './refusal.ts';

/** Posts JSON to the REST API. Authentication uses REST, because only its routes receive the refresh token cookie.
 *  @returns the body; null if empty
 *  @throws {Refusal} the API error */
export async function post(path: string, body: object, token?: string): Promise<unknown> {
  const response = await send(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
  });
  return response.status === 204 ? null : response.json();
}

/** Downloads a file, such as a report, from the REST API.
 *  @throws {Refusal} the API error */
export async function getFile(path: string, token: string): Promise<Blob> {
  return (await send(path, { headers: { Authorization: `Bearer ${token}` } })).blob();
}

/** Uploads a file as the body of a POST. `fetch` cannot report the progress of a body.
 *  @param onProgress receives the sent fraction, 0 to 1
 *  @throws {Refusal} the API error */
export function sendFile(
  path: string,
  file: File,
  { token, onProgress }: { readonly token: string; onProgress(fraction: number): void },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = new XMLHttpRequest();
  request.open('POST', `/api/v1${path}`);
  request.setRequestHeader('Authorization', `Bearer ${token}`);
  request.setRequestHeader('Content-Type', 'application/octet-stream');
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1));
  request.addEventListener('error', () => reject(serverAway()));
  request.addEventListener('load', () => {
    const { status, responseText } = request;
    if (status >= 200 && status < 300) return resolve();
    void refusalOfResponse(new Response(responseText, { status })).then(reject);
  });
  request.send(file);
  return promise;
}

/** Counts of values that an upload has set. */
interface ValuesSet {
  readonly received: number;
  readonly changed: number;
}

/** Sends CSV to the REST API.
 *  @throws {Refusal} the API error */
export async function putCsv(path: string, text: string, token: string): Promise<ValuesSet> {
  const headers = { 'Content-Type': 'text/csv', Authorization: `Bearer ${token}` };
  const response = await send(path, { method: 'PUT', body: text, headers });
  return response.json() as Promise<ValuesSet>;
}

/** One CSV page of a REST answer, with a header row. */
export interface CsvPage {
  readonly text: string;
  /** Path of the next page, relative to `/api/v1`; null on the last. */
  readonly next: string | null;
}

/** Fetches a REST answer as CSV.
 *  @throws {Refusal} the API error */
export async function getCsv(path: string, token: string): Promise<CsvPage> {
  const response = await send(path, { headers: { Authorization: `Bearer ${token}`, Accept: 'text/csv' } });
  const [, next = null] = /<\/api\/v1([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  return { text: await response.text(), next };
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`/api/v1${path}`, init).catch(() => {
    throw serverAway();
  });
  if (!response.ok) throw await refusalOfResponse(response);
  return response;
}

/** Returns the `Refusal` of a call instead of throwing it. Rethrows every other error as a defect. */
export async function refused<Value>(call: Promise<Value>): Promise<{ value: Value } | { refusal: Refusal }> {
  try {
    return { value: await call };
  } catch (thrown) {
    if (thrown instanceof Refusal) return { refusal: thrown };
    throw thrown;
  }
}
