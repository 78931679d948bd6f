import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from './place.ts';

// A named pipe serves as a reference count for the database. Each of our processes keeps it open for writing; a
// watcher reads it and stops the database when the last writer is gone, even after a crash, because the kernel closes
// the pipes of a killed process too.

const { O_RDWR, O_WRONLY, O_NONBLOCK } = fs.constants;

/** Path of the pipe. */
export function pipeOf(place: Place): string {
  return path.join(place.run, 'users');
}

/** Registers this process as a user of the database.
 *  @returns a function that releases it */
export function hold(place: Place): () => void {
  const pipe = pipeOf(place);
  makePipe(pipe, place);
  // A pipe without a reader cannot be opened for writing, so open it as a reader for a moment.
  const both = fs.openSync(pipe, O_RDWR | O_NONBLOCK);
  const writer = fs.openSync(pipe, O_WRONLY | O_NONBLOCK);
  fs.closeSync(both);
  return () => fs.closeSync(writer);
}

/** Whether a watcher is reading the pipe. */
export function isWatched(place: Place): boolean {
  try {
    fs.closeSync(fs.openSync(pipeOf(place), O_WRONLY | O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

function makePipe(pipe: string, place: Place): void {
  if (!fs.existsSync(pipe)) spawnSync('mkfifo', ['-m', '600', pipe], { ...place.user, cwd: '/' });
  if (!fs.lstatSync(pipe).isFIFO()) throw new Error(`${pipe} is not a named pipe; remove it`);
}
