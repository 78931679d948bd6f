import { fix, invalid } from '../../kit/errors.ts';
import { GoogleFault } from './faults.ts';
import type { GoogleSession } from './session.ts';

/** What no query may read more than, in bytes; at list price about three dollars. BigQuery refuses it before it runs. */
const maxBytesBilled = 500 * 2 ** 30;
/** After this BigQuery ends a query by itself. */
const jobTimeoutMs = 15 * 60_000;
const pageRows = 10_000;

/** A row of a query all of whose columns are text. */
export type TextRow = Readonly<Record<string, string | null>>;

export interface Query {
  readonly sql: string;
  readonly params: Readonly<Record<string, string>>;
  /** Of the dataset: BigQuery looks for it nowhere else. */
  readonly location: string;
}

/** Asks BigQuery whether it would run a query: for its permissions and columns. It costs nothing.
 *  @throws {GoogleFault} and {TryLater} as `GoogleSession.use` */
export async function dryRun(session: GoogleSession, query: Query, signal: AbortSignal): Promise<void> {
  await session.use(signal, ({ bigquery }) => bigquery.createQueryJob({ ...optionsOf(query), dryRun: true }));
}

/** Runs a query and hands over its rows page by page, so that memory does not grow with them.
 *  @throws {AppError} VALIDATION_ERROR when it would read more than 500 GiB, or its pages do not end
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
    // The job is looked up anew: after a token has run out there are other clients.
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
    // Without a token the query still runs.
    const isEndless = pageToken === undefined ? Date.now() > endsAt : seen.has(pageToken);
    if (isEndless) throw invalid`BigQuery: the pages of a result do not end`;
    if (pageToken !== undefined) seen.add(pageToken);
  }
}

/** All rows of a short result.
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
