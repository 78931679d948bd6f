import { describe, expect, it } from 'vitest';
import type { Lane } from '../../src/engine/engine.ts';
import { FairQueue } from '../../src/engine/queue.ts';

/** A queue that records its entries by name when they start; the test decides when they leave. */
function aQueue() {
  const queue = new FairQueue();
  const started: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = async (
    name: string,
    organization: string,
    { user = name, lane = 'request' as Lane, signal = undefined as AbortSignal | undefined } = {},
  ) => {
    const caller = { organizationId: organization, userId: lane === 'job' ? null : user };
    const leave = await queue.enter(caller, lane, signal);
    started.push(name);
    leaves.set(name, leave);
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const leave = async (name: string) => {
    leaves.get(name)?.();
    await settle();
  };
  return { queue, started, enter, leave, settle };
}

describe('FairQueue', () => {
  it('alternates between organizations, and keeps the order within each', async () => {
    const { started, enter, leave, settle } = aQueue();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter(name, 'a');
    for (const name of ['b1', 'b2']) void enter(name, 'b');
    void enter('c1', 'c');
    await settle();
    expect(started).toEqual(['a1', 'a2']);
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await leave(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('alternates between the members of an organization, each with one slot at a time', async () => {
    const { started, enter, leave, settle } = aQueue();
    for (const name of ['x1', 'x2', 'x3', 'x4']) void enter(name, 'a', { user: 'x' });
    await settle();
    expect(started).toEqual(['x1']);
    for (const name of ['y1', 'y2']) void enter(name, 'a', { user: 'y' });
    void enter('b1', 'b', { user: 'x' });
    await settle();
    expect(started).toEqual(['x1', 'y1']);
    for (const name of ['y1', 'x1', 'b1', 'x2', 'y2', 'x3']) await leave(name);
    expect(started).toEqual(['x1', 'y1', 'b1', 'x2', 'y2', 'x3', 'x4']);
  });

  it('reserves the last free slot for requests', async () => {
    const { started, enter, leave, settle } = aQueue();
    void enter('job 1', 'a', { lane: 'job' });
    void enter('job 2', 'b', { lane: 'job' });
    await settle();
    expect(started).toEqual(['job 1']);
    void enter('request 1', 'a');
    void enter('request 2', 'a');
    await settle();
    expect(started).toEqual(['job 1', 'request 1']);
    await leave('job 1');
    expect(started).toEqual(['job 1', 'request 1', 'request 2']);
    await leave('request 1');
    expect(started).toHaveLength(3);
    await leave('request 2');
    expect(started).toEqual(['job 1', 'request 1', 'request 2', 'job 2']);
  });

  it('rejects an entry behind 50 of its member, 100 of its organization or 200 in total, and suggests a retry', async () => {
    const { queue, enter, settle } = aQueue();
    const refused = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '5' } });
    const flood = async (organization: string, user: string, count: number) => {
      for (let index = 0; index < count; index += 1) void enter(`${user}${index}`, organization, { user });
      await settle();
    };
    await flood('a', 'x', 51);
    expect([queue.running, queue.waiting]).toEqual([1, 50]);
    await expect(enter('more', 'a', { user: 'x' })).rejects.toEqual(refused);
    await flood('a', 'y', 51);
    expect([queue.running, queue.waiting]).toEqual([2, 100]);
    await expect(enter('more', 'a', { user: 'z' })).rejects.toEqual(refused);
    await flood('b', 'x', 50);
    await flood('b', 'y', 50);
    expect(queue.waiting).toBe(200);
    await expect(enter('more', 'c')).rejects.toEqual(refused);
  });

  it('drops a waiting entry that is aborted', async () => {
    const { queue, started, enter, leave, settle } = aQueue();
    const leaving = new AbortController();
    for (const name of ['a1', 'a2']) void enter(name, 'a');
    const waiting = enter('a3', 'a', { signal: leaving.signal }).catch((error: unknown) => error);
    void enter('a4', 'a');
    await settle();
    leaving.abort(new Error('gone'));
    expect(await waiting).toEqual(new Error('gone'));
    expect(queue.waiting).toBe(1);
    await leave('a1');
    await leave('a1');
    expect(started).toEqual(['a1', 'a2', 'a4']);
    expect([queue.running, queue.waiting]).toEqual([2, 0]);
  });
});
