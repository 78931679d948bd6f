import { dayOf } from '../kit/period.ts';

/** How the content of a bill file is written. */
export type FileFormat = 'csv' | 'csv.gz' | 'parquet';

/** One file of a bill at its source. */
export interface SourceFile {
  /** Stable name inside the source, with `/` between folders. */
  readonly key: string;
  /** Changes when the content may have changed: size, modification time and inode of a local file, an object's ETag, a
   *  table's newest export time. */
  readonly token: string;
  /** 0 where the source cannot say before it is fetched. */
  readonly sizeBytes: number;
  readonly format: FileFormat;
  /** Billing month `YYYY-MM` where a manifest or its path says so authoritatively; null: the rows say it. */
  readonly month: string | null;
  /** When the provider made this snapshot of the month, where a manifest says so. */
  readonly snapshotAt: Date | null;
  /** Line items the manifest promises for this file, where it does. */
  readonly expectedRows: number | null;
  /** Which costs its rows speak for: `all`, or one half of a bill that is delivered twice, as an Azure export of actual
   *  (`billed`) and one of amortized costs (`effective`): of each charge the two are never added. */
  readonly speaksFor: 'all' | 'billed' | 'effective';
}

/** What a source remembers of its last listing, so that it asks no more than what is new: JSON, kept with the account and
 *  handed back as it was. It holds no secret. Null: nothing yet. */
export type SourceMemo = unknown;

/** What stands for the bills now. */
export interface SourceListing {
  /** Each charge in exactly one of them, ordered by key. */
  readonly files: SourceFile[];
  /** For the next listing. */
  readonly memo: SourceMemo;
  /** What the reader of the figures should know, a sentence each: what this source lacks, columns that are new. */
  readonly warnings: readonly string[];
}

/** Where the bills of an account come from. It only fetches: it knows no database. */
export interface CostSource {
  /** Whether `fetch` answers the file where it lies, and copies nothing. */
  readonly isInPlace: boolean;
  /** The files that stand for the bills now. Without news it costs one request, signing in apart.
   *  @throws {AppError} VALIDATION_ERROR naming the permission, bucket, dataset or file, and the remedy.
   *  @throws {TryLater} when the provider asks to come back later, or cannot be reached. */
  list(memo: SourceMemo, signal: AbortSignal): Promise<SourceListing>;
  /** Brings a file onto the local disk and answers its absolute path; what it holds is what `list` saw, to the last byte.
   *  @param folder private folder of the sync; a source that must copy copies there, under a new name
   *  @throws {AppError} VALIDATION_ERROR when it changed since it was listed, or cannot be read whole.
   *  @throws {TryLater} as `list` */
  fetch(file: SourceFile, folder: string, signal: AbortSignal): Promise<string>;
  /** Of files that are read in place: whether one is still what it was. A copy of ours changes no more.
   *  @throws {AppError} VALIDATION_ERROR when the file changed, or vanished, since it was listed. */
  verify?(file: SourceFile): Promise<void>;
}

/** A resource or commitment as a provider's inventory lists it. */
export interface InventoryItem {
  /** Slug as on bills: `aws`, `azure`, `gcp`. */
  readonly provider: string;
  /** As FOCUS bills of the provider call it (ResourceId, CommitmentDiscountId). */
  readonly nativeId: string;
  /** Other names under which bills may know it, such as `i-0abc` for an instance's ARN: where the account's bills know one
   *  of these and not the native id, that one is taken. */
  readonly aliases: readonly string[];
  /** Empty where it has none. */
  readonly name: string;
  readonly resourceType: string;
  /** FOCUS ServiceName, and RegionId. */
  readonly service: string;
  readonly region: string;
  readonly tags: Readonly<Record<string, string>>;
  /** See `facts/inventory/metadata.ts` for the words that detectors know. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What is said of a listing at its end. */
export interface ListingEnd {
  /** What could not be read for want of a permission, or of an index, and the remedy, a sentence each. */
  readonly warnings: readonly string[];
  /** Which lists could not be read, so that what they named before is not taken for gone: regular expressions over their
   *  names, as JavaScript and PostgreSQL both read them. */
  readonly unread: readonly string[];
}

/** Where the inventory of an account comes from: resources, their tags, reservations and savings plans. Metadata alone: no
 *  content, configuration, environment or secret of a resource is ever asked for. */
export interface InventorySource {
  /** Hands over everything that is there now, page by page.
   *  @param keep is told the list that named the items too, by the same name each time
   *  @throws {TryLater} when any part could not be read for now: a listing with a hole would say that what is missing is gone
   *  @throws {AppError} VALIDATION_ERROR when nothing at all may be read */
  list(keep: KeepItems, signal: AbortSignal): Promise<ListingEnd>;
}

/** Takes a page of a list over. */
export type KeepItems = (items: readonly InventoryItem[], list: string) => Promise<void>;

/** What a look at a provider found, before an account is connected. */
export interface AccessCheck {
  /** What the provider calls what is connected; the same one is connected once per organization. See `spec.ts`. */
  readonly externalId: string;
  /** What will be missing, a sentence each: permissions that only the inventory needs. */
  readonly warnings: readonly string[];
}

/** A provider, opened with an account's credentials and settings. */
export interface Connection {
  readonly costs: CostSource;
  /** Null: this provider has none to ask. */
  readonly inventory: InventorySource | null;
  /** Looks whether the bills can be read, without reading them.
   *  @throws {AppError} VALIDATION_ERROR naming the one field, permission, bucket, container, dataset or table that is wrong,
   *    and the remedy
   *  @throws {TryLater} when the provider cannot be reached */
  check(signal: AbortSignal): Promise<AccessCheck>;
}

/** A month that a provider is asked for, as the file that its answer becomes.
 *  @param token changes when it is worth asking for again */
export function askedMonth(
  key: string,
  { month, token, snapshotAt = null }: { month: string; token: string; snapshotAt?: Date | null },
): SourceFile {
  return { key, token, sizeBytes: 0, format: 'csv', month, snapshotAt, expectedRows: null, speaksFor: 'all' };
}

/** Half of a UTC day, `2026-11-21 am`: a token that changes twice a day. */
export function halfDay(now: Date): string {
  return `${dayOf(now)} ${now.getUTCHours() < 12 ? 'am' : 'pm'}`;
}
