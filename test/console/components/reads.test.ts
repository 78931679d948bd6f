import { Kind, parse } from 'graphql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { follow, mainText, signIn, useConsole } from './console.ts';
import { demoApi } from './world.ts';

/** Counts the root fields that the page requests, each of which is a read of the rate limit. */
function countReads(): { readonly fields: string[] } {
  const fields: string[] = [];
  const send = globalThis.fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
    if (url === '/graphql' && typeof init?.body === 'string') fields.push(...readsOf(init.body));
    return send(url, init);
  });
  onTestFinished(() => spy.mockRestore());
  return { fields };
}

function readsOf(body: string): string[] {
  const { query } = JSON.parse(body) as { query: string };
  const operation = parse(query).definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  // The shell polls them on every page, independently of its requests.
  if (operation?.name?.value === 'FailedNotifications') return [];
  return (operation?.selectionSet.selections ?? []).map((one) => (one.kind === Kind.FIELD ? one.name.value : '…'));
}

describe('reads of a page', () => {
  const api = demoApi();
  useConsole();

  it('are few, and fewer when it is opened again', async () => {
    await signIn(api());
    const reads = countReads();
    const opened = async (path: string) => {
      reads.fields.length = 0;
      await follow(path);
      return reads.fields.length;
    };
    expect(await opened('/costs'), reads.fields.join()).toBeLessThanOrEqual(8);
    expect(mainText()).toContain('Costs over time');
    expect(await opened('/'), reads.fields.join()).toBeLessThanOrEqual(16);
    expect(mainText()).toContain('Top services');
    // The first page is cached for 15 seconds or a minute.
    expect(await opened('/costs'), reads.fields.join()).toBeLessThanOrEqual(3);
    expect(await opened('/'), reads.fields.join()).toBeLessThanOrEqual(6);
  }, 60_000);
});
