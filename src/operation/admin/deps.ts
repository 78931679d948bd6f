import type { Database } from '../../kit/database/open.ts';
import type { Migration } from '../../kit/database/migrate.ts';
import type { Deps } from '../../kit/deps.ts';

/** Dependencies of the commands of `npm run admin`: an open database, its use cases, and the migrations of this version. */
export interface AdminDeps {
  readonly deps: Deps;
  /** Folder of the embedded database; null for an external server. */
  readonly home: Database['home'];
  readonly migrations: readonly Migration[];
}

/** Opens the database for a command and closes it afterwards. It must have all migrations. */
export type WithDeps = (work: (given: AdminDeps) => Promise<number>) => Promise<number>;

/** Opens the database as it is and closes it afterwards. */
export type WithDatabase = <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
