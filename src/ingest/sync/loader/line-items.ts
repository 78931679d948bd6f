import { literal } from '../../../engine/sql.ts';
import { amounts, hasGoogleTags, hasNestedTags, keyTexts, mapColumns, nameTexts, type Mapping } from './columns.ts';
import type { Layout } from './layout.ts';
import { markOf } from './normalised.ts';
import type { LoaderFile } from './protocol.ts';
import { absentText, selectAs } from './sql-values.ts';

/** A file to be read. */
export interface Source {
  file: LoaderFile;
  layout: Layout;
  /** The file's number in the table. */
  no: number;
}

/** The files' numbers, as a list of SQL. */
export function numbers(sources: readonly Source[]): string {
  return sources.map((source) => source.no).join(',');
}

/** What does not differ between the line items of one file: part of what distinguishes charges. */
const origins = ['mark', 'dialect', 'speaks_for', 'tag_form'] as const;

/** Columns of line items that distinguish charges. */
export const chargeColumns = [...origins, 'period', ...keyTexts, 'Tags'];

/** The line items of files, as SELECT: a row has `file_no`, `sig` (a hash of the texts that distinguish charges), `proof` (another
 *  one), `day`, the columns of `chargeColumns`, names and measures.
 *  @param keepsNested leave maps of tags as they are: making JSON of each distinct one costs less than of each row */
export function lineItems(sources: readonly Source[], keepsNested: boolean): string {
  const alike = Map.groupBy(sources, ({ layout, file }) => `${file.speaksFor} ${layout.signature}`);
  return [...alike.values()].map((files) => branch(files, keepsNested)).join('\nUNION ALL BY NAME\n');
}

/** The word before the text of a layout's tags. */
export function tagForm(layout: Layout): string {
  return hasGoogleTags(layout.columns) ? 'gcp:' : layout.tagForm;
}

/** Files that share their columns are read by one scan. */
function branch(files: readonly Source[], keepsNested: boolean): string {
  const [first] = files;
  if (!first) return '';
  const { layout, file } = first;
  const mapping = mapColumns(layout.columns);
  const tags = hasNestedTags(layout.columns) && !keepsNested ? `to_json(${mapping.tags})::VARCHAR` : mapping.tags;
  const fileNo = files.length === 1 ? numbers(files) : `list_extract([${numbers(files)}], file_index::INT + 1)::INT`;
  const mapped = selectAs({
    file_no: fileNo,
    period: mapping.period,
    starts_at: mapping.startsAt,
    ...mapping.keys,
    Tags: tags,
    ...mapping.names,
    ...mapping.amounts,
  });
  const origin: Record<(typeof origins)[number], string> = {
    mark: markOf(layout),
    dialect: layout.dialect,
    speaks_for: file.speaksFor,
    tag_form: tagForm(layout),
  };
  const constants = Object.fromEntries(Object.entries(origin).map(([name, text]) => [name, literal(text)]));
  const made = selectAs({
    ...hashes(Object.values(origin), mapping),
    ...constants,
    day: 'starts_at::DATE',
    x_LineItems: '1::BIGINT',
    x_StartHours: '1::INTEGER << hour(starts_at)::INTEGER',
  });
  const columns = ['file_no', 'period', ...keyTexts, 'Tags', ...nameTexts, ...amounts].join(', ');
  return `SELECT ${columns}, ${made} FROM (SELECT ${mapped} FROM ${layout.from(files.map((source) => source.file.path))})`;
}

/** Hashing what a file does not have would take a third of the time. */
function hashes(origin: readonly string[], { keys, tags }: Mapping): Record<'sig' | 'proof', string> {
  const present = keyTexts.filter((name) => keys[name] !== absentText);
  const texts = [...present, ...(tags === absentText ? [] : ['Tags'])];
  return signatures([...origin, ...texts].join(' '), ['period', ...texts]);
}

/** Two hashes of what distinguishes charges: where the second differs, the first met two charges. A resource's id stands behind a
 *  letter in the second, so that two ids with the same hash have others there; texts of other columns are few.
 *  @param columns SQL of them */
export function signatures(salt: string, columns: readonly string[]): Record<'sig' | 'proof', string> {
  const shifted = columns.map((name) => (name === 'ResourceId' ? `'r' || ResourceId` : name));
  return {
    sig: `hash(${[literal(salt), ...columns].join(', ')})`,
    proof: `hash(${[`'proof'`, literal(salt), ...shifted].join(', ')})`,
  };
}
