import type { Statement } from '../kit/errors/errors.ts';
import { dayOf } from '../kit/time/period.ts';

/** Formats of bill files. A text file may have any delimiter; an archive contains files of the other formats. */
export const fileFormats = ['csv', 'csv.gz', 'csv.zst', 'parquet', 'zip'] as const;

export type FileFormat = (typeof fileFormats)[number];

/** A bill file at its source. */
export interface SourceFile {
  /** Stable name in the source, with `/` between folders. */
  readonly key: string;
  /** Changes when the content may have changed: size, modification time and inode of a local file, the ETag of an object, the
   *  newest export time of a table. */
  readonly token: string;
  /** 0 if unknown before the fetch. */
  readonly sizeBytes: number;
  /** By its name; what it contains may differ. */
  readonly format: FileFormat;
  /** Billing month `YYYY-MM` if a manifest or its path states it authoritatively; null: only the rows have it. */
  readonly month: string | null;
  /** When the provider made this snapshot of the month, according to a manifest. */
  readonly snapshotAt: Date | null;
  /** Number of line items according to the manifest, if known. */
  readonly expectedRows: number | null;
  /** Which costs of its rows count: `all`, or one half of a bill that is delivered twice, as an Azure export of actual costs
   *  (`billed`) and one of amortized costs (`effective`); the two are never added for a charge. */
  readonly speaksFor: 'all' | 'billed' | 'effective';
  /** The delivery that it is part of, named by its manifest or folder: parts of one delivery never repeat each other. Absent:
   *  only the file. */
  readonly delivery?: string;
}

/** Memo of a source's last listing, so that it only queries what is new: JSON, stored with the account and passed back
 *  unchanged. Contains no secrets. Null: none yet. */
export type SourceMemo = unknown;

/** The current bills. */
export interface SourceListing {
  /** Files ordered by key; each charge is in exactly one of them. */
  readonly files: SourceFile[];
  /** For the next listing. */
  readonly memo: SourceMemo;
  /** Warnings for readers of the costs, one sentence each: what this source lacks, new columns. */
  readonly warnings: readonly string[];
  /** Files that are left out of `files`, because it is unknown which of them counts. */
  readonly conflicts?: readonly Conflict[];
  readonly emptied?: readonly EmptiedMonth[];
  /** Keys that are left out of `files`, because they cannot be read; a warning says why. */
  readonly unreadable?: readonly string[];
  /** The files are the whole bill: a month that none of them contains no longer exists. Otherwise a month whose files are gone
   *  keeps its last load. */
  readonly isWhole?: boolean;
  /** The source has recent months only, so an absent month does not mean that its charges are gone. */
  readonly isRecentOnly?: boolean;
}

/** A billing month that has no charges according to a manifest, unless a file contains them. */
export interface EmptiedMonth {
  /** `YYYY-MM` */
  readonly month: string;
  /** Prefix of the keys of its export: the manifest does not cover other files. */
  readonly folder: string;
}

/** Files of which only one counts, but it is unknown which: their months keep their last good load. */
export interface Conflict {
  readonly keys: readonly string[];
  /** Billing months, `YYYY-MM`, that they may contain. */
  readonly months: readonly string[];
  readonly statement: Statement;
}

/** Source of an account's bills. It only fetches and has no access to the database. */
export interface CostSource {
  /** Whether `fetch` returns the file in place, without copying. */
  readonly isInPlace: boolean;
  /** Lists the current bill files. Without changes it takes one request, apart from sign-in.
   *  @throws {AppError} VALIDATION_ERROR naming the permission, bucket, dataset or file, and the fix.
   *  @throws {TryLater} when the provider requests a later retry, or is unreachable. */
  list(memo: SourceMemo, signal: AbortSignal): Promise<SourceListing>;
  /** Fetches a file to the local disk and returns its absolute path; its content is exactly what `list` saw.
   *  @param folder private folder of the sync; a source that must copy writes there, under a new name
   *  @throws {AppError} VALIDATION_ERROR when it has changed since it was listed, or cannot be read completely.
   *  @throws {TryLater} as `list` */
  fetch(file: SourceFile, folder: string, signal: AbortSignal): Promise<string>;
  /** Verifies that a file read in place is unchanged; not needed for copies.
   *  @throws {AppError} VALIDATION_ERROR when the file has changed or disappeared since it was listed. */
  verify?(file: SourceFile): Promise<void>;
}

/** A resource or commitment in a provider's inventory. */
export interface InventoryItem {
  /** Slug as in bills: `aws`, `azure`, `gcp`. */
  readonly provider: string;
  /** Id in the provider's FOCUS bills (ResourceId, CommitmentDiscountId). */
  readonly nativeId: string;
  /** Other ids in bills, such as `i-0abc` for an instance's ARN; used if the account's bills have one of these and not the
   *  native id. */
  readonly aliases: readonly string[];
  /** Empty if it has none. */
  readonly name: string;
  readonly resourceType: string;
  /** FOCUS ServiceName and RegionId. */
  readonly service: string;
  readonly region: string;
  readonly tags: Readonly<Record<string, string>>;
  /** See `facts/inventory/metadata.ts` for the fields that detectors use. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Summary at the end of a listing. */
export interface ListingEnd {
  /** Gaps for lack of a permission or index, with the fix, one sentence each. */
  readonly warnings: readonly string[];
  /** Lists that could not be read, so that their items do not count as deleted: regular expressions over their names, valid in
   *  both JavaScript and PostgreSQL. */
  readonly unread: readonly string[];
}

/** Source of an account's inventory: resources, their tags, reservations and Savings Plans. Metadata only: no contents,
 *  configuration, environment or secrets of a resource are ever read. */
export interface InventorySource {
  /** Passes on all current items, page by page.
   *  @param keep also receives the name of the list that named the items, the same each time
   *  @throws {TryLater} when any part is temporarily unreadable: an incomplete listing would make missing resources count as
   *  deleted
   *  @throws {AppError} VALIDATION_ERROR when nothing may be read */
  list(keep: KeepItems, signal: AbortSignal): Promise<ListingEnd>;
}

/** Stores a page of a list. */
export type KeepItems = (items: readonly InventoryItem[], list: string) => Promise<void>;

/** Result of an access check, before an account is connected. */
export interface AccessCheck {
  /** Id at the provider; connected at most once per organization. See `spec.ts`. */
  readonly externalId: string;
  /** Missing data, one sentence each: permissions that only the inventory needs. */
  readonly warnings: readonly string[];
}

/** A provider, opened with an account's credentials and settings. */
export interface Connection {
  readonly costs: CostSource;
  /** Null: the provider has none. */
  readonly inventory: InventorySource | null;
  /** Checks whether the bills can be read, without reading them.
   *  @throws {AppError} VALIDATION_ERROR naming the field, permission, bucket, container, dataset or table that is wrong, and
   *  the fix
   *  @throws {TryLater} when the provider cannot be reached */
  check(signal: AbortSignal): Promise<AccessCheck>;
}

/** Returns the source file of a month that is queried from an API.
 *  @param token changes when the month should be queried again */
export function askedMonth(
  key: string,
  { month, token, snapshotAt = null }: { month: string; token: string; snapshotAt?: Date | null },
): SourceFile {
  return { key, token, sizeBytes: 0, format: 'csv', month, snapshotAt, expectedRows: null, speaksFor: 'all' };
}

/** Returns the half of a UTC day, `2026-11-21 am`: a token that changes twice per day. */
export function halfDay(now: Date): string {
  return `${dayOf(now)} ${now.getUTCHours() < 12 ? 'am' : 'pm'}`;
}
