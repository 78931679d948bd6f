import type { Deps } from '../../kit/deps.ts';
import { processCounters, windowMs, type Count, type Counters } from './counters.ts';

/** Counts shared by several servers. */
export interface SharedCounters extends Counters {
  isDegraded(): boolean;
  /** Closes the connection. */
  close(): void;
}

/** Timeout of one count in milliseconds. Redis needs a tenth of a millisecond, so a longer wait means that it is
 *  down. */
const answerMs = 500;
/** Timeout of connecting in milliseconds, including authentication. */
const connectMs = 2_000;
/** Interval between reconnection attempts in milliseconds. */
const retryMs = 1_000;

/** Creates counters in Redis, using Redis' clock. If Redis becomes unavailable, requests are immediately counted in
 *  this process, starting from Redis' last counts: each server then enforces the limits by itself. Rejecting all
 *  requests would make Redis a single point of failure, and allowing all would permit password guessing just when an
 *  attacker has brought Redis down. No request waits for a Redis known to be unavailable; reconnection is tried once
 *  a second, and shared counting resumes with the first connection that can count.
 *  @param url `redis://` or `rediss://`, with user and password if needed */
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
      deps.log.warn({ err: reasonOf(err) }, 'Redis is unavailable: each server counts requests separately');
    state.isReported = true;
    setTimeout(() => void look(), retryMs).unref();
  };
  const lose = (client: Client, err: unknown): void => {
    client.destroy();
    if (state.client !== client) return; // superseded by another request, or already closed
    state.client = null;
    away(err);
  };
  const look = async (): Promise<void> => {
    try {
      const client = await connect(url, lose);
      if (state.isClosed) return client.destroy();
      state.client = client;
      if (state.isReported) deps.log.info('Redis is available again: servers share request counts');
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

// A script, so that counting and reading are atomic across servers. Reading (weight 0) does not open a window.
const script = `
local left = redis.call('PTTL', KEYS[1])
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) > 0 then count = redis.call('INCRBY', KEYS[1], ARGV[1]) end
if left < 0 or left > tonumber(ARGV[2]) then
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

/** Connects and verifies that counting works: a replica or a Redis out of memory responds but cannot count.
 *  @param lose called when the connection has ended
 *  @throws {Error} if any step fails or times out */
async function connect(url: string, lose: (client: Client, error: unknown) => void): Promise<Client> {
  // Imported lazily, so that servers without Redis do not load it.
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
    RESP: 2, // supported by all Redis versions and compatible servers
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
  const [count = -1, leftMs = -1, nowMs = -1] = Array.isArray(reply) ? reply.map(Number) : [];
  const isCount = count >= 0 && leftMs >= 0 && nowMs >= 0; // false for NaN, too
  if (!isCount) throw new Error('Redis did not return a count');
  return { count, resetAtMs: nowMs + leftMs, leftMs };
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new Error(`No response within ${ms} ms`));
  // Lets responses that arrived while the event loop was busy be read before the timeout fires.
  const limit = setTimeout(() => setImmediate(late), ms);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(limit);
  }
}

/** For a host with several addresses, Node's error only says that all of them failed. */
function reasonOf(error: unknown): unknown {
  return error instanceof AggregateError ? (error.errors[0] ?? error) : error;
}
