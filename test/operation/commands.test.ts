import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const main = path.resolve(import.meta.dirname, '../../src/main.ts');
const DATA_DIR = path.join(tmpdir(), `costkeep-commands-${process.pid}`);

/** Runs a command of the server with a configuration that it would reject. */
function run(...args: string[]): { code: number | null; out: string; err: string } {
  const env = { PATH: process.env['PATH'], PORT: 'wrong', DATA_DIR };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { env, encoding: 'utf8' });
  expect(existsSync(DATA_DIR)).toBe(false);
  return { code: status, out: stdout, err: stderr };
}

const overview = run('help').out;
const named = [...overview.matchAll(/^ {2}([a-z-]+) {2}/gm)].map((match) => match[1] ?? '');

describe('costkeep', () => {
  it.each(['--help', '-h'])('lists its commands with %s', (flag) => {
    expect(run(flag)).toEqual({ code: 0, out: overview, err: '' });
    expect(named).toContain('serve');
  });

  // The MCP server has its own entry point: see test/mcp/stdio.test.ts.
  it.each(named.filter((name) => name !== 'mcp'))('explains %s without running it', (name) => {
    const { code, out, err } = run(name, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Usage: /);
  });

  it.each(named.filter((name) => !['mcp', 'admin'].includes(name)))('rejects an unknown option of %s', (name) => {
    const { code, out, err } = run(name, '--colour');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^Unknown option '--colour'.*\n\nUsage: /);
  });

  it.each(['serve', 'health', 'version'])('rejects an argument of %s', (name) => {
    const { code, err } = run(name, 'now');
    expect(code).toBe(2);
    expect(err).toMatch(/^Unexpected argument "now"\n\nUsage: /);
  });

  it('rejects an unknown command and lists the others', () => {
    expect(run('start')).toEqual({ code: 2, out: '', err: `There is no command "start"\n\n${overview}` });
  });
});
