import type { SourceFile } from '../../providers/contract.ts';
import type { BatchReader } from './batch-reader.ts';
import type { Faults } from './faults.ts';
import type { SyncPlan } from './plan.ts';
import type { Shelf } from './shelf.ts';

/** Files whose charges are in the loader, or soon will be, and the months they belong to. */
export interface Group {
  files: SourceFile[];
  months: readonly string[];
  /** Its charges are in the loader. */
  isRead: boolean;
  /** Its files are wanted already. */
  isWanted: boolean;
}

/** A file that is looked into to learn its months stays on the disk until it is read, unless there is too much of that. */
const mostBytesAhead = 4 * 1024 ** 3;

interface Parts {
  readonly plan: SyncPlan;
  readonly shelf: Shelf;
  readonly reader: BatchReader;
  readonly faults: Faults;
}

/** Finds out which billing months each changed file holds: as its manifest says, else from that one column, else by reading it.
 *  @returns without the files that cannot be read, which are noted as faults */
export class Grouping {
  readonly #it: Parts;

  constructor(parts: Parts) {
    this.#it = parts;
  }

  async groups(): Promise<Group[]> {
    return [...(await this.#readUnknownMonths()), ...(await this.#inspectKnownMonths())];
  }

  /** CSV files say their months only in their rows, so they are read at once, one after another. */
  async #readUnknownMonths(): Promise<Group[]> {
    const { plan, shelf, reader, faults } = this.#it;
    const group: Group = { files: [], months: [], isRead: true, isWanted: true };
    const files = plan.changed.filter((each) => !hasKnownMonths(each));
    shelf.want(files);
    // None rests with what it has read of a batch: they are all here before.
    await reader.await(files, async () => {});
    for (const file of files) {
      const isFine = await faults.attempt(
        () => reader.read([file], null, group.files.length > 0),
        () => this.#guessMonths(file),
      );
      if (isFine) group.files.push(file);
    }
    group.months = reader.monthsIn(group.files);
    return group.files.length > 0 ? [group] : [];
  }

  async #inspectKnownMonths(): Promise<Group[]> {
    const groups: Group[] = [];
    for (const file of this.#it.plan.changed.filter(hasKnownMonths)) {
      if (file.month) groups.push({ files: [file], months: [file.month], isRead: false, isWanted: false });
      else
        await this.#it.faults.attempt(
          async () => void groups.push(await this.#inspect(file)),
          () => this.#guessMonths(file),
        );
    }
    return groups;
  }

  async #inspect(file: SourceFile): Promise<Group> {
    const { shelf, reader } = this.#it;
    shelf.want([file]);
    const months = await reader.inspect(file);
    const isWanted = shelf.bytes <= mostBytesAhead;
    if (!isWanted) await shelf.letGo([file]);
    return { files: [file], months, isRead: false, isWanted };
  }

  /** Months that a broken file may hold: those that its rows show and, where some cannot be read, those it held before. */
  async #guessMonths(file: SourceFile): Promise<readonly string[]> {
    const { months, isComplete } = await this.#it.reader.guess(file);
    const before = this.#it.plan.monthsBefore.get(file.key);
    if (!isComplete && !before) this.#it.faults.holdBackAll();
    return [...months, ...(before ?? [])];
  }
}

function hasKnownMonths(file: SourceFile): boolean {
  return file.month !== null || file.format === 'parquet';
}
