import { Counter, Gauge, Histogram, type Metric } from 'prom-client';
import { AppError } from '../kit/errors/errors.ts';
import type { FactStore } from './stores/fact-store.ts';
import type { EngineProcess } from './process.ts';
import type { FairQueue } from './queue.ts';

interface Measured {
  readonly process: Pick<EngineProcess, 'restarts'>;
  readonly queue: Pick<FairQueue, 'running' | 'waiting'>;
  readonly store: Pick<FactStore, 'cache'>;
}

/** The engine's Prometheus metrics. Each server registers them in its own registry. */
export class EngineMetrics {
  readonly all: readonly Metric[];
  readonly #queries = new Counter({
    name: 'fact_queries_total',
    help: 'Cost queries, by outcome',
    labelNames: ['outcome'],
    registers: [],
  });
  readonly #durations = new Histogram({
    name: 'fact_query_duration_seconds',
    help: 'Run time of cost queries, without the time in the queue',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers: [],
  });

  constructor({ process, queue, store: { cache } }: Measured) {
    const gauges = [
      gauge('fact_queries_running', 'Running cost queries', () => queue.running),
      gauge('fact_queries_waiting', 'Queued cost queries', () => queue.waiting),
      gauge('fact_engine_restarts', 'Restarts of the cost engine', () => process.restarts),
    ];
    const ofCache = cache && [
      gauge('fact_cache_bytes', 'Local copies of fact files', () => cache.bytes),
      gauge('fact_cache_hits', 'Fact files read from local copies', () => cache.hits),
      gauge('fact_cache_misses', 'Downloaded fact files', () => cache.misses),
    ];
    this.all = [this.#queries, this.#durations, ...gauges, ...(ofCache ?? [])];
  }

  /** Records a completed query. */
  observe(durationMs: number): void {
    this.#queries.inc({ outcome: 'ok' });
    this.#durations.observe(durationMs / 1000);
  }

  /** Records a failed query. */
  observeFailure(error: unknown, signal: AbortSignal | undefined): void {
    const failure = error instanceof AppError ? 'unavailable' : 'failed';
    this.#queries.inc({ outcome: signal?.aborted ? 'cancelled' : failure });
  }
}

function gauge(name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect: function collect() {
      this.set(read());
    },
  });
}
