import type { ChildProcess } from 'node:child_process';
import { inSpan } from '../tracing/spans.ts';

/** The commands of a process: the arguments and result of each. */
export type Commands<Table> = { [C in keyof Table]: { args: unknown; result: unknown } };

/** A request to such a process. */
export interface ProcessRequest<Table extends Commands<Table>> {
  id: number;
  command: keyof Table;
  args: Table[keyof Table]['args'];
}

/** A response, matched to its request by id. */
interface Answer {
  id: number;
  result?: unknown;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** How to interpret the messages of one kind of process. */
interface Protocol<Message> {
  /** Name in error messages: `the loader process`. */
  readonly name: string;
  /** Aborting it rejects all pending requests and kills the process. */
  readonly signal: AbortSignal;
  /** The error behind a response without a result. */
  fault(message: Exclude<Message, { result: unknown }>): Error;
}

/** The process ended before it answered. */
export class ProcessEnded extends Error {
  /** Name of the process, such as `the loader process`. */
  readonly process: string;
  /** Signal that ended it; null if it exited. */
  readonly killer: string | null;

  constructor(name: string, code: number | null, killer: string | null) {
    super(`${name} ended unexpectedly (${killer ?? `exit code ${code}`})`);
    this.process = name;
    this.killer = killer;
  }
}

/** A child process with request/response messaging and concurrent requests; killed when the signal aborts. */
export class AskedProcess<Table extends Commands<Table>, Message extends object> {
  readonly #child: ChildProcess;
  readonly #protocol: Protocol<Message>;
  readonly #pending = new Map<number, Pending>();
  readonly #abort: () => void;
  #end: Error | null = null;
  #nextId = 1;

  constructor(child: ChildProcess, protocol: Protocol<Message>) {
    this.#child = child;
    this.#protocol = protocol;
    this.#abort = () => void child.kill('SIGKILL');
    protocol.signal.addEventListener('abort', this.#abort, { once: true });
    child.on('message', (message: Message) => this.#receive(message));
    child.on('error', (error) => this.#fail(error));
    child.on('exit', (code, killer) => this.#fail(this.#death(code, killer)));
  }

  /** Process id. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @throws {Error} the process's error response, its exit reason, or the signal's abort reason */
  async ask<C extends keyof Table>(command: C, args: Table[C]['args']): Promise<Table[C]['result']> {
    this.#protocol.signal.throwIfAborted();
    if (this.#end) throw this.#end;
    return inSpan(`${this.#protocol.name}: ${String(command)}`, {}, () => this.#send(command, args));
  }

  #send<C extends keyof Table>(command: C, args: Table[C]['args']): Promise<Table[C]['result']> {
    const id = this.#nextId++;
    return new Promise<Table[C]['result']>((resolve, reject) => {
      this.#pending.set(id, { resolve: (result) => resolve(result as Table[C]['result']), reject });
      this.#child.send({ id, command, args }, (error) => error && this.#settle(id, (pending) => pending.reject(error)));
    });
  }

  /** Whether every request has its response. */
  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.#protocol.signal.removeEventListener('abort', this.#abort);
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }

  #receive(message: Message): void {
    if (!isAnswer(message)) return;
    this.#settle(message.id, (pending) => {
      if ('result' in message) pending.resolve(message.result);
      else pending.reject(this.#protocol.fault(message as Exclude<Message, { result: unknown }>));
    });
  }

  #settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending) how(pending);
  }

  #fail(error: Error): void {
    this.#end = error;
    for (const id of this.#pending.keys()) this.#settle(id, (pending) => pending.reject(error));
  }

  #death(code: number | null, killer: string | null): Error {
    const { signal, name } = this.#protocol;
    if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Error('cancelled');
    return new ProcessEnded(name, code, killer);
  }
}

function isAnswer(message: object): message is Answer {
  return 'id' in message;
}
