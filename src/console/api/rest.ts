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

/** Asks the REST API for something that is no JSON, such as CSV or a report.
 *  @throws {Refusal} what the API said */
export async function getFile(path: string, token: string, accept?: string): Promise<Blob> {
  const headers = { Authorization: `Bearer ${token}`, ...(accept && { Accept: accept }) };
  return (await send(path, { headers })).blob();
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
