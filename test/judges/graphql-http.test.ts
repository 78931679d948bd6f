import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';
import { worldOfFile } from '../support/world.ts';

const at = worldOfFile();

/** Audits of what a server should do, and why this one does not: a failure has a status of its own, as in REST, also for
 *  clients that accept `application/json` alone. */
const accepted = [
  'SHOULD use 200 status code on document parsing failure when accepting application/json',
  'SHOULD use 200 status code on document validation failure when accepting application/json',
  'SHOULD use a status code of 200 on variable coercion failure when accepting application/json',
];

it('passes every audit of GraphQL over HTTP but those that want 200 for a failure', async () => {
  const { token } = await at().register();
  const fetchFn: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const results = await auditServer({ url: `${at().url}/graphql`, fetchFn });
  expect(results.length).toBeGreaterThan(50);
  expect(results.flatMap((result) => (result.status === 'ok' ? [] : [result.name]))).toEqual(accepted);
});
