import { Refusal, refusalOfResponse, serverAway } from './refusal.ts';

/** Posts JSON to the REST API. Authentication goes this way: only its routes get the cookie of the refresh token.
 *  @returns the body; null where there is none
 *  @throws {Refusal} what the API said */
export async function post(path: string, body: object, token?: string): Promise<unknown> {
  const response = await send(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
  });
  return response.status === 204 ? null : response.json();
}

/** Asks the REST API for a file, such as a report.
 *  @throws {Refusal} what the API said */
export async function getFile(path: string, token: string): Promise<Blob> {
  return (await send(path, { headers: { Authorization: `Bearer ${token}` } })).blob();
}

/** A page of an answer as CSV, its header first. */
export interface CsvPage {
  readonly text: string;
  /** Path of the page that follows, below `/api/v1`; null after the last. */
  readonly next: string | null;
}

/** Asks the REST API for an answer as CSV.
 *  @throws {Refusal} what the API said */
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

/** Runs a call and gives its refusal in place of throwing it. What is no refusal is a defect and is thrown. */
export async function refused<Value>(call: Promise<Value>): Promise<{ value: Value } | { refusal: Refusal }> {
  try {
    return { value: await call };
  } catch (thrown) {
    if (thrown instanceof Refusal) return { refusal: thrown };
    throw thrown;
  }
}
