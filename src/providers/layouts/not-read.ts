import { acceptedEndings, formatOf, isCompanion, type ListedFile } from './listing.ts';

/** Keys named in a warning. */
const named = 5;

/** Returns a warning about files that were not read.
 *  @param because a short reason, from `whyNotRead` */
export function notRead(keys: readonly string[], because: string): string {
  const [shown, more] = [keys.slice(0, named), keys.length - named];
  const list = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
  return `${keys.length === 1 ? '1 file was' : `${keys.length} files were`} not read (${because}): ${list}`;
}

const workbook = /\.(xls[xmb]?|ods|numbers)$/i;

/** Returns a short reason why a file is not a bill by its name; null for a bill and for a file that needs no warning. */
export function whyNotRead(key: string): string | null {
  if (formatOf(key) !== null || isCompanion(key)) return null;
  return workbook.test(key)
    ? 'spreadsheet; export CSV or Parquet instead'
    : `names of bill files end with ${acceptedEndings}`;
}

/** Returns warnings about files that are not bills by their names: one per reason, with counts. */
export function warnOfOthers(files: readonly ListedFile[]): string[] {
  const keys = files.filter((file) => !isFolder(file)).map(({ key }) => key);
  const [workbooks, rest] = [true, false].map((is) => keys.filter((key) => workbook.test(key) === is));
  return [workbooks, rest].flatMap((alike = []) => {
    const others = alike.filter((key) => whyNotRead(key) !== null);
    return others[0] === undefined ? [] : [notRead(others, whyNotRead(others[0]) ?? '')];
  });
}

/** Containers with a hierarchical namespace list folders as empty blobs. */
function isFolder({ key, sizeBytes }: ListedFile): boolean {
  return sizeBytes === 0 && !key.slice(key.lastIndexOf('/') + 1).includes('.');
}
