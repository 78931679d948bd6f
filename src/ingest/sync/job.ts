import type { Deps } from '../../kit/deps.ts';
import type { Month } from '../../kit/period.ts';
import type { CostSource, SourceListing, SourceMemo } from '../../providers/contract.ts';
import type { ControlTotals } from '../../engine/codebook.ts';
import type { SyncProgress } from './store.ts';
import type { Workspace } from './workspace.ts';

/** What a sync needs of the outside. */
export type SyncDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'log' | 'factStore' | 'engine'>;

/** Which account to sync, and who is told how far it is. */
export interface SyncJob {
  accountId: string;
  source: CostSource;
  /** What the source remembers of its last listing; null for nothing. */
  memo?: SourceMemo;
  /** Its private folder; one is made when it is absent. */
  workspace?: Workspace;
  signal: AbortSignal;
  onProgress(progress: SyncProgress): void;
  /** A billing month was replaced. What comes after may fail all the same. */
  onReplaced?(): void;
  /** What the source says beside its files. */
  onListed?(listing: Omit<SourceListing, 'files'>): void;
}

/** A sync with its private folder. */
export type PlacedJob = SyncJob & { workspace: Workspace };

/** What a sync loaded. */
export interface SyncResult {
  /** Line items read. */
  lineItems: number;
  /** Billing months that were replaced; none when nothing is new. */
  months: { month: Month; lineItems: number; totals: readonly ControlTotals[] }[];
}
