import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const ticksPerSecond = 100;

/** The percentile of the values (nearest rank). */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))] ?? NaN;
}

/** CPU seconds that a process has used so far, with all its threads. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** CPU seconds that a process has used so far, including its finished children. */
export function cpuSecondsOfTree(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

/** Current and peak resident memory of a process in MiB; zeros if it has ended. */
export function memoryMiB(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
    return { now: kib('VmRSS') / 1024, peak: kib('VmHWM') / 1024 };
  } catch {
    return { now: 0, peak: 0 };
  }
}

/** Resets the peak memory of a process. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Child processes of a process. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Tracks the peak memory of a process and of its Node child processes. */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #pid: number;
  own = 0;
  /** Peak memory of the processes that load and evaluate. */
  children = 0;
  connector = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), 50);
  }

  #look(): void {
    this.own = Math.max(this.own, memoryMiB(this.#pid).now);
    for (const child of childrenOf(this.#pid)) {
      const command = commandOf(child);
      if (/connector/.test(command)) this.connector = Math.max(this.connector, memoryMiB(child).now);
      else if (/loader|writing/.test(command)) this.children = Math.max(this.children, memoryMiB(child).now);
    }
  }

  stop(): void {
    this.#look();
    clearInterval(this.#timer);
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Bytes of all files in a folder; 0 if it is missing. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The duration of some work in ms, and its result. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

/** Prints rows as a table with aligned columns. */
export function printTable(title: string, rows: readonly Readonly<Record<string, string | number>>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const text = (value: string | number | undefined) =>
    typeof value === 'number' ? value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0) : (value ?? '');
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => text(row[name]).length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ');
  console.log(`\n${title}\n${line(names)}`);
  for (const row of rows) console.log(line(names.map((name) => text(row[name]))));
}
