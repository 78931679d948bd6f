import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { acceptedEndings, formatOf, isHidden } from '../../providers/layouts/listing.ts';

/** Maximum length of a file name, in characters. */
export const maxNameLength = 200;

/** Bytes at the start of a file that `checkContent` needs: enough to distinguish text from other data. */
export const startBytes = 512;

/** Bytes at the end of a file that `checkContent` needs. */
export const endBytes = 4;

/** Validates the name of an uploaded file.
 *  @throws {AppError} VALIDATION_ERROR naming the rule */
export function checkFileName(name: string): void {
  if (name.length > maxNameLength)
    throw invalid`${arg('name', name)} has ${name.length} characters; at most ${maxNameLength} are allowed`;
  if (/[/\\]/.test(name))
    throw invalid`${arg('name', name)} contains a slash${fix}send the file's name without its folder`;
  if (/\p{C}/u.test(name)) throw invalid`${arg('name')} contains an invisible character${fix}remove it`;
  if (name !== name.trim() || isHidden(name))
    throw invalid`${arg('name', name)} must not begin with a dot or a space, nor end with a space`;
  if (formatOf(name) === null) throw invalid`${arg('name', name)} must end with ${acceptedEndings}`;
}

/** A format with a signature, by the end of the file's name. */
interface Signature {
  readonly says: string;
  readonly ending: RegExp;
  readonly start: RegExp;
  /** Signature at the end of the file. */
  readonly end?: string;
}

/** In hexadecimal digits: RFC 1952, RFC 8878, PKWARE's APPNOTE and the Parquet format. */
const signatures: readonly Signature[] = [
  { says: 'gzip', ending: /\.gz$/i, start: /^1f8b/ },
  // Parallel compressors begin with a skippable frame.
  { says: 'zstd', ending: /\.zstd?$/i, start: /^(28b52ffd|5[\da-f]2a4d18)/ },
  { says: 'ZIP', ending: /\.zip$/i, start: /^504b0304/ },
  { says: 'Parquet', ending: /\.parquet$/i, start: /^50415231/, end: '50415231' },
];

/** Checks that the content of a file matches its name.
 *  @param ends its first `startBytes` and its last `endBytes`
 *  @throws {AppError} VALIDATION_ERROR when it is empty, truncated, or in another format */
export function checkContent(name: string, { first, last }: { readonly first: Buffer; readonly last: Buffer }): void {
  if (first.length === 0) throw invalid`File "${name}" is empty${fix}check that the export is complete`;
  const [start, end] = [first.toString('hex'), last.toString('hex')];
  const named = signatures.find(({ ending }) => ending.test(name));
  const found = signatures.find((signature) => signature.start.test(start));
  if (found !== named) {
    const remedy =
      named === undefined ? 'give it the extension of that format' : 'correct its name, or export it again';
    if (!found)
      throw invalid`File "${name}" has the ${named?.says ?? ''} extension, but contains no ${named?.says ?? ''} data${fix}${remedy}`;
    throw invalid`File "${name}" contains ${found.says} data, but its extension is for ${named?.says ?? 'text'}${fix}${remedy}`;
  }
  if (named?.end !== undefined && named.end !== end)
    throw invalid`File "${name}" is truncated: its ${named.says} data has no end${fix}upload it again`;
  if (named === undefined && !isText(first))
    throw invalid`File "${name}" has a text extension, but is not UTF-8 text${fix}save it as UTF-8, or correct its name`;
}

/** Whether the start of a file is UTF-8, perhaps with an incomplete last character. */
function isText(start: Buffer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true }).includes('\0');
  } catch {
    return false;
  }
}
