import { arg, fix, invalid } from '../../../kit/errors/errors.ts';
import { GoogleFault } from '../faults.ts';
import { type DatasetRef, nameOf, type TableRef } from '../input.ts';
import { followPages } from '../../faults.ts';
import { type GoogleSession, maxPages } from '../session.ts';

/** Kind of a Google export. */
export type TableKind = 'detailed' | 'focus' | 'standard';

/** Metadata of a BigQuery table. */
export interface TableState {
  readonly ref: TableRef;
  readonly kind: TableKind;
  /** Every column and field, in lower case, with dots: `project.id`. */
  readonly fields: ReadonlySet<string>;
  /** Column names as written. */
  readonly columns: readonly string[];
  readonly location: string;
  /** Changes with the rows; null for a view or external table, where it is unknown. */
  readonly version: string | null;
  /** Minimum number of rows: recently added ones are not counted yet. Null if `version` is. */
  readonly rows: number | null;
  /** Creation time; a recreated table shares nothing with the previous one. */
  readonly createdAt: string;
  /** Column for partition filters: a column, `_PARTITIONTIME` of an ingestion-time partitioned table, or null. */
  readonly partition: string | null;
}

/** Lists the exports in a dataset, in order of preference: the detailed one has documented credits and resources.
 *  @throws {GoogleFault} and {TryLater} as `GoogleSession.use` */
export async function listExports(
  session: GoogleSession,
  { project, dataset }: DatasetRef,
  signal: AbortSignal,
): Promise<{ kind: TableKind; table: string }[]> {
  const ask = (pageToken?: string) =>
    session.use(signal, ({ bigquery }) =>
      bigquery.dataset(dataset, { projectId: project }).getTables({
        autoPaginate: false,
        maxResults: 1000,
        ...(pageToken !== undefined && { pageToken }),
      }),
    );
  const endless = () =>
    invalid`BigQuery returned pages of the tables of dataset ${project}.${dataset} without end (endless paging)${fix}sync again`;
  const found: string[] = [];
  for await (const [tables] of followPages(ask, ([, next]) => tokenOf(next), maxPages, endless))
    found.push(...tables.map(({ id }) => id ?? ''));
  const exports = found.flatMap((table) => {
    const kind = kindByName(table);
    return kind === null ? [] : [{ kind, table }];
  });
  const order: readonly TableKind[] = ['detailed', 'focus', 'standard'];
  return exports.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.table < b.table ? -1 : 1));
}

function tokenOf(next: unknown): string | undefined {
  if (typeof next !== 'object' || next === null || !('pageToken' in next)) return undefined;
  return typeof next.pageToken === 'string' && next.pageToken !== '' ? next.pageToken : undefined;
}

function kindByName(table: string): TableKind | null {
  const [, kind] = /^gcp_billing_export_(resource_v1|focus|v1)_/.exec(table) ?? [];
  if (kind === undefined) return null;
  return kind === 'resource_v1' ? 'detailed' : kind === 'focus' ? 'focus' : 'standard';
}

interface Field {
  name?: string;
  fields?: Field[];
}

interface Metadata {
  schema?: { fields?: Field[] };
  location?: string;
  lastModifiedTime?: string;
  creationTime?: string;
  numRows?: string;
  etag?: string;
  type?: string;
  timePartitioning?: { type?: string; field?: string };
}

/** Reads a table's metadata: its columns, and whether it has changed.
 *  @throws {AppError} VALIDATION_ERROR when it is not a Google billing export
 *  @throws {GoogleFault} and {TryLater} as `GoogleSession.use` */
export async function readTable(session: GoogleSession, ref: TableRef, signal: AbortSignal): Promise<TableState> {
  const [metadata] = await session.use(signal, ({ bigquery }) =>
    bigquery.dataset(ref.dataset, { projectId: ref.project }).table(ref.table).getMetadata(),
  );
  return stateOf(ref, metadata);
}

function stateOf(ref: TableRef, metadata: Metadata): TableState {
  const top = metadata.schema?.fields ?? [];
  const fields = new Set(top.flatMap((field) => pathsOf(field, '')));
  // Metadata of a view or external table describes only its definition.
  const isView = metadata.type !== undefined && !/^(TABLE|SNAPSHOT)$/.test(metadata.type);
  const { timePartitioning } = metadata;
  return {
    ref,
    kind: kindByFields(fields) ?? unknownKind(ref),
    fields,
    columns: top.map(({ name = '' }) => name),
    location: metadata.location ?? '',
    version: isView ? null : `${metadata.lastModifiedTime ?? ''}|${metadata.numRows ?? ''}`,
    rows: isView || metadata.numRows === undefined ? null : Number(metadata.numRows),
    createdAt: metadata.creationTime ?? '',
    partition: timePartitioning ? (timePartitioning.field ?? '_PARTITIONTIME') : null,
  };
}

function pathsOf({ name = '', fields = [] }: Field, prefix: string): string[] {
  const path = `${prefix}${name.toLowerCase()}`;
  return [path, ...fields.flatMap((field) => pathsOf(field, `${path}.`))];
}

/** Detects the kind by columns: a table named in the settings may be a view or copy with any name. */
function kindByFields(fields: ReadonlySet<string>): TableKind | null {
  if (fields.has('billedcost') && fields.has('chargeperiodstart')) return 'focus';
  if (!fields.has('usage_start_time') || !fields.has('invoice.month')) return null;
  return fields.has('resource.global_name') || fields.has('resource.name') ? 'detailed' : 'standard';
}

function unknownKind(ref: TableRef): never {
  throw invalid`${arg('settings.table')} names BigQuery table ${nameOf(ref)}, which is not a Cloud Billing export${fix}name one of gcp_billing_export_resource_v1_…, gcp_billing_export_focus_… or gcp_billing_export_v1_…`;
}

/** Returns whether an error means that a table or dataset does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof GoogleFault && error.status === 404;
}
