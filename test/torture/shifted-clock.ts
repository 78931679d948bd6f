// Loaded with `node --import` into a server and its child processes: shifts their clock by the milliseconds in the file that
// TORTURE_CLOCK names, whenever its content changes. The monotonic clock, timers and the database keep their time.
import { readFileSync } from 'node:fs';

const file = process.env['TORTURE_CLOCK'] ?? '';
const Actual = Date;
/** Interval of reading the file, in milliseconds. */
const readMs = 50;
let offset = 0;
let readAt = -Infinity;

function now(): number {
  if (performance.now() - readAt > readMs) {
    readAt = performance.now();
    offset = offsetInFile();
  }
  return Actual.now() + offset;
}

/** 0 where a process may not read the file. */
function offsetInFile(): number {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

globalThis.Date = new Proxy(Actual, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self) as Date,
  apply: () => new Actual(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)) as unknown,
});
