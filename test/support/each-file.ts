// Vitest's setup of each file. Files share the modules imported by a worker, so hooks for every file are registered
// here: a hook in an imported module would run only for the first file.
import { afterAll } from 'vitest';
import { returnDatabases } from './database.ts';

afterAll(returnDatabases, 300_000);
