import type { Database } from '../../kit/database/open.ts';
import type { Migration } from '../../kit/database/migrate.ts';
import type { Deps } from '../../kit/deps.ts';

/** What the commands of `npm run admin` use: an open database, its use cases, and what the composition root knows. */
export interface AdminDeps {
  readonly deps: Deps;
  /** Folder of the embedded database; null for an external server. */
  readonly home: Database['home'];
  readonly migrations: readonly Migration[];
}

/** Opens the database for a command and closes it afterwards. */
export type WithDeps = (work: (given: AdminDeps) => Promise<number>) => Promise<number>;
