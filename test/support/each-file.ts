// Vitest's set-up of each file. Files share the modules that a worker has imported, so what must happen after every file is
// registered here: a hook in an imported module would belong to the first file alone.
import { afterAll } from 'vitest';
import { returnDatabases } from './database.ts';

afterAll(returnDatabases, 300_000);
