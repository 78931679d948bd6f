import { getGraphQLRateLimiter, InMemoryStore } from 'graphql-rate-limit';
import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { budgetOf, createLimiter } from '../../../src/tenancy/limits/limiter.ts';
import { processCounters, type Counters } from '../../../src/tenancy/limits/counters.ts';

const limits = { auth: 20, read: 100, write: 30, report: 5, export: 10 };
const start = new Date('2026-11-21T10:00:00.000Z');

/** A limiter with a manual clock. */
function aLimiter() {
  let now = start;
  const clock = { now: () => now };
  const limiter = createLimiter(limits, processCounters(clock));
  return { limiter, passMs: (ms: number) => void (now = new Date(now.getTime() + ms)) };
}

describe('the rate limiter', () => {
  it('admits exactly the limit of 200 parallel requests, and counts down without repeats', async () => {
    const { limiter } = aLimiter();
    const verdicts = await Promise.all(Array.from({ length: 200 }, () => limiter.hit('write', 'user:a')));
    const admitted = verdicts.filter((verdict) => !verdict.limited);
    expect(admitted.map((verdict) => verdict.remaining)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index));
    expect(verdicts.filter((verdict) => verdict.limited).every((verdict) => verdict.remaining === 0)).toBe(true);
  });

  it('separates users and categories', async () => {
    const { limiter } = aLimiter();
    for (let n = 0; n < 5; n += 1) await limiter.hit('report', 'user:a');
    expect((await limiter.hit('report', 'user:a')).limited).toBe(true);
    expect((await limiter.hit('report', 'user:b')).limited).toBe(false);
    expect((await limiter.hit('export', 'user:a')).limited).toBe(false);
  });

  it('opens a new window 60 seconds after the first request, not a millisecond earlier', async () => {
    const { limiter, passMs } = aLimiter();
    for (let n = 0; n < 5; n += 1) await limiter.hit('report', 'user:a');
    passMs(59_999);
    expect(await limiter.hit('report', 'user:a')).toMatchObject({ limited: true, retryAfter: 1, reset: 1_795_255_260 });
    passMs(1);
    expect(await limiter.hit('report', 'user:a')).toMatchObject({ limited: false, remaining: 4, reset: 1_795_255_320 });
  });

  it('opens a new window when the clock is set back', async () => {
    const { limiter, passMs } = aLimiter();
    for (let n = 0; n < 5; n += 1) await limiter.hit('report', 'user:a');
    passMs(-3_600_000);
    expect(await limiter.hit('report', 'user:a')).toMatchObject({ limited: false, remaining: 4, reset: 1_795_251_660 });
    for (let n = 0; n < 4; n += 1) await limiter.hit('report', 'user:a');
    expect((await limiter.hit('report', 'user:a')).limited).toBe(true);
  });

  it('rejects a request with a weight above the remaining budget', async () => {
    const { limiter } = aLimiter();
    expect(await limiter.hit('auth', 'ip:x', 20)).toMatchObject({ limited: false, remaining: 0 });
    expect(await limiter.hit('auth', 'ip:y', 21)).toMatchObject({ limited: true, remaining: 0, limit: 20 });
  });

  it('only reads the count with weight 0', async () => {
    const { limiter } = aLimiter();
    for (let n = 0; n < 200; n += 1) await limiter.hit('auth', 'ip:x', 0);
    expect(await limiter.hit('auth', 'ip:x')).toMatchObject({ limited: false, remaining: 19 });
  });
});

describe('a window that ends during the decision', () => {
  it('does not admit requests counted above the limit', async () => {
    const now = Date.now();
    const ended: Counters = { add: async () => ({ count: 31, resetAtMs: now, leftMs: -1 }) };
    expect(await createLimiter(limits, ended).hit('write', 'user:a')).toMatchObject({ limited: true, remaining: 0 });
  });

  it('costs no more under a flood than at the limit', async () => {
    const flood: Counters = { add: async () => ({ count: 2 ** 40, resetAtMs: 0, leftMs: 1 }) };
    expect((await createLimiter(limits, flood).hit('write', 'user:a')).limited).toBe(true);
  });
});

describe('graphql-rate-limit with its own store', () => {
  it('admits 100 parallel calls at a limit of 30, which is why our counters increment on read', async () => {
    const decide = getGraphQLRateLimiter({ identifyContext: () => 'user:a', store: new InMemoryStore() });
    const info = { fieldName: 'write' } as GraphQLResolveInfo;
    const call = () => decide({ parent: null, args: {}, context: {}, info }, { max: 30, window: '1m' });
    const refusals = await Promise.all(Array.from({ length: 100 }, call));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(100);
  });
});

describe('budgetOf', () => {
  it.each([
    ['read', 'u1', '203.0.113.9', { category: 'read', identity: 'user:u1' }],
    ['auth', 'u1', '203.0.113.9', { category: 'auth', identity: 'ip:203.0.113.9' }],
    ['read', null, '203.0.113.9', { category: 'auth', identity: 'ip:203.0.113.9' }],
    ['read', null, '::ffff:203.0.113.9', { category: 'auth', identity: 'ip:203.0.113.9' }],
    ['auth', null, '2001:db8:0:7::1', { category: 'auth', identity: 'ip:2001:db8:0:7' }],
    ['auth', null, '2001:DB8:0:0007:ffff:1:2:3', { category: 'auth', identity: 'ip:2001:db8:0:7' }],
    ['auth', null, '::1', { category: 'auth', identity: 'ip:0:0:0:0' }],
    ['auth', null, 'fe80::1%eth0', { category: 'auth', identity: 'ip:fe80:0:0:0' }],
  ] as const)('maps %s of user %s at %s', (category, userId, address, budget) => {
    expect(budgetOf(category, userId, address)).toEqual(budget);
  });
});
