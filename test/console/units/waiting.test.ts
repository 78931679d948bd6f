import { gql } from '@urql/core';
import { afterEach, expect, it, vi } from 'vitest';
import { openClient } from '../../../src/console/api/client.ts';
import { sessionState, start } from '../../../src/console/api/session.ts';
import { waitsUntil } from '../../../src/console/api/waiting.ts';

const limited = { code: 'RATE_LIMITED', status: 429 };

function refusing(body: object, after = 1): Response {
  return Response.json(body, { status: 429, headers: { 'retry-after': String(after) } });
}

/** Answers one request after another; the last answer repeats. */
function answering(...answers: (() => Response)[]) {
  const fetched = vi.fn<() => Promise<Response>>(() =>
    Promise.resolve((answers.length > 1 ? answers.shift() : answers[0])?.() ?? Response.error()),
  );
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

const query = gql`
  {
    me {
      id
    }
  }
`;
const tooMany = () => refusing({ errors: [{ message: 'Too many', extensions: limited }] });
const found = () => Response.json({ data: { me: { id: '1' } } });

it('retries a query above the rate limit once, after the time in Retry-After', async () => {
  const fetched = answering(tooMany, found);
  const answer = openClient().query(query, {}).toPromise();
  await vi.waitFor(() => expect(waitsUntil()).not.toBeNull());
  expect(fetched).toHaveBeenCalledTimes(1);
  expect((await answer).data).toEqual({ me: { id: '1' } });
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(waitsUntil()).toBeNull();
});

it('reports the limit if the second request exceeds it, too', async () => {
  const fetched = answering(tooMany);
  const { error } = await openClient().query(query, {}).toPromise();
  expect(error?.graphQLErrors[0]?.extensions['code']).toBe('RATE_LIMITED');
  expect(fetched).toHaveBeenCalledTimes(2);
});

it('does not retry a mutation', async () => {
  const fetched = answering(tooMany, found);
  const { error } = await openClient().mutation(gql('mutation { logout }'), {}).toPromise();
  expect(error).toBeDefined();
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('waits with the session of an earlier visit, instead of an error page', async () => {
  const session = { access_token: 't', expires_in: 900, user: { id: 'u' }, organization: { id: 'o' } };
  answering(
    () => refusing({ error: { ...limited, message: 'Too many' } }),
    () => Response.json(session),
  );
  const started = start();
  await vi.waitFor(() => expect(waitsUntil()).not.toBeNull());
  expect(sessionState()).toEqual({ at: 'starting' });
  await started;
  expect(sessionState()).toMatchObject({ at: 'in' });
});
