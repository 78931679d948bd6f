import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Limiter, mapConcurrently } from '../../../src/kit/process/limiter.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a limiter', () => {
  it('is round-robin between owners and first in, first out within one', async () => {
    const limiter = new Limiter({ limit: 1 });
    const started: string[] = [];
    const work = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) =>
      limiter.run(async () => void started.push(name), { owner: name.slice(0, 1) }),
    );
    await Promise.all(work);
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('is round-robin between groups, however many owners one has, and then between the owners', async () => {
    const limiter = new Limiter({ limit: 1 });
    const started: string[] = [];
    const work = ['ax1', 'ax2', 'ax3', 'ay1', 'ay2', 'bx1', 'bx2'].map((name) =>
      limiter.run(async () => void started.push(name), { group: name.slice(0, 1), owner: name.slice(1, 2) }),
    );
    await Promise.all(work);
    expect(started).toEqual(['ax1', 'bx1', 'ay1', 'bx2', 'ax2', 'ay2', 'ax3']);
  });

  it('releases a slot once, however often release is called, also after an error', async () => {
    const limiter = new Limiter({ limit: 1 });
    const release = await limiter.acquire();
    const others = [limiter.acquire(), limiter.acquire()];
    release();
    release();
    await settle();
    expect([limiter.running, limiter.waiting.length]).toEqual([1, 1]);
    (await others[0])?.();
    (await others[1])?.();
    await expect(limiter.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(limiter.running).toBe(0);
  });

  it('rejects a waiting entry with the reason of its signal, and starts the next one instead', async () => {
    const limiter = new Limiter({ limit: 1 });
    const release = await limiter.acquire();
    const leaving = new AbortController();
    const second = limiter.acquire({ signal: leaving.signal });
    const started: string[] = [];
    const third = limiter.acquire().then((end) => (started.push('third'), end));
    leaving.abort(new Error('cancelled'));
    await expect(second).rejects.toThrow('cancelled');
    await expect(limiter.acquire({ signal: leaving.signal })).rejects.toThrow('cancelled');
    expect(started).toEqual([]);
    release();
    (await third)();
    expect([started, limiter.running, limiter.waiting.length]).toEqual([['third'], 0, 0]);
  });

  it('acquires a slot at once or not at all, within the limits of all and of one owner', async () => {
    const limiter = new Limiter({ limit: 3, limitPerOwner: 2 });
    const release = limiter.tryAcquire({ owner: 'a' });
    expect(limiter.tryAcquire({ owner: 'a' })).not.toBeNull();
    expect(limiter.tryAcquire({ owner: 'a' })).toBeNull();
    const waiting = limiter.acquire({ owner: 'a' });
    expect(limiter.tryAcquire({ owner: 'b' })).not.toBeNull();
    expect(limiter.tryAcquire({ owner: 'c' })).toBeNull();
    release?.();
    await waiting;
    expect(limiter.running).toBe(3);
  });
});

describe('mapping with bounded concurrency', () => {
  it('runs as many items as the limit, and returns the results in the order of the items', async () => {
    let running = 0;
    let most = 0;
    const results = await mapConcurrently([5, 1, 3, 0, 2], 2, async (ms) => {
      most = Math.max(most, (running += 1));
      await sleep(ms);
      running -= 1;
      return ms * 10;
    });
    expect(results).toEqual([50, 10, 30, 0, 20]);
    expect(most).toBe(2);
    expect(await mapConcurrently([], 2, async () => 1)).toEqual([]);
  });

  it('rejects with the first error, and begins no more', async () => {
    const begun: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      if (item === 2) throw new Error('two');
      await sleep(1);
    };
    await expect(mapConcurrently([1, 2, 3, 4, 5], 2, work)).rejects.toThrow('two');
    await sleep(20);
    expect(begun.length).toBeLessThan(5);
  });
});
