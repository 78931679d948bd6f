// Vitest's setup of each file. Files share the modules imported by a worker, so hooks for every file are registered
// here: a hook in an imported module would run only for the first file.
import { afterAll } from 'vitest';
import { returnDatabases } from './database.ts';

const clock = Date;

afterAll(returnDatabases, 300_000);
afterAll(() => {
  // Later files of the worker would get its time.
  if (Date !== clock) throw new Error('The file replaced the clock of the process, and did not restore it');
});
