import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';
import { worldOfFile } from '../support/world.ts';

const at = worldOfFile();

/** Recommendations that this server does not follow: an error has its own status, as in REST, also for clients that accept
 *  only `application/json`. */
const accepted = [
  'SHOULD use 200 status code on document parsing failure when accepting application/json',
  'SHOULD use 200 status code on document validation failure when accepting application/json',
  'SHOULD use a status code of 200 on variable coercion failure when accepting application/json',
];

it('passes every audit of GraphQL over HTTP, except those that require status 200 for errors', async () => {
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
