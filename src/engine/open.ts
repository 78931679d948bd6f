import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Metric } from 'prom-client';
import type { Config } from '../kit/config/config.ts';
import { AppError } from '../kit/errors/errors.ts';
import type { Log } from '../kit/log.ts';
import { inSpan } from '../kit/tracing/spans.ts';
import type { AnswerPlan, FactEngine, FactQuery, FactValue } from './engine.ts';
import { EngineEnded, EngineFault, FileLost, FilesGone, tooSlow, translate } from './failures.ts';
import type { FactFile, FactSet } from './fact-set.ts';
import type { FactLease, FactStore } from './stores/fact-store.ts';
import { EngineMetrics } from './metrics.ts';
import { closeScratch, type EngineHold, EngineProcess, type EngineRun, openScratch } from './process.ts';
import type { Batch, EngineCommands } from './protocol.ts';
import { FairQueue } from './queue.ts';
import { withFacts } from './sql.ts';

/** Time limit of a job's query, in milliseconds. Retired files are kept longer. */
export const jobTimeoutMs = 600_000;

/** A query that runs longer than this after its interrupt gets its process killed. Milliseconds. */
const interruptGraceMs = 5000;

interface EngineParts {
  readonly process: EngineProcess;
  readonly store: FactStore;
  readonly log: Log;
  /** Time limit of requests. */
  readonly timeoutMs: number;
  onClose(): Promise<void>;
}

/** Builds a server's engine. Its process starts with the first query. */
export function openEngine(config: Pick<Config, 'dataDir' | 'engine'>, store: FactStore, log: Log): FactEngine {
  const { dataDir, engine } = config;
  const scratch = openScratch(path.join(dataDir, 'engine'));
  const process = new EngineProcess({ ...engine, folders: [store.folder], scratch, dataDir }, log);
  const onClose = async () => {
    await process.close();
    closeScratch(scratch);
  };
  return engineOver({ process, store, log, timeoutMs: engine.timeoutMs, onClose });
}

/** Builds an engine on a process that several engines may share. */
export function engineOver(parts: EngineParts): FactEngine {
  return new Engine(parts);
}

/** A completed query and its first result. */
interface Run<Result> {
  readonly hold: EngineHold;
  readonly result: Result;
  readonly queuedMs: number;
  readonly startedAt: number;
}

type Statement = Omit<EngineCommands['run']['args'], 'isLong'>;

