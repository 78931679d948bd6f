import { isIPv6 } from 'node:net';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { GraphQLResolveInfo } from 'graphql';
import { getGraphQLRateLimiter, type Store } from 'graphql-rate-limit';
import type { RateCategory } from '../../kit/config/config.ts';
import { type Count, type Counters, windowMs } from './counters.ts';

/** The category and identity that a request counts against. */
interface Budget {
  readonly category: RateCategory;
  readonly identity: string;
}

/** The budget of a request: sign-in and all unauthenticated requests count per address, others per user.
 *  @param userId null if unauthenticated */
export function budgetOf(category: RateCategory, userId: string | null, ipAddress: string): Budget {
  if (category === 'auth' || userId === null) return { category: 'auth', identity: `ip:${networkOf(ipAddress)}` };
  return { category, identity: `user:${userId}` };
}

/** The rate-limited network of an address: an IPv6 subscriber has a whole /64, so that counts as one address; IPv4
 *  addresses count individually. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const bare = address.split('%', 1)[0] ?? address;
  if (!isIPv6(bare)) return address;
  const [head = '', tail] = bare.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}

/** The decision on one request, as reported in its headers. */
export interface Verdict {
  readonly category: RateCategory;
  /** Above the limit: the request is rejected. */
  readonly limited: boolean;
  /** Requests allowed per minute. */
  readonly limit: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** End of the window: Unix time in seconds. */
  readonly reset: number;
  /** Seconds until the end of the window, at least 1. */
  readonly retryAfter: number;
}

/** Rate limiter. */
export interface Limiter {
  /** @param identity owner of the budget, from `budgetOf`
   *  @param weight number of requests, for example root fields of an operation; 0 only reads the budget */
  hit(category: RateCategory, identity: string, weight?: number): Promise<Verdict>;
}

/** Context of one hit, passed to the store, which the library only queries by identity. */
interface Call {
  readonly identity: string;
  readonly weight: number;
  readonly limit: number;
  count: Count;
}

/** Creates the server's rate limiter: graphql-rate-limit over atomic counters, with each category as a separate
 *  field. README.md explains how they fit together. */
export function createLimiter(limits: Readonly<Record<RateCategory, number>>, counters: Counters): Limiter {
  const calls = new AsyncLocalStorage<Call>();
  const store: Store = {
    async getForIdentity({ fieldIdentity, contextIdentity }) {
      const call = calls.getStore();
      if (!call) throw new Error('Requests are counted inside a hit only');
      call.count = await counters.add(`${fieldIdentity}|${contextIdentity}`, call.weight);
      // Windows are fixed: all earlier requests expire together, so all are dated to the start of the window.
      const startedAtMs = Date.now() + call.count.leftMs - windowMs;
      return Array<number>(Math.min(call.count.count - call.weight, call.limit)).fill(startedAtMs);
    },
    setForIdentity() {}, // never called: fields are read-only
  };
  const decide = getGraphQLRateLimiter({ identifyContext: ({ identity }: Call) => identity, store });
  return {
    async hit(category, identity, weight = 1) {
      const limit = limits[category];
      const call: Call = { identity, weight, limit, count: { count: 0, resetAtMs: 0, leftMs: 0 } };
      const info = { fieldName: category } satisfies Partial<GraphQLResolveInfo> as GraphQLResolveInfo;
      const request = { parent: null, args: { roots: Array(weight) }, context: call, info };
      const refusal = await calls.run(call, () => decide(request, { ...fieldConfig, max: limit }));
      const { count, resetAtMs, leftMs } = call.count;
      return {
        category,
        limited: refusal !== undefined && weight > 0,
        limit,
        remaining: Math.max(0, limit - count),
        reset: Math.ceil(resetAtMs / 1000),
        retryAfter: Math.max(1, Math.ceil(leftMs / 1000)),
      };
    },
  };
}

/** `readOnly`: reading already counted the request. `window`: longer than the counters' own, so that the library's
 *  clock cannot end a window between the count and the decision. */
const fieldConfig = { arrayLengthField: 'roots', readOnly: true, window: `${2 * windowMs}ms` };
