import type { Owned } from '../../tenancy/auth/owner-scope.ts';
import type { Filters } from '../reports/filters.ts';
import type { ReportFormat, ReportType } from '../reports/kinds.ts';
import type { Timing } from './timing.ts';

/** How a schedule's last run ended: its report is being made, is there, or there is none. */
export type RunStatus = 'pending' | 'ready' | 'failed';

/** What a schedule holds, beside whose it is and how its runs went. */
export interface ScheduleValues extends Timing {
  readonly name: string;
  readonly type: ReportType;
  readonly format: ReportFormat;
  /** As a report keeps them; `account_id`, where accounts are named, is a list. */
  readonly filters: Filters;
  /** Addresses; none: the owner's. */
  readonly recipients: readonly string[];
  /** Whether the owner's webhook is told, too. */
  readonly slack: boolean;
  readonly enabled: boolean;
}

/** A report that is made, and told of, again and again. */
export interface Schedule extends ScheduleValues, Owned {
  readonly id: string;
  readonly organizationId: string;
  /** Null while it is not enabled. */
  readonly nextRunAt: Date | null;
  readonly lastRunAt: Date | null;
  readonly lastStatus: RunStatus | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The accounts that filters name; null: all that the owner sees. */
export function namedAccounts({ account_id: named }: Filters): string[] | null {
  return Array.isArray(named) ? named.filter((id) => typeof id === 'string') : null;
}
