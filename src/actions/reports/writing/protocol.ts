import type pg from 'pg';
import type { Config } from '../../../kit/config.ts';
import type { Statement } from '../../../kit/errors.ts';
import type { Fact } from '../document.ts';

/** What a writing process is told: one report, whose lock its starter holds. */
export interface WritingOrder {
  readonly organizationId: string;
  readonly reportId: string;
  /** How to reach the database, without what only functions can say. */
  readonly connection: Omit<pg.ClientConfig, 'types'>;
  /** How to reach the fact files, and what the engine may use. */
  readonly config: Pick<Config, 'dataDir' | 'engine' | 'facts' | 'clouds' | 'connectorEnvironment'>;
  /** What time it is, ISO 8601. */
  readonly now: string;
}

/** A file that is written. */
export interface Written {
  /** The accounts that it tells of; null: all. */
  readonly accountIds: readonly string[] | null;
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly keyFigures: readonly Fact[];
}

/** How the writing ended: `refused` cannot be asked any more, `gone` was deleted meanwhile, `failed` may go better next time. */
export type WritingResult =
  | { readonly written: Written }
  | { readonly refused: Statement }
  | { readonly gone: string }
  | { readonly failed: string };
