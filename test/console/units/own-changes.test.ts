import { gql } from '@urql/core';
import { afterEach, expect, it, vi } from 'vitest';
import { pipe, subscribe } from 'wonka';
import { openClient } from '../../../src/console/api/client.ts';

const channel = (name: string, updatedAt: string) => ({ id: 'c', name, updatedAt });
const list = gql`
  {
    channels {
      data {
        id
        name
        updatedAt
      }
    }
  }
`;
const change = gql`
  mutation {
    updateChannel {
      id
      name
      updatedAt
    }
  }
`;

/** Answers the first query and a mutation; the refetch stays pending. */
function answering(listed: object, changed: object): void {
  const answers = [{ channels: { data: [listed] } }, { updateChannel: changed }];
  vi.stubGlobal('fetch', () => {
    const data = answers.shift();
    return data ? Promise.resolve(Response.json({ data })) : new Promise(() => {});
  });
}

afterEach(() => vi.unstubAllGlobals());

/** Returns the listed record after the mutation, before the refetch. */
async function listedAfterChange(): Promise<unknown> {
  const client = openClient();
  let shown: unknown = null;
  const { unsubscribe } = pipe(
    client.query<{ channels: { data: readonly unknown[] } }>(list, {}),
    subscribe(({ data }) => void (shown = data?.channels.data[0])),
  );
  await vi.waitFor(() => expect(shown).not.toBeNull());
  await client.mutation(change, {}).toPromise();
  unsubscribe();
  return shown;
}

it('updates records without a version, too', async () => {
  answering({ id: 'c', name: 'Costs', kind: 'slack' }, { id: 'c', name: 'Money' });
  expect(await listedAfterChange()).toEqual({ id: 'c', name: 'Money', kind: 'slack' });
});

it('shows the record of a mutation’s answer until lists are refetched', async () => {
  const after = channel('Money', '2026-11-30T10:00:01.000Z');
  answering(channel('Costs', '2026-11-30T10:00:00.000Z'), after);
  expect(await listedAfterChange()).toEqual(after);
});

it('keeps a record that is newer than the one of the answer', async () => {
  const newer = channel('Theirs', '2026-11-30T10:00:02.000Z');
  answering(newer, channel('Mine', '2026-11-30T10:00:01.000Z'));
  expect(await listedAfterChange()).toEqual(newer);
});
