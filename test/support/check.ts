// npm test, npm run check: everything that must hold, to the end even when something fails; the last line says how many
// tests passed, failed and were skipped. Arguments go to vitest; TEST_REPORT names a file for its JSON report.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { counts } from './counts.ts';

const node = process.execPath;
const report = process.env['TEST_REPORT'] ?? path.join(os.tmpdir(), `costkeep-tests-${process.pid}.json`);
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];

/** What is checked, and how. Programs come from node_modules/.bin, which npm puts first on the PATH. */
const steps: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['types', 'tsc', '--noEmit'],
  ['console types', 'tsc', '--noEmit', '-p', 'src/console'],
  ['lint', 'oxlint', '--deny-warnings'],
  ['format', 'prettier', '--check', '--log-level', 'warn', '.'],
  ['emitted schema', node, 'src/main.ts', 'emit', '--check'],
  ['migrations', node, 'test/support/migrations.ts', 'check'],
  ['dead code', 'knip'],
  ['tests', 'vitest', 'run', ...reporters, ...process.argv.slice(2)],
];

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: string;
}

/** Runs one step with its output on ours. A step that cannot start has failed. */
async function run(program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.once('error', (error) => {
    console.error(`${program}: ${error.message}`);
    resolve(false);
  });
  child.once('exit', (code) => resolve(code === 0));
  return promise;
}

async function check([name, program, ...args]: (typeof steps)[number]): Promise<Result> {
  console.log(`\n── ${name}`);
  const start = performance.now();
  const passed = await run(program, args);
  return { name, passed, seconds: ((performance.now() - start) / 1000).toFixed(1) };
}

function line({ name, passed, seconds }: Result): string {
  return `${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds.padStart(6)} s`;
}

fs.rmSync(report, { force: true });
const results: Result[] = [];
for (const step of steps) {
  const result = await check(step);
  results.push(result);
  console.log(line(result));
}
console.log(`\n── all\n${results.map(line).join('\n')}\n\n${counts(report)}`);
if (!process.env['TEST_REPORT']) fs.rmSync(report, { force: true });
process.exit(results.every((result) => result.passed) ? 0 : 1);
