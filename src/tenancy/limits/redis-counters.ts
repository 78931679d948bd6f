import type { Deps } from '../../kit/deps.ts';
import { processCounters, windowMs, type Count, type Counters } from './counters.ts';

/** Counts that several servers share. */
export interface SharedCounters extends Counters {
  isDegraded(): boolean;
  /** Lets the connection go. */
  close(): void;
}

/** How long one count may take. Redis needs a tenth of a millisecond; who waits longer waits for a Redis that is dead. */
const answerMs = 500;
/** How long connecting may take, logging in included. */
const connectMs = 2_000;
/** Between two looks for a Redis that is away. */
const retryMs = 1_000;

/** Counts in Redis, by Redis' clock. When Redis goes away, requests are counted in this process at once, going on from the
 *  last counts that Redis gave: each server then holds the limits by itself. Refusing everybody would make Redis a single
 *  point of failure, and letting everybody pass would open the passwords to guessing just when somebody has brought Redis
 *  down. No request waits for a Redis that is known to be away; a connection is tried once a second, and the first one
 *  that counts brings the servers together again.
 *  @param url `redis://` or `rediss://`, with user and password if there are any */
export async function openRedisCounters(url: string, deps: Pick<Deps, 'clock' | 'log'>): Promise<SharedCounters> {
  const own = processCounters(deps.clock);
  const state: { client: Client | null; isReported: boolean; isClosed: boolean } = {
    client: null,
    isReported: false,
    isClosed: false,
  };
  const away = (err: unknown): void => {
    if (state.isClosed) return;
    if (!state.isReported)
      deps.log.warn({ err: reasonOf(err) }, 'Redis is away: each server counts requests by itself');
    state.isReported = true;
    setTimeout(() => void look(), retryMs).unref();
  };
  const lose = (client: Client, err: unknown): void => {
    client.destroy();
    if (state.client !== client) return; // another request, or its end, was first
    state.client = null;
    away(err);
  };
  const look = async (): Promise<void> => {
    try {
      const client = await connect(url, lose);
      if (state.isClosed) return client.destroy();
      state.client = client;
      if (state.isReported) deps.log.info('Redis is back: servers count requests together');
      state.isReported = false;
    } catch (error) {
      away(error);
    }
  };
  await look();
  return {
    async add(key, weight) {
      const { client } = state;
      if (!client) return own.add(key, weight);
      try {
        const count = await within(answerMs, client.hit(key, weight));
        own.learn(key, count);
        return count;
      } catch (error) {
        lose(client, error);
        return own.add(key, weight);
      }
    },
    isDegraded: () => state.client === null,
    close() {
      state.isClosed = true;
      state.client?.destroy();
    },
  };
}

// One script, so that counting and reading are one step for all servers. Looking (weight 0) opens no window.
const script = `
local left = redis.call('PTTL', KEYS[1])
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) > 0 then count = redis.call('INCRBY', KEYS[1], ARGV[1]) end
if left < 0 then
  left = tonumber(ARGV[2])
  if count > 0 then redis.call('PEXPIRE', KEYS[1], left) end
end
local now = redis.call('TIME')
return {count, left, now[1] * 1000 + math.floor(now[2] / 1000)}`;

const prefix = 'costkeep:limit:';

interface Client {
  hit(key: string, weight: number): Promise<Count>;
  destroy(): void;
}

/** Connects, and proves that it can count: a replica, or a Redis without memory, answers but does not.
 *  @param lose called when the connection has ended
 *  @throws {Error} when any of it fails or takes too long */
async function connect(url: string, lose: (client: Client, error: unknown) => void): Promise<Client> {
  // Loaded here, so that servers without it need not carry it.
  const { createClient, defineScript } = await import('redis');
  const count = defineScript({
    SCRIPT: script,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, weight: number) {
      parser.pushKey(prefix + key);
      parser.push(String(weight), String(windowMs));
    },
    transformReply: countOf,
  });
  const redis = createClient({
    url,
    scripts: { count },
    RESP: 2, // what every Redis and its relatives speak
    maintNotifications: 'disabled',
    disableOfflineQueue: true,
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  });
  const client: Client = { hit: (key, weight) => redis.count(key, weight), destroy: () => redis.destroy() };
  redis.on('error', (error) => lose(client, error));
  try {
    await within(connectMs, redis.connect());
    await within(answerMs, client.hit('probe', 1));
    return client;
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function countOf(reply: unknown): Count {
  const [count, leftMs, nowMs] = Array.isArray(reply) ? reply.map(Number) : [];
  if (count === undefined || leftMs === undefined || nowMs === undefined)
    throw new Error('Redis answered something else than a count');
  return { count, resetAtMs: nowMs + leftMs, leftMs };
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new Error(`No answer within ${ms} ms`));
  // Answers that arrived while this process was busy are read first.
  const limit = setTimeout(() => setImmediate(late), ms);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(limit);
  }
}

/** Node says of a host with several addresses only that all of them failed. */
function reasonOf(error: unknown): unknown {
  return error instanceof AggregateError ? (error.errors[0] ?? error) : error;
}
