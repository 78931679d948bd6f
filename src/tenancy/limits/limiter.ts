import { getGraphQLRateLimiter, Store } from 'graphql-rate-limit';
import type { GraphQLResolveInfo } from 'graphql';
import type { RateCategory } from '../../kit/config.ts';
import type { Count, Counters } from './counters.ts';

/** What the limiter says of one request, as its headers tell it. */
export interface Verdict {
  readonly category: RateCategory;
  /** Above the limit: the request is refused. */
  readonly limited: boolean;
  /** Requests allowed a minute. */
  readonly limit: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** When the window ends: Unix time in seconds. */
  readonly reset: number;
  /** Seconds until then, at least 1. */
  readonly retryAfter: number;
}

/** Counts a request and says whether it may pass. */
export interface Limiter {
  /** @param identity whose budget it is; see identities.ts
   *  @param weight how many requests it stands for; 0 only looks */
  hit(category: RateCategory, identity: string, weight?: number): Promise<Verdict>;
}

type Limits = Readonly<Record<RateCategory, number>>;

/** graphql-rate-limit decides; a store of ours counts. The library's own stores read and write in two steps, which lets a
 *  hundred parallel calls through a limit of thirty, and it tells neither what is left nor when the window ends. */
export function createLimiter(limits: Limits, counters: Counters): Limiter {
  return {
    async hit(category, identity, weight = 1) {
      const limit = limits[category];
      const store = new CountingStore(counters, limit, weight);
      const decide = getGraphQLRateLimiter({ identifyContext: () => identity, store });
      const refusal = await decide(callOf(category), { max: limit, window: '60s' });
      return verdict(category, limit, refusal !== undefined && weight > 0, store.seen);
    },
  };
}

function verdict(category: RateCategory, limit: number, limited: boolean, seen: Count): Verdict {
  return {
    category,
    limited,
    limit,
    remaining: Math.max(0, limit - seen.count),
    reset: Math.ceil(seen.resetAtMs / 1000),
    retryAfter: Math.max(1, Math.ceil(seen.leftMs / 1000)),
  };
}

/** One check's view of the counters. The library asks for the earlier calls and refuses when they and this one are more
 *  than the limit; so it gets a full list when the count is above it, and none otherwise. */
class CountingStore extends Store {
  seen: Count = { count: 0, resetAtMs: 0, leftMs: 0 };
  readonly #counters: Counters;
  readonly #limit: number;
  readonly #weight: number;

  constructor(counters: Counters, limit: number, weight: number) {
    super();
    this.#counters = counters;
    this.#limit = limit;
    this.#weight = weight;
  }

  override async getForIdentity(identity: { contextIdentity: string; fieldIdentity: string }): Promise<number[]> {
    this.seen = await this.#counters.add(`${identity.fieldIdentity}|${identity.contextIdentity}`, this.#weight);
    return this.seen.count > this.#limit ? Array.from({ length: this.#limit }, () => Date.now()) : [];
  }

  /** Counted already. */
  override setForIdentity(): void {}
}

/** The library keys its counts by field; ours are keyed by category, so the category plays the field. */
function callOf(category: RateCategory) {
  const info: Pick<GraphQLResolveInfo, 'fieldName'> = { fieldName: category };
  return { parent: null, args: {}, context: {}, info: info as GraphQLResolveInfo };
}
