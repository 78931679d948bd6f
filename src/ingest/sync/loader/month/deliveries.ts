import { measureNames, type MonthPart } from '../batch.ts';
import { keyTexts, mapColumns } from '../bill/columns.ts';
import { absentText } from '../bill/layout.ts';
import type { Source } from '../bill/line-items.ts';
import type { Duck } from '../duck.ts';

/** Charges that arrive together and never repeat each other: the parts of a manifest or run, otherwise one file. */
export interface Delivery {
  readonly no: number;
  /** For messages: the file, or the manifest or folder of several. */
  readonly name: string;
  readonly sources: readonly Source[];
}

/** A month with a FROM item of its sums by file, charge and day; charges as in the table `charge`. */
export type SummedMonth = MonthPart & { readonly sums: string };

/** Returns the deliveries of files, ordered by name. */
export function deliveriesOf(sources: readonly Source[]): Delivery[] {
  const groups = Map.groupBy(sources, ({ file }) => file.delivery ?? file.name);
  return [...groups]
    .map(([name, [first, ...rest]]) => ({
      name: rest.length === 0 ? (first?.file.name ?? name) : name,
      sources: first ? [first, ...rest] : [],
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((delivery, no) => ({ no, ...delivery }));
}

/** Returns an SQL relation of `file_no` and `delivery`. */
export function deliveryOf(deliveries: readonly Delivery[]): string {
  const rows = deliveries.flatMap(({ no, sources }) => sources.map((source) => `(${source.no}, ${no})`));
  return `(VALUES ${rows.join(', ')}) AS d(file_no, delivery)`;
}

/** SQL of whether a charge is a commitment's, over the table `charge`. */
export const isCommitted = `(CommitmentDiscountId IS NOT NULL OR coalesce(CommitmentDiscountStatus = 'Unused', false))`;
const role = `CASE WHEN NOT ${isCommitted} THEN 'plain'
    WHEN ChargeCategory = 'Usage' AND CommitmentDiscountStatus IS DISTINCT FROM 'Unused' THEN 'covered' ELSE 'fee' END`;

/** A part of a month's charges. Equal charges are in the same part. */
interface Slice {
  readonly no: number;
  /** Number of slices. */
  readonly of: number;
}

/** Returns the slices in which a month is compared, so that memory use does not depend on its size.
 *  @param most maximum rows (per file, charge and day) of a slice */
export async function slicesOf(duck: Duck, { sums, files }: SummedMonth, most: number): Promise<Slice[]> {
  const rows = Number(await duck.value(`SELECT count(*) FROM ${sums} WHERE file_no IN (${files})`));
  const of = Math.ceil(rows / most) || 1;
  return Array.from({ length: of }, (_, no) => ({ no, of }));
}

/** Creates the table `trace` of a slice: per delivery, charge and day the fingerprint of its figures (`print`), its hours, the
 *  fingerprint of its usage only (`bare`) and how it is priced: `plain`, `covered` by a commitment, or a commitment's `fee`. A charge
 *  is identified by the columns that all files have, so that other versions of FOCUS compare. The number of line items is not part of
 *  `print`, so that exports by hour and by day compare. */
export async function traceCharges(
  duck: Duck,
  part: SummedMonth,
  deliveries: readonly Delivery[],
  { no, of }: Slice,
): Promise<void> {
  const { sums } = part;
  // CommitmentDiscountQuantity is new in FOCUS 1.1.
  const others = new Set<string>(['CommitmentDiscountQuantity', 'x_LineItems', 'x_StartHours']);
  const figures = measureNames.filter((name) => !others.has(name)).map((name) => `sum(${name})`);
  await duck.run(`CREATE OR REPLACE TABLE trace AS
    SELECT delivery, account, role, day, hash(core, day, ${figures.join(', ')}) AS print,
      bit_or(x_StartHours) AS hours, hash(core, day, sum(x_LineItems), sum(ConsumedQuantity)) AS bare
    FROM ${sums} JOIN (SELECT DISTINCT unnest(sigs) AS sig, hash(x_Provider, SubAccountId) AS account,
      hash(${sharedKeys(part.sources).join(', ')}) AS core, ${role} AS role FROM charge) USING (sig) JOIN ${deliveryOf(deliveries)} USING (file_no)
    WHERE core % ${of} = ${no} GROUP BY delivery, account, role, core, day`);
}

/** Returns the key columns of facts that every file has. */
function sharedKeys(sources: readonly Source[]): string[] {
  const mappings = sources.map(({ layout }) => mapColumns(layout.columns));
  const names = keyTexts.filter(
    (name) => name !== 'ProviderName' && mappings.every(({ keys }) => keys[name] !== absentText),
  );
  return ['x_Provider', ...names, ...(mappings.every(({ tags }) => tags !== absentText) ? ['Tags'] : [])];
}