class Engine implements FactEngine {
  readonly #parts: EngineParts;
  readonly #queue = new FairQueue();
  readonly #metrics: EngineMetrics;
  /** Keys of missing and truncated files that are already in the log. */
  readonly #lost = new Set<string>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#metrics = new EngineMetrics({ ...parts, queue: this.#queue });
  }

  get metrics(): readonly Metric[] {
    return this.#metrics.all;
  }

  countAnswer(plan: AnswerPlan): void {
    this.#metrics.countAnswer(plan);
  }

  async rows<Row extends object>(facts: FactSet, query: FactQuery): Promise<Row[]> {
    return twice(async () => {
      const rows: Row[] = [];
      const run = await this.#start(facts, query, { isLong: false });
      for await (const batch of this.#read<Row>(run, facts, query)) rows.push(...batch);
      return rows;
    });
  }

  async *batches<Row extends object>(facts: FactSet, query: FactQuery): AsyncGenerator<Row[]> {
    yield* this.#read<Row>(await twice(() => this.#start(facts, query, { isLong: true })), facts, query);
  }

  async write(facts: FactSet, query: FactQuery, format: 'parquet' | 'csv'): Promise<string> {
    const file = path.join(this.#parts.process.options.scratch, `${randomUUID()}.${format}`);
    const write = (run: EngineRun, statement: Statement) => run.ask('write', { ...statement, path: file, format });
    try {
      const run = await twice(() => this.#execute(facts, query, write));
      run.hold.release();
      this.#report(run, facts, query, run.result);
      return file;
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#parts.onClose();
  }

  #start(facts: FactSet, query: FactQuery, { isLong }: { isLong: boolean }): Promise<Run<Batch>> {
    return this.#execute(facts, query, (run, statement) => run.ask('run', { ...statement, isLong }));
  }

  async *#read<Row extends object>(run: Run<Batch>, facts: FactSet, query: FactQuery): AsyncGenerator<Row[]> {
    let batch = run.result;
    let rows = 0;
    try {
      for (;;) {
        const read = rowsOf<Row>(batch);
        rows += read.length;
        if (read.length > 0) yield read;
        if (batch.isLast) break;
        query.signal?.throwIfAborted();
        batch = await run.hold.run.ask('next', { query: run.hold.query }).catch((error) => this.#fail(error, query));
      }
      this.#report(run, facts, query, rows);
    } finally {
      if (!batch.isLast) void run.hold.run.ask('end', { query: run.hold.query }).catch(() => {});
      run.hold.release();
    }
  }

  /** Queues a query and runs it to completion within its time limit. */
  #execute<Result>(
    facts: FactSet,
    query: FactQuery,
    ask: (run: EngineRun, statement: Statement) => Promise<Result>,
  ): Promise<Run<Result>> {
    const fields = { 'costkeep.lane': query.lane ?? 'request', 'costkeep.files': filesOf(facts).length };
    return inSpan(`facts ${query.name}`, fields, () => this.#run(facts, query, ask));
  }

  async #run<Result>(
    facts: FactSet,
    query: FactQuery,
    ask: (run: EngineRun, statement: Statement) => Promise<Result>,
  ): Promise<Run<Result>> {
    const queuedAt = performance.now();
    const { signal, lane = 'request', parameters = {} } = query;
    let lease: FactLease | null = null;
    try {
      lease = await this.#parts.store.lease(filesOf(facts), signal);
      const sql = withFacts(query.sql, facts, lease.pathOf);
      const leave = await this.#queue.enter(facts, lane, signal);
      const startedAt = performance.now();
      const hold = await this.#acquire(leave);
      const asked = ask(hold.run, { query: hold.query, sql, parameters }).finally(leave);
      const result = await this.#bounded(asked, hold, query).catch((error) => {
        hold.release();
        return this.#fail(error, query);
      });
      this.#metrics.observe(performance.now() - startedAt);
      return { hold, result, queuedMs: startedAt - queuedAt, startedAt };
    } catch (error) {
      this.#metrics.observeFailure(error, signal);
      if (!signal?.aborted) this.#log(error, query);
      throw error;
    } finally {
      lease?.release();
    }
  }

  /** The client gets a retry hint; the operator gets the reason, that of a lost file once. */
  #log(error: unknown, { name }: FactQuery): void {
    if (error instanceof FileLost) {
      if (this.#lost.has(error.key)) return;
      this.#lost.add(error.key);
      const { key, damage } = error;
      this.#parts.log.error({ code: 'fact_file_lost', key, damage }, 'A fact file is missing or damaged');
    } else if (error instanceof AppError && error.cause instanceof Error)
      this.#parts.log.warn({ query: name, reason: error.cause.message }, 'Facts could not be queried');
  }

  async #acquire(leave: () => void): Promise<EngineHold> {
    try {
      return await this.#parts.process.acquire();
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Interrupts the query on timeout or abort. */
  #bounded<Result>(
    asked: Promise<Result>,
    { run, query }: EngineHold,
    { signal, lane = 'request' }: FactQuery,
  ): Promise<Result> {
    const limitMs = lane === 'job' ? jobTimeoutMs : this.#parts.timeoutMs;
    return new Promise((resolve, reject) => {
      let grace: NodeJS.Timeout | undefined;
      const interrupt = (reason: unknown) => {
        reject(reason as Error);
        void run.ask('end', { query }).catch(() => {});
        grace ??= setTimeout(() => void this.#parts.process.kill(run), interruptGraceMs);
      };
      const abort = () => interrupt(signal?.reason);
      const timer = setTimeout(() => interrupt(tooSlow(limitMs, lane === 'request')), limitMs);
      const settled = () => {
        clearTimeout(timer);
        clearTimeout(grace);
        signal?.removeEventListener('abort', abort);
      };
      asked.then(resolve, reject).finally(settled);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  #fail(error: unknown, query: FactQuery): never {
    query.signal?.throwIfAborted();
    if (error instanceof EngineFault) throw translate(error, this.#parts.process.options, query.name);
    if (error instanceof AppError) throw error;
    throw new EngineEnded(error);
  }

  #report({ queuedMs, startedAt }: Run<unknown>, { organizationId }: FactSet, query: FactQuery, rows: number): void {
    const ms = Math.round(performance.now() - startedAt);
    this.#parts.log.debug(
      { query: query.name, organizationId, rows, ms, queuedMs: Math.round(queuedMs) },
      'Facts were queried',
    );
  }
}

/** Retries once if the engine process ended meanwhile, or the copy of a file was evicted. */
async function twice<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineEnded || error instanceof FilesGone)) throw error;
    return work();
  }
}

function filesOf(facts: FactSet): FactFile[] {
  return facts.parts.flatMap(({ files }) => files);
}

function rowsOf<Row extends object>({ names, columns }: Batch): Row[] {
  const rows: Record<string, FactValue>[] = (columns[0] ?? []).map(() => ({}));
  for (const [column, name] of names.entries()) {
    for (const [index, row] of rows.entries()) row[name] = columns[column]?.[index] ?? null;
  }
  return rows as Row[];
}
