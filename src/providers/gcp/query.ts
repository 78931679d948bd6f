import { fix, invalid } from '../../kit/errors/errors.ts';
import { GoogleFault } from './faults.ts';
import { type GoogleSession, maxPages } from './session.ts';

/** Maximum bytes per query; about three dollars at list price. BigQuery rejects larger queries before it runs them. */
const maxBytesBilled = 500 * 2 ** 30;
/** Time limit of a query in milliseconds, enforced by BigQuery. */
const jobTimeoutMs = 15 * 60_000;
const pageRows = 10_000;

/** A row of a query with only text columns. */
export type TextRow = Readonly<Record<string, string | null>>;

export interface Query {
  readonly sql: string;
  readonly params: Readonly<Record<string, string>>;
  /** Location of the dataset; BigQuery looks for it nowhere else. */
  readonly location: string;
}

/** Dry-runs a query to check permissions and columns, at no cost.
 *  @throws {GoogleFault} and {TryLater} as `GoogleSession.use` */
export async function dryRun(session: GoogleSession, query: Query, signal: AbortSignal): Promise<void> {
  await session.use(signal, ({ bigquery }) => bigquery.createQueryJob({ ...optionsOf(query), dryRun: true }));
}

/** Runs a query and returns its rows page by page, with bounded memory.
 *  @throws {AppError} VALIDATION_ERROR when it would read more than 500 GiB, or paging never ends
 *  @throws {GoogleFault} and {TryLater} as `GoogleSession.use` */
export async function* pagesOfQuery(
  session: GoogleSession,
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<readonly TextRow[]> {
  const [job] = await session.use(signal, ({ bigquery }) => bigquery.createQueryJob(optionsOf(query))).catch(explained);
  const { id = '' } = job;
  const seen = new Set<string>();
  const endsAt = Date.now() + jobTimeoutMs + 60_000;
  for (let pageToken: string | undefined; ;) {
    const token = pageToken;
    // Look up the job for each page, because a renewed token comes with new clients.
    const [rows, next] = await session
      .use(signal, ({ bigquery }) =>
        bigquery.job(id, { location: query.location }).getQueryResults({
          autoPaginate: false,
          maxResults: pageRows,
          ...(token !== undefined && { pageToken: token }),
        }),
      )
      .catch(explained);
    if (rows.length > 0) yield rows;
    if (!next) return;
    pageToken = next.pageToken;
    // Without a token, the query is still running.
    const isEndless = pageToken === undefined ? Date.now() > endsAt : seen.has(pageToken) || seen.size >= maxPages;
    if (isEndless) throw invalid`BigQuery did not complete the result of a query (endless paging)${fix}sync again`;
    if (pageToken !== undefined) seen.add(pageToken);
  }
}

/** Returns all rows of a short result.
 *  @throws as `pagesOfQuery` */
export async function rowsOfQuery(session: GoogleSession, query: Query, signal: AbortSignal): Promise<TextRow[]> {
  const rows: TextRow[] = [];
  for await (const page of pagesOfQuery(session, query, signal)) rows.push(...page);
  return rows;
}

function optionsOf({ sql, params, location }: Query) {
  return {
    query: sql,
    params: { ...params },
    location,
    maximumBytesBilled: String(maxBytesBilled),
    useQueryCache: true,
    jobTimeoutMs,
    labels: { application: 'costkeep' },
  };
}

function explained(error: unknown): never {
  if (error instanceof GoogleFault && error.reason === 'bytesBilledLimitExceeded')
    throw invalid`BigQuery would read more than ${maxBytesBilled / 2 ** 30} GiB for one query (${error.message})${fix}connect an export of fewer projects, or ask Google to partition the table`;
  throw error;
}
