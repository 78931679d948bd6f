import type { ChildProcess } from 'node:child_process';

/** What a process can be asked: the arguments and the result of each command. */
export type Commands<Table> = { [C in keyof Table]: { args: unknown; result: unknown } };

/** What such a process is sent. */
export interface ProcessRequest<Table extends Commands<Table>> {
  id: number;
  command: keyof Table;
  args: Table[keyof Table]['args'];
}

/** Every answer names the question. */
interface Answer {
  id: number;
  result?: unknown;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** How the messages of one kind of process are read. */
interface Protocol<Message> {
  /** What it is called in errors: `the loading process`. */
  readonly name: string;
  /** Its death answers everything that it was asked. */
  readonly signal: AbortSignal;
  /** The error behind an answer without a result. */
  fault(message: Exclude<Message, { result: unknown }>): Error;
}

/** A child process that is asked one thing or several at a time, and is killed when the signal is aborted. */
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

  /** Operating system's id of the process. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @throws {Error} the fault that the process answers, how it ended, or the reason of the signal */
  async ask<C extends keyof Table>(command: C, args: Table[C]['args']): Promise<Table[C]['result']> {
    this.#protocol.signal.throwIfAborted();
    if (this.#end) throw this.#end;
    const id = this.#nextId++;
    return new Promise<Table[C]['result']>((resolve, reject) => {
      this.#pending.set(id, { resolve: (result) => resolve(result as Table[C]['result']), reject });
      this.#child.send({ id, command, args }, (error) => error && this.#settle(id, (pending) => pending.reject(error)));
    });
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
    return new Error(`${name} ended unexpectedly (${killer ?? `exit code ${code}`})`);
  }
}

function isAnswer(message: object): message is Answer {
  return 'id' in message;
}
