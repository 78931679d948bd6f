import { existsSync } from 'node:fs';
import path from 'node:path';
import { printTable } from '../bench/measure.ts';
import { Findings, type Attack } from './attack.ts';
import { clock } from './clock.ts';
import { disk } from './disk.ts';
import { fuzz } from './fuzz.ts';
import { kill } from './kill.ts';
import { limits } from './limits.ts';
import { load } from './load.ts';
import { neighbours } from './neighbours.ts';
import { randomOf } from './random.ts';
import { upgrade } from './upgrade.ts';

/** The parts of the torture, in the order in which they run. */
export const parts = { kill, disk, limits, clock, neighbours, fuzz, load, upgrade } satisfies Record<string, Attack>;
export type Part = keyof typeof parts;

interface Options {
  readonly chosen: readonly Part[];
  /** Of each part. */
  readonly minutes: number;
  readonly seed: number;
  readonly isShort: boolean;
}

/** Runs the parts, prints their figures and faults, and returns whether there was none. */
export async function run({ chosen, minutes, seed, isShort }: Options): Promise<boolean> {
  console.log(`Seed ${seed}, ${minutes} minutes per part`);
  let passed = true;
  for (const part of chosen) {
    const findings = await runPart(part, { minutes, seed, isShort });
    printTable(part, findings.rows());
    for (const reason of findings.skipped) console.log(`SKIPPED: ${reason}`);
    for (const fault of findings.faults) console.log(`FAULT: ${fault}`);
    if (findings.faults.length === 0) continue;
    passed = false;
    console.log(`Repeat with: npm run torture -- --parts ${part} --minutes ${minutes} --seed ${seed}`);
  }
  console.log(passed ? '\nNo faults' : '\nThere are faults; see above');
  return passed;
}

/** Runs one part. */
export async function runPart(part: Part, { minutes, seed, isShort }: Omit<Options, 'chosen'>): Promise<Findings> {
  requireBuild();
  const findings = new Findings();
  const end = performance.now() + minutes * 60_000;
  const progress = isShort ? () => {} : progressOf(part, end);
  try {
    await parts[part]({
      findings,
      random: randomOf(seed),
      isShort,
      hasTime: () => performance.now() < end,
      show: progress,
    });
  } catch (error) {
    findings.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  progress(null);
  return findings;
}

/** Interval of progress lines without a terminal, in milliseconds. */
const lineMs = 15_000;

/** Shows progress on one line of the terminal, or without one a line every 15 seconds. */
function progressOf(part: Part, end: number): (text: string | null) => void {
  const { stderr } = process;
  let last = 0;
  return (text) => {
    if (stderr.isTTY) stderr.write('\r\u001B[K');
    if (text === null) return;
    const left = Math.max(0, (end - performance.now()) / 60_000).toFixed(1);
    const line = `${part}: ${text} (${left} minutes left)`;
    if (stderr.isTTY) stderr.write(line.slice(0, stderr.columns - 1));
    else if (performance.now() - last > lineMs) {
      last = performance.now();
      stderr.write(`${line}\n`);
    }
  };
}

/** @throws {Error} without a build */
function requireBuild(): void {
  const built = path.resolve(import.meta.dirname, '../../dist/server/main.js');
  if (!existsSync(built)) throw new Error('The server is not built: run "npm run build"');
}
