import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CliCommand, runCommand } from '../../src/operation/cli/command.ts';

const echoMs = 500;

/** A command that works until it is interrupted and may end. */
function aCommand(mayEnd: Promise<void>): CliCommand {
  return {
    usage: '',
    options: {},
    positionals: [],
    async run({ signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await mayEnd;
      throw signal.reason;
    },
  };
}

afterEach(() => void vi.restoreAllMocks());

describe('an interrupted command', () => {
  it('prints that nothing was changed, and ends with code 130', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const listeners = process.listenerCount('SIGTERM');
    const ended = runCommand(aCommand(Promise.resolve()), []);
    process.emit('SIGTERM');
    expect(await ended).toBe(130);
    expect(said).toHaveBeenCalledWith('Interrupted: nothing was changed.');
    expect(process.listenerCount('SIGTERM')).toBe(listeners);
  });

  it('ends at once at the second signal, unless that is an echo of the first', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const ended = runCommand(aCommand(mayEnd), []);
    process.emit('SIGINT');
    process.emit('SIGINT');
    expect(exit).not.toHaveBeenCalled();
    // Timers may fire a millisecond early.
    await sleep(echoMs + 50);
    process.emit('SIGINT');
    expect(exit).toHaveBeenCalledWith(130);
    end();
    await ended;
  });
});
