import type { SourceFile } from '../contract.ts';

/** A file or object as a folder, bucket or container lists it. */
export interface ListedFile {
  /** Name from the listed root on, `/` between folders. */
  readonly key: string;
  readonly token: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** Reads a small text file (a manifest) of the listing. */
export type ReadText = (key: string) => Promise<string>;

/** What a layout makes of a listing. */
export interface LayoutPlan {
  /** The files that stand for the bill. */
  readonly files: SourceFile[];
  /** Keys that belong to the layout, read or superseded: no other layout looks at them. */
  readonly claimed: ReadonlySet<string>;
}

/** What is to be done about files whose manifest is not there yet: of a copied folder nobody knows whether it will ever come. */
export type Unfinished = 'refuse' | 'wait';

/** A layout of which something may still be under way. */
export interface LivePlan extends LayoutPlan {
  /** What is not read yet, a sentence each. */
  readonly warnings: readonly string[];
}
