import { parseArgs, type ParseArgsConfig } from 'node:util';
import { AppError } from '../../kit/errors/errors.ts';

/** Values of options: text, or whether a switch is set. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** Arguments of a command. */
export interface Arguments {
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

/** A command of the operator. */
export interface CliCommand {
  /** Text of `--help`. */
  readonly usage: string;
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
  /** Names of the required positional arguments. */
  readonly positionals: readonly string[];
  /** @returns the exit code */
  run(args: Arguments): Promise<number>;
}

/** Arguments that a command does not accept. */
export class UsageError extends Error {}

/** Reads an argument; an invalid value is a wrong argument, not a failure of the command. */
export async function readArgument<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Milliseconds. Ctrl-C arrives twice: from the terminal, and from the npm that started this process. */
const echoMs = 500;

/** Runs a command of the operator and prints its errors.
 *  @returns the exit code: 0 done, 1 failed, 2 wrong arguments, 130 interrupted */
export async function runCommand(command: CliCommand, args: readonly string[]): Promise<number> {
  const interrupted = new AbortController();
  let since: number | null = null;
  const interrupt = () => {
    if (since !== null && Date.now() - since >= echoMs) process.exit(130);
    since ??= Date.now();
    interrupted.abort(new Error('interrupted'));
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await explain(command, args, interrupted.signal);
  } catch (error) {
    // Any other error has another cause, and may have come after the change.
    if (!interrupted.signal.aborted || error !== interrupted.signal.reason) throw error;
    console.error('Interrupted: nothing was changed.');
    return 130;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Runs a command, or prints its usage or its error. Signals are those of the process.
 *  @param signal passed to the command
 *  @returns the exit code: 0 done, 1 failed, 2 wrong arguments */
export async function explain(
  command: CliCommand,
  args: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  try {
    const parsed = read(command, args);
    if (parsed !== null) return await command.run({ ...parsed, signal });
    console.log(command.usage);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError || error instanceof UsageError)) throw error;
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? `${error.message}\n\n${command.usage}` : error.message);
    return isUsage ? 2 : 1;
  }
}

/** @returns null for `--help` */
function read(command: CliCommand, args: readonly string[]): Omit<Arguments, 'signal'> | null {
  const { values, positionals } = parse(command, args);
  if (values['help']) return null;
  const missing = command.positionals[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is required`);
  const extra = positionals[command.positionals.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}"`);
  return { positionals, options: values };
}

function parse(command: CliCommand, args: readonly string[]): { values: OptionValues; positionals: string[] } {
  const options: ParseArgsConfig['options'] = { ...command.options, help: { type: 'boolean', short: 'h' } };
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return { values: values as OptionValues, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The text of an option; null if it is not given. */
export function textOption(options: OptionValues, name: string): string | null {
  const value = options[name];
  if (typeof value !== 'string') return null;
  if (value.trim() === '') throw new UsageError(`--${name} is blank`);
  return value;
}

/** The text of a required option. */
export function requiredOption(options: OptionValues, name: string): string {
  const value = textOption(options, name);
  if (value === null) throw new UsageError(`--${name} is required`);
  return value;
}
