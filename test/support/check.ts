// npm test, npm run check: runs all checks to the end even after a failure; the last line has the numbers of passed,
// failed and skipped tests. Arguments are passed to Vitest; TEST_REPORT names a file for its JSON report.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { summary } from './counts.ts';

const node = process.execPath;
const report = process.env['TEST_REPORT'] ?? path.join(os.tmpdir(), `costkeep-tests-${process.pid}.json`);
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];

type Step = readonly [name: string, program: string, ...args: string[]];

/** The checks besides the tests with their commands, the longest first. Programs come from node_modules/.bin, which npm
 *  puts first in the PATH. */
const steps: readonly Step[] = [
  ['format', 'prettier', '--check', '--log-level', 'warn', '.'],
  ['types', 'tsc', '--noEmit'],
  ['console types', 'tsc', '--noEmit', '-p', 'src/console'],
  ['migrations', node, 'test/support/migrations.ts', 'check'],
  ['dead code', 'knip'],
  ['dependency audit', node, 'test/support/audit.ts'],
  ['lint', 'oxlint', '--deny-warnings'],
  ['emitted schema', node, 'src/surfaces/emit.ts', '--check'],
];
const tests: Step = ['tests', 'vitest', 'run', ...reporters, ...process.argv.slice(2)];

/** Number of concurrent steps: most of them leave a second processor idle. */
const atOnce = 2;

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: string;
}

/** Runs one step, and passes its output through, or collects it in `held`. A step that cannot start has failed. */
async function run(program: string, args: readonly string[], held?: Buffer[]): Promise<boolean> {
  const child = spawn(program, args, { stdio: held ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => held?.push(chunk));
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.once('error', (error) => {
    console.error(`${program}: ${error.message}`);
    resolve(false);
  });
  child.once('close', (code) => resolve(code === 0));
  return promise;
}

async function check([name, program, ...args]: Step, held?: Buffer[]): Promise<Result> {
  const start = performance.now();
  const passed = await run(program, args, held);
  return { name, passed, seconds: ((performance.now() - start) / 1000).toFixed(1) };
}

/** Runs all steps with bounded concurrency, and reports each when it is done. */
async function checkTogether(all: readonly Step[]): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...all];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const said: Buffer[] = [];
      const result = await check(step, said);
      console.log(`\n── ${result.name}`);
      process.stdout.write(Buffer.concat(said));
      console.log(line(result));
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

function line({ name, passed, seconds }: Result): string {
  return `${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds.padStart(6)} s`;
}

fs.rmSync(report, { force: true });
const results = await checkTogether(steps);
console.log(`\n── ${tests[0]}`);
results.push(await check(tests));
console.log(`\n── all\n${results.map(line).join('\n')}\n\n${summary(report)}`);
if (!process.env['TEST_REPORT']) fs.rmSync(report, { force: true });
process.exit(results.every((result) => result.passed) ? 0 : 1);
