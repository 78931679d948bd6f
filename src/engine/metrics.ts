import { readFileSync } from 'node:fs';
import { Counter, Gauge, Histogram, type Metric } from 'prom-client';
import { AppError } from '../kit/errors/errors.ts';
import type { AnswerPlan } from './engine.ts';
import { FileLost } from './failures.ts';
import type { FactStore } from './stores/fact-store.ts';
import type { EngineProcess } from './process.ts';
import type { FairQueue } from './queue.ts';

interface Measured {
  readonly process: Pick<EngineProcess, 'restarts' | 'pid'>;
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
  readonly #answers = new Counter({
    name: 'costkeep_cost_answers_total',
    help: 'Computed cost queries, by source (rollups, facts or both); cached results are not counted',
    labelNames: ['plan'],
    registers: [],
  });

  constructor({ process, queue, store: { cache } }: Measured) {
    const gauges = [
      gauge('fact_queries_running', 'Running cost queries', () => queue.running),
      gauge('fact_queries_waiting', 'Queued cost queries', () => queue.waiting),
      gauge('fact_engine_restarts', 'Restarts of the cost engine', () => process.restarts),
      gauge('fact_engine_resident_memory_bytes', 'Resident memory of the cost engine; 0 if it is not running', () =>
        residentBytes(process.pid),
      ),
    ];
    const ofCache = cache && [
      gauge('fact_cache_bytes', 'Local copies of fact files', () => cache.bytes),
      gauge('fact_cache_hits', 'Fact files read from local copies', () => cache.hits),
      gauge('fact_cache_misses', 'Downloaded fact files', () => cache.misses),
    ];
    this.all = [this.#queries, this.#durations, this.#answers, ...gauges, ...(ofCache ?? [])];
  }

  /** Counts a computed answer to a cost query. */
  countAnswer(plan: AnswerPlan): void {
    this.#answers.inc({ plan });
  }

  /** Records a completed query. */
  observe(durationMs: number): void {
    this.#queries.inc({ outcome: 'ok' });
    this.#durations.observe(durationMs / 1000);
  }

  /** Records a failed query. */
  observeFailure(error: unknown, signal: AbortSignal | undefined): void {
    this.#queries.inc({ outcome: signal?.aborted ? 'cancelled' : outcomeOf(error) });
  }
}

function outcomeOf(error: unknown): 'damaged' | 'unavailable' | 'failed' {
  if (error instanceof FileLost) return 'damaged';
  return error instanceof AppError ? 'unavailable' : 'failed';
}

/** Resident memory of a process, from /proc; 0 without it, as on macOS. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
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
